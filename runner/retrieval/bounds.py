"""What a query's figures can still become while some of the items shown for it are unjudged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import fsum
from typing import NamedTuple

import numpy as np

from runner.retrieval.items import DocId
from runner.retrieval.lists import Seen, Shown
from runner.retrieval.measures.coverage import Values
from runner.retrieval.measures.findability import hit, relevant
from runner.retrieval.measures.ndcg import CUT, DISCOUNTS, GAINS, ndcg

WORST, BEST = 0.0, 3.0

Grades = Mapping[DocId, float]


class Range(NamedTuple):
    """The least and the greatest value that any grades of the unjudged items lead to."""

    low: float
    high: float


class OpenQuery(NamedTuple):
    """What a system showed for a query, the grades of its serving items, and those that any system showed ungraded."""

    seen: Seen
    grades: Grades
    unjudged: frozenset[DocId]

    def graded(self, grades: Grades) -> OpenQuery:
        """The same with some of the unjudged items graded."""
        return OpenQuery(self.seen, {**self.grades, **grades}, self.unjudged - grades.keys())

    def with_all_at(self, grade: float) -> float:
        """nDCG with every unjudged item at `grade`, in gain and ideal both."""
        grades = {**self.grades, **dict.fromkeys(self.unjudged, grade)}
        return self._mean(lambda shown: ndcg(shown, grades))

    def lowest_ndcg(self) -> float:
        """The least nDCG that any grades of the unjudged items lead to."""
        return self._mean(lambda shown: lowest_ndcg(shown, self.grades, self.unjudged))

    def highest_ndcg(self) -> float:
        """The greatest."""
        return self._mean(lambda shown: highest_ndcg(shown, self.grades, self.unjudged))

    def lowest_hit(self) -> float:
        """Hit@10 if no unjudged item is relevant."""
        sure = relevant(self.grades)
        return self._mean(lambda shown: hit(shown, sure, CUT))

    def highest_hit(self) -> float:
        """Hit@10 if every unjudged item is relevant."""
        possible = relevant(self.grades) | self.unjudged
        return self._mean(lambda shown: hit(shown, possible, CUT))

    def _mean(self, figure: Callable[[Shown], float]) -> float:
        """Over the requests, of which a failed one counts 0."""
        return fsum(times * figure(shown) for shown, times in self.seen.lists.items()) / max(1, self.seen.requests)


def lowest_ndcg(shown: Sequence[DocId], grades: Grades, unjudged: frozenset[DocId]) -> float:
    """The least nDCG of a list.

    Items that other lists show raise the ideal alone, so they are at their best. Of its own, gain is linear and ideal
    convex in the gains, so the least ratio lies where each is at one end; and of those at the best, the last in the
    list earn least.
    """
    own = [doc_id for doc_id in shown if doc_id in unjudged]
    others = dict.fromkeys(unjudged - set(own), BEST)
    worst = [
        ndcg(shown, {**grades, **others, **dict.fromkeys(own, WORST), **dict.fromkeys(own[len(own) - best :], BEST)})
        for best in range(len(own) + 1)
    ]
    return min(worst)


def highest_ndcg(shown: Sequence[DocId], grades: Grades, unjudged: frozenset[DocId]) -> float:
    """The greatest nDCG of a list: items of others at their worst, its own at grades that never rise down the list."""
    ranks = [rank for rank, doc_id in enumerate(shown) if doc_id in unjudged]
    if not ranks:
        return ndcg(shown, grades)
    discounts = np.array(DISCOUNTS)
    gains = _falling(len(ranks))
    sure = fsum(GAINS[grades.get(doc_id, WORST)] / DISCOUNTS[rank] for rank, doc_id in enumerate(shown))
    judged = np.sort([GAINS[grade] for grade in grades.values()])[::-1][:CUT]
    everything = np.sort(np.hstack([gains, np.tile(judged, (len(gains), 1))]), axis=1)[:, ::-1][:, :CUT]
    ideal = everything @ (1 / discounts[: everything.shape[1]])
    return float(np.max((sure + gains @ (1 / discounts[ranks])) / ideal))


@lru_cache(maxsize=CUT)
def _falling(count: int) -> Values:
    """Every way to give `count` items gains that never rise: a row each."""
    levels = sorted(GAINS.values(), reverse=True)
    return np.array(list(combinations_with_replacement(levels, count)))


def mean(values: Sequence[float]) -> float:
    """The mean of at least one value."""
    return fsum(values) / len(values)
