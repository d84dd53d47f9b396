"""Which queries one row of a card answers better than another, each by its own figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from runner.documents import Document
from runner.retrieval.estimates import Rounded
from runner.retrieval.measures.names import Measure
from runner.retrieval.scorecard import QueryRow
from runner.retrieval.topics import QueryId, Slice


class Changed(Document):
    """A query whose own figure moved: nDCG@10, or CorrectEmpty where nothing matches."""

    query_id: str
    slice: Slice
    figure: str
    before: Rounded
    after: Rounded


class Moves(NamedTuple):
    """The queries that a row gained and lost against another, those that moved most first; and how many are tied."""

    gained: tuple[Changed, ...]
    lost: tuple[Changed, ...]
    tied: int


def moves(before: Sequence[QueryRow], after: Sequence[QueryRow]) -> Moves:
    """What `after` has gained and lost; both are of the same queries."""
    known = {row.query_id: _own(row) for row in before}
    found = sorted((row for row in after if _own(row) != known[row.query_id]), key=lambda row: _order(row, known))
    gained = tuple(_changed(row, known) for row in found if _own(row) > known[row.query_id])
    lost = tuple(_changed(row, known) for row in found if _own(row) < known[row.query_id])
    return Moves(gained, lost, len(after) - len(found))


def _figure(row: QueryRow) -> Measure:
    return Measure.NDCG if row.slice.answerable else Measure.CORRECT_EMPTY


def _own(row: QueryRow) -> float:
    return row.figures[_figure(row)]


def _order(row: QueryRow, known: dict[QueryId, float]) -> tuple[float, str]:
    return -abs(_own(row) - known[row.query_id]), row.query_id


def _changed(row: QueryRow, known: dict[QueryId, float]) -> Changed:
    was = known[row.query_id]
    return Changed(query_id=row.query_id, slice=row.slice, figure=_figure(row), before=was, after=_own(row))
