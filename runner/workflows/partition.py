"""Checks a partition against its corpus."""

from __future__ import annotations

from collections.abc import Mapping

from runner.documents import Document, Source
from runner.retrieval.corpora import Corpus
from runner.retrieval.findings import Finding
from runner.retrieval.partition_check import RULES, look
from runner.retrieval.partitions import parse_partition


class PartitionReport(Document):
    """What `partition check` found: the rules that were tried, and everything that is wrong."""

    partition: str
    corpus: str
    queries: int
    checks: tuple[str, ...]
    findings: tuple[Finding, ...]


def check(sources: Mapping[str, Source], corpus: Corpus) -> PartitionReport:
    """The report on the partition in `sources` (by file name); BadInput where a file cannot even be read."""
    files = parse_partition(sources)
    return PartitionReport(
        partition=files.digest,
        corpus=corpus.digest,
        queries=len(files.topics),
        checks=tuple(rule.__name__.replace("_", " ") for rule in RULES),
        findings=look(files, corpus),
    )
