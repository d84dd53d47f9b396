"""The measures of many lists at once, in arrays: to the bit what `figures` gives for each list (D20, D29)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runner.errors import BadInput
from runner.retrieval.latency import Integers
from runner.retrieval.measures.coverage import Values
from runner.retrieval.measures.findability import RELEVANT_FROM
from runner.retrieval.measures.ndcg import CUT, DISCOUNTS, GAINS

Codes = NDArray[np.int8]

# A grade is coded as its place in the table of gains, so twice the grade.
_LEVELS = len(GAINS)
_UNJUDGED, _NOTHING = _LEVELS, _LEVELS + 1
_RELEVANT = int(2 * RELEVANT_FROM)

# Every gain over a discount is a whole number of 2^-56, and ten of them stay below 2^62: as integers they add up
# exactly in any order, and the one rounding at the end is the one that fsum does.
_FINE = 2.0**-56
_TERMS: Integers = np.array(
    [[int(gain / discount / _FINE) for gain in GAINS.values()] + [0, 0] for discount in DISCOUNTS], dtype=np.int64
)
# _BEST[k, level]: what the first k ranks earn if all of them hold an item of that level.
_BEST: Integers = np.vstack([np.zeros((1, _LEVELS), dtype=np.int64), np.cumsum(_TERMS[:, :_LEVELS], axis=0)])


class Judged(NamedTuple):
    """The judgements of many queries: `counts[q, level]` items of query q have the grade level / 2."""

    counts: Integers

    @property
    def relevant(self) -> Integers:
        """How many relevant items each query has."""
        return np.asarray(self.counts[:, _RELEVANT:].sum(axis=1))

    def ideal_dcg(self) -> Values:
        """The highest DCG of each query: the best levels fill the ten ranks one after the other."""
        total = np.zeros(len(self.counts), dtype=np.int64)
        filled = np.zeros(len(self.counts), dtype=np.int64)
        for level in reversed(range(1, _LEVELS)):
            then = np.minimum(CUT, filled + self.counts[:, level])
            total += _BEST[then, level] - _BEST[filled, level]
            filled = then
        return np.asarray(total * _FINE, dtype=np.float64)


class Lists(NamedTuple):
    """Many lists, cut at 10: the level at each rank, or that the item is unjudged, or that there is none."""

    codes: Codes

    @property
    def shown(self) -> Integers:
        """How many items each list shows."""
        return np.asarray((self.codes != _NOTHING).sum(axis=1))

    @property
    def judged(self) -> Integers:
        """How many of them are judged."""
        return np.asarray((self.codes < _UNJUDGED).sum(axis=1))

    @property
    def relevant(self) -> NDArray[np.bool_]:
        """At which ranks a relevant item stands."""
        return np.asarray((self.codes >= _RELEVANT) & (self.codes < _UNJUDGED))

    def dcg(self) -> Values:
        """The discounted gain of each list in the order shown."""
        total = np.zeros(len(self.codes), dtype=np.int64)
        for rank in range(CUT):
            total += _TERMS[rank][self.codes[:, rank]]
        return np.asarray(total * _FINE, dtype=np.float64)


def judged(grades: Sequence[Mapping[str, float]]) -> Judged:
    """The judgements of queries, of which each has its grades by item."""
    levels = _levels(list(chain.from_iterable(own.values() for own in grades)))
    queries = np.repeat(np.arange(len(grades)), [len(own) for own in grades])
    counts = np.bincount(queries * _LEVELS + levels, minlength=len(grades) * _LEVELS)
    return Judged(counts.reshape(len(grades), _LEVELS))


def lists(shown: Sequence[Sequence[str]], grades: Iterable[Mapping[str, float]]) -> Lists:
    """Lists beside the grades of their queries."""
    cut = [each if len(each) <= CUT else each[:CUT] for each in shown]
    found = [own.get(doc_id, -1.0) for each, own in zip(cut, grades, strict=True) for doc_id in each]
    codes = np.full((len(cut), CUT), _NOTHING, dtype=np.int8)
    filled = np.arange(CUT) < np.array([len(each) for each in cut], dtype=np.int64)[:, None]
    values = np.array(found, dtype=np.float64)
    codes[filled] = np.where(values < 0, _UNJUDGED, _levels(np.maximum(values, 0.0)))
    return Lists(codes)


def _levels(grades: Sequence[float] | Values) -> Integers:
    doubled = 2 * np.asarray(grades, dtype=np.float64)
    levels = doubled.astype(np.int64)
    if not ((levels == doubled) & (levels >= 0) & (levels < _LEVELS)).all():
        raise BadInput("a grade is none of 0, 0.5, 1, 1.5, 2, 2.5 and 3.")
    return levels
