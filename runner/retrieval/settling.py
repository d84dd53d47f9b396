"""Which pairs to judge so that a gate stands whatever the others turn out to be; greedy, so short, not the shortest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from runner.retrieval.bounds import BEST, WORST, OpenQuery, Range, mean
from runner.retrieval.gates import Verdict
from runner.retrieval.items import DocId
from runner.retrieval.qrels import Pair
from runner.retrieval.topics import QueryId

# Below a threshold by less than this is at it: figures are known to 2^-40.
_EPSILON = 2.0**-41


Figure = Callable[[OpenQuery], float]


class Goal(NamedTuple):
    """A gate on a mean over queries: the least and the greatest figure of a query, and the mean that is asked for."""

    lowest: Figure
    highest: Figure
    threshold: float

    def verdict(self, bounds: Range) -> Verdict | None:
        """How the gate ends wherever the mean comes to lie, or None while that decides it."""
        ends = {_passes(value, self.threshold) for value in bounds}
        if len(ends) > 1:
            return None
        return Verdict.PASS if ends == {True} else Verdict.FAIL


class Move(NamedTuple):
    """Some items of one query, graded: how much nearer that brings the gate to its end, for each pair."""

    worth: float
    query_id: QueryId
    grades: Mapping[DocId, float]


def mean_of(queries: Mapping[QueryId, OpenQuery], figure: Figure) -> float:
    """The mean of a figure."""
    return mean([figure(query) for query in queries.values()])


def shortest_to_pass(queries: Mapping[QueryId, OpenQuery], goal: Goal) -> tuple[Pair, ...] | None:
    """Pairs that settle the gate as passed if they turn out well; None if nothing makes it pass."""
    return _greedy(queries, goal.lowest, lambda value: _passes(value, goal.threshold))


def shortest_to_fail(queries: Mapping[QueryId, OpenQuery], goal: Goal) -> tuple[Pair, ...] | None:
    """Pairs that settle the gate as failed if they turn out badly; None if nothing makes it fail."""
    return _greedy(queries, lambda query: -goal.highest(query), lambda value: not _passes(-value, goal.threshold))


def _greedy(
    queries: Mapping[QueryId, OpenQuery], figure: Figure, reached: Callable[[float], bool]
) -> tuple[Pair, ...] | None:
    """Takes the move that raises the mean of `figure` most for each pair, again and again, until it is `reached`."""
    state = dict(queries)
    values = {query_id: figure(query) for query_id, query in state.items()}
    best = {query_id: _best_move(query_id, query, figure) for query_id, query in state.items()}
    chosen: list[Pair] = []
    while not reached(mean(list(values.values()))):
        move = max(best.values(), key=lambda one: (one.worth, one.query_id))
        if move.worth <= 0:
            return None
        chosen += [(move.query_id, doc_id) for doc_id in sorted(move.grades)]
        state[move.query_id] = state[move.query_id].graded(move.grades)
        values[move.query_id] = figure(state[move.query_id])
        best[move.query_id] = _best_move(move.query_id, state[move.query_id], figure)
    return tuple(chosen)


def _best_move(query_id: QueryId, query: OpenQuery, figure: Figure) -> Move:
    before = figure(query)
    moves = (Move((figure(query.graded(grades)) - before) / len(grades), query_id, grades) for grades in _moves(query))
    return max(moves, key=lambda one: one.worth, default=Move(0.0, query_id, {}))


def _moves(query: OpenQuery) -> Iterator[Mapping[DocId, float]]:
    """Each item at its best and at its worst, and all at once: one alone may change nothing yet."""
    for doc_id in sorted(query.unjudged):
        yield {doc_id: BEST}
        yield {doc_id: WORST}
    if len(query.unjudged) > 1:
        yield dict.fromkeys(query.unjudged, BEST)
        yield dict.fromkeys(query.unjudged, WORST)


def _passes(value: float, threshold: float) -> bool:
    return value >= threshold - _EPSILON
