"""The plain files of `measure`: any run against any final grades, without corpus or partition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from runner.documents import Document, Source
from runner.errors import BadInput
from runner.retrieval.judgements import ExactTargets

Name = Annotated[str, Field(min_length=1)]


class FinalGrade(Document):
    """A line of a judgements file: one grade for one pair."""

    query_id: Name
    doc_id: Name
    grade: Annotated[float, Field(ge=0, le=3, multiple_of=0.5)]


class Failed(StrEnum):
    """The only outcome a run file spells out."""

    ERROR = "error"


class RunLine(Document):
    """A line of a run file: what one request returned, in order, or that it failed."""

    query_id: Name
    doc_ids: tuple[Name, ...] | None = None
    outcome: Failed | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> RunLine:
        if (self.doc_ids is None) == (self.outcome is None):
            raise ValueError("give doc_ids or outcome, one of the two")
        if self.doc_ids is not None and len(set(self.doc_ids)) < len(self.doc_ids):
            raise ValueError("doc_ids holds an item twice")
        return self


Grades = Mapping[str, Mapping[str, float]]
#: The lists of each query, one a request, in the order asked; None is a request that failed.
Requests = Mapping[str, Sequence[tuple[str, ...] | None]]
Targets = Mapping[str, ExactTargets]


def parse_grades(source: Source) -> Grades:
    """Grades by query and item; a pair that stands twice is refused."""
    grades: dict[str, dict[str, float]] = {}
    for line, row in enumerate(FinalGrade.parse_lines(source.data, source.where), 1):
        known = grades.setdefault(row.query_id, {})
        if row.doc_id in known:
            raise BadInput(
                f"{source.where}:{line}: {row.query_id} {row.doc_id} is graded twice.", advice="Keep one of the lines."
            )
        known[row.doc_id] = row.grade
    if not grades:
        raise BadInput(f"{source.where}: holds no judgement.", advice="Give at least one line.")
    return grades


def parse_requests(source: Source) -> Requests:
    """The requests of each query, in the order of the file."""
    requests: dict[str, list[tuple[str, ...] | None]] = {}
    for row in RunLine.parse_lines(source.data, source.where):
        requests.setdefault(row.query_id, []).append(row.doc_ids)
    return requests


def parse_targets(source: Source) -> Targets:
    """Exact targets by query; a query that stands twice is refused."""
    targets: dict[str, ExactTargets] = {}
    for line, row in enumerate(ExactTargets.parse_lines(source.data, source.where), 1):
        if row.query_id in targets:
            raise BadInput(f"{source.where}:{line}: {row.query_id} stands twice.", advice="Keep one of the lines.")
        targets[row.query_id] = row
    return targets
