"""Checks the corpus, and what was made for it."""

from __future__ import annotations

from runner.documents import Document
from runner.retrieval.corpus_check import CHECKS, CorpusFiles, Dependents, look_at_corpus
from runner.retrieval.findings import Finding


class CorpusReport(Document):
    """What `corpus check` found: the corpus as it is, the checks that were tried, and everything that is wrong."""

    corpus: str
    items: int
    checks: tuple[str, ...]
    findings: tuple[Finding, ...]


def check(corpus: CorpusFiles, dependents: Dependents) -> CorpusReport:
    """The report on a corpus beside what was made for it."""
    return CorpusReport(
        corpus=corpus.digest,
        items=len(corpus.items),
        checks=tuple(check.__name__.replace("_", " ") for check in CHECKS),
        findings=tuple(look_at_corpus(corpus, dependents)),
    )
