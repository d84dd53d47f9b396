"""A released judgement set: what it is named by, what it follows, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from runner.documents import Digest, Document
from runner.retrieval.items import DocId, Safety
from runner.retrieval.judgements import Qrel
from runner.retrieval.merging import Merged
from runner.retrieval.qrels import Pair
from runner.retrieval.topics import QueryId

JUDGEMENT_SET = "judgement_set.json"


class DecidedGrade(Document):
    """The final grade and class of a pair, and the rule that they came about by."""

    grade: float
    safety: Safety
    rule: str


class Change(Document):
    """A pair whose final grade is new (`before` is null) or another than in the parent set."""

    query_id: QueryId
    doc_id: DocId
    before: DecidedGrade | None
    after: DecidedGrade


class JudgementSet(Document):
    """`judgement_set.json`: `judgements` names the set, `parent` the one whose acts it begins with."""

    format: Literal["mambomeme/judgement-set/v1"]
    judgements: Digest
    parent: Digest | None
    qrels: Digest
    exact_targets: Digest
    queries: Digest
    corpus: Digest
    released_at: str
    reason: str
    acts: int
    pairs: int
    rules: dict[str, int]
    annotators: dict[str, int]
    changes: tuple[Change, ...]


class Versions(NamedTuple):
    """The acts of a parent set and of the set that follows it."""

    before: Merged
    after: Merged


def changes(versions: Versions) -> Iterator[Change]:
    """Where the final grades differ, by ids."""
    before: dict[Pair, Qrel] = {(qrel.query_id, qrel.doc_id): qrel for qrel in versions.before.qrels()}
    for qrel in versions.after.qrels():
        known = before.get((qrel.query_id, qrel.doc_id))
        if known != qrel:
            yield Change(
                query_id=qrel.query_id, doc_id=qrel.doc_id, before=_final(known) if known else None, after=_final(qrel)
            )


def _final(qrel: Qrel) -> DecidedGrade:
    return DecidedGrade(grade=qrel.grade, safety=qrel.safety, rule=qrel.rule)
