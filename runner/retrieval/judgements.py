"""What annotators said, and what follows from it: acts, final grades, exact targets, no-match audits (D3, D4, D7)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from runner.documents import Digest, Document
from runner.retrieval.items import DocId, Safety
from runner.retrieval.topics import QueryId


class Role(StrEnum):
    """Which pass a judgement belongs to."""

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"


class Judgement(Document):
    """One act of one annotator, as in `judgements.jsonl`; `annotator` starts with `human:` or `machine:`."""

    query_id: QueryId
    doc_id: DocId
    annotator: Annotated[str, Field(pattern=r"^(human|machine):.+$")]
    role: Role
    grade: Annotated[int, Field(ge=0, le=3)]
    safety: Safety
    at: str


class Qrel(Document):
    """The final grade of one pair, as in `qrels.jsonl`; `rule` says how it came about (`single`, `mean`, `third`)."""

    query_id: QueryId
    doc_id: DocId
    grade: Annotated[float, Field(ge=0, le=3, multiple_of=0.5)]
    safety: Safety
    rule: str


class ExactTargets(Document):
    """The items that a query names exactly; each inner list is one equivalence group."""

    query_id: QueryId
    groups: tuple[tuple[DocId, ...], ...]
    adjudicated_by: str


class NoMatchVerdict(StrEnum):
    """What an audit for a no-match query came to."""

    ABSENT = "no serving item is grade 2 or better"
    PRESENT = "a serving item is grade 2 or better"


class NoMatchAudit(Document):
    """Whether one corpus holds nothing useful for a query: fields checked by machine, nearest items inspected."""

    query_id: QueryId
    corpus_digest: Digest
    fields_checked: Annotated[tuple[str, ...], Field(min_length=1)]
    nearest: Annotated[tuple[DocId, ...], Field(min_length=1)]
    inspectors: Annotated[tuple[str, ...], Field(min_length=1)]
    verdict: NoMatchVerdict
