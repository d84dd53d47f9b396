"""The plain files of `measure`: any run against any final grades, without corpus or partition."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import Field, model_validator

from runner.documents import Document, Source
from runner.errors import BadInput
from runner.retrieval.items import Safety
from runner.retrieval.judgements import ExactTargets

Name = Annotated[str, Field(min_length=1)]


class FinalGrade(Document):
    """A line of a judgements file: one grade for one pair. `safety` and `rule` are as in a partition's `qrels.jsonl`,
    so that it can be given too, and change nothing."""

    query_id: Name
    doc_id: Name
    grade: Annotated[float, Field(ge=0, le=3, multiple_of=0.5)]
    safety: Safety | None = None
    rule: str | None = None


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
    plain = _plain_grades(source.data)
    if plain:
        return plain
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
    plain = _plain_requests(source.data)
    if plain:
        return plain
    requests: dict[str, list[tuple[str, ...] | None]] = {}
    for row in RunLine.parse_lines(source.data, source.where):
        requests.setdefault(row.query_id, []).append(row.doc_ids)
    return requests


# Lines in which nothing needs a parser of JSON: these keys in the order of canonical JSON or of docs/formats.md, and
# ids without escapes.
_ID = r'"([^"\\\x00-\x1f]+)"'
_GRADE = r"([012](?:\.[05])?|3(?:\.0)?)"
_GRADED = re.compile(
    rf'^\{{(?:"doc_id": ?{_ID}, ?"grade": ?{_GRADE}, ?"query_id": ?{_ID}'
    rf'|"query_id": ?{_ID}, ?"doc_id": ?{_ID}, ?"grade": ?{_GRADE})\}}$',
    re.MULTILINE,
)
_IDS = r'\[((?:"[^"\\\x00-\x1f]+"(?:, ?"[^"\\\x00-\x1f]+")*)?)\]'
_RETURNED = re.compile(
    rf'^\{{(?:"doc_ids": ?{_IDS}, ?"query_id": ?{_ID}|"query_id": ?{_ID}, ?"doc_ids": ?{_IDS})\}}$', re.MULTILINE
)


def _plain_rows(data: bytes, pattern: re.Pattern[str]) -> list[tuple[str, ...]] | None:
    """What `pattern` finds, if every line of a file is just that; else None, and a parser must look."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    rows: list[tuple[str, ...]] = pattern.findall(text)
    return rows if len(rows) == text.count("\n") and text.endswith("\n") else None


def _plain_grades(data: bytes) -> Grades | None:
    """The grades in a file of plain lines without a pair twice."""
    rows = _plain_rows(data, _GRADED)
    grades: dict[str, dict[str, float]] = {}
    for doc_id, grade, query_id, query_id_2, doc_id_2, grade_2 in rows or ():
        grades.setdefault(query_id or query_id_2, {})[doc_id or doc_id_2] = _NUMBERS[grade or grade_2]
    return grades if sum(map(len, grades.values())) == len(rows or ()) else None


def _plain_requests(data: bytes) -> Requests | None:
    """The lists in a file of plain lines, none with an item twice."""
    requests: dict[str, list[tuple[str, ...] | None]] = {}
    for ids, query_id, query_id_2, ids_2 in _plain_rows(data, _RETURNED) or ():
        found = tuple(_BETWEEN.split((ids or ids_2)[1:-1])) if ids or ids_2 else ()
        if len(set(found)) < len(found):
            return None
        requests.setdefault(query_id or query_id_2, []).append(found)
    return requests


_NUMBERS = {text: float(text) for text in ("0", "0.0", "0.5", "1", "1.0", "1.5", "2", "2.0", "2.5", "3", "3.0")}
_BETWEEN = re.compile('", ?"')


def parse_targets(source: Source) -> Targets:
    """Exact targets by query; a query that stands twice is refused."""
    targets: dict[str, ExactTargets] = {}
    for line, row in enumerate(ExactTargets.parse_lines(source.data, source.where), 1):
        if row.query_id in targets:
            raise BadInput(f"{source.where}:{line}: {row.query_id} stands twice.", advice="Keep one of the lines.")
        targets[row.query_id] = row
    return targets
