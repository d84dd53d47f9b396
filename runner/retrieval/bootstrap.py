"""The family bootstrap: one matrix of weights, the same bytes on every machine (D27, D29)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from runner.counts import counted
from runner.errors import BadInput
from runner.retrieval.latency import Integers, nearest_rank
from runner.retrieval.measures.coverage import Values

RESAMPLES = 10_000
SEED = 1
LOW, HIGH = 25, 975
UNIT = 2**40

_BATCH_WORDS = 2**21
_MOST_REDRAWS = 1_000
# Whole numbers below it are exact as floats.
_EXACT = 2**53

#: Whole numbers of the smallest type that holds how often a family can be drawn.
Weights = NDArray[Any]


class Resamples(NamedTuple):
    """`weights[r, f]`: how often family f was drawn in resample r. `redrawn`: draws thrown away as incomplete."""

    weights: Weights
    redrawn: int


class Words:
    """Family indices from the raw 64-bit words of Philox4x64-10 with key `seed`.

    The counter starts at 1, as numpy counts up before each block of four words. A word below the largest multiple of
    `families` gives `word mod families`; any other is skipped, so that no family is favoured.
    """

    def __init__(self, seed: int, families: int) -> None:
        self._philox = np.random.Philox(key=seed)
        self._families = np.uint64(families)
        self._last = np.uint64(2**64 - 1 - 2**64 % families)
        self._left: NDArray[np.uint64] = np.empty(0, dtype=np.uint64)

    def take(self, count: int) -> Integers:
        """The next `count` indices; the sequence does not depend on how it is cut into calls."""
        while len(self._left) < count:
            raw = self._philox.random_raw(count - len(self._left))
            fair = raw <= self._last
            self._left = np.concatenate([self._left, raw if fair.all() else raw[fair]])
        taken, self._left = self._left[:count], self._left[count:]
        return (taken % self._families).astype(np.int64)


def resample(members: NDArray[np.bool_], *, seed: int = SEED, count: int = RESAMPLES) -> Resamples:
    """`count` draws of all families with replacement, each leaving no group empty.

    `members[g, f]`: family f holds something of group g. A draw is as many indices as there are families; one that
    leaves a group empty is thrown away, and the next indices are the next draw.
    """
    families = members.shape[1]
    if not members.any(axis=1).all():
        raise BadInput("a group of queries is empty, so its mean cannot be resampled.")
    words = Words(seed, families)
    groups = np.unique(members, axis=0)
    kept: list[Weights] = []
    have = drawn = 0
    while have < count:
        wanted = min(count - have, max(1, _BATCH_WORDS // families))
        weights = _weights(words.take(wanted * families).reshape(wanted, families))
        complete = weights[_complete(weights, groups)]
        kept.append(complete)
        have, drawn = have + len(complete), drawn + wanted
        if drawn > _MOST_REDRAWS * count:
            raise BadInput(
                f"{drawn} draws of {counted(families, 'family', 'families')} gave {have} complete ones.",
                advice="Add families.",
            )
    return Resamples(np.concatenate(kept), drawn - count)


def _weights(draws: Integers) -> Weights:
    rows, families = draws.shape
    cells = draws + families * np.arange(rows, dtype=np.int64)[:, None]
    counts = np.bincount(cells.ravel(), minlength=rows * families)
    return counts.astype(np.min_scalar_type(families)).reshape(rows, families)


def _complete(weights: Weights, groups: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Rows in which every group has a family."""
    complete: NDArray[np.bool_] = np.all(exact_product(weights, groups.T.astype(np.int64)) > 0, axis=1)
    return complete


def exact_product(weights: Weights, values: Integers) -> Integers:
    """`weights @ values` in integers, for weights and values that are not negative, and values up to 2^40 a query.

    numpy multiplies integer matrices slowly; in floats the library is fast, but sums in an order of its own. That is
    exact in any order as long as every sum stays below 2^53; columns where it might not are cut into two halves.
    """
    most = int(weights.sum(axis=1, dtype=np.int64).max(initial=0))
    large = values.max(axis=0, initial=0) * most >= _EXACT
    high, low = np.divmod(values[:, large], 2**20)
    product = _product(weights, np.hstack([values[:, ~large], high, low]))
    small, high, low = np.split(product, np.cumsum([(~large).sum(), large.sum()]), axis=1)
    found = np.empty((len(weights), values.shape[1]), dtype=np.int64)
    found[:, ~large], found[:, large] = small, high * 2**20 + low
    return found


def _product(weights: Weights, values: Integers) -> Integers:
    found = np.empty((len(weights), values.shape[1]), dtype=np.int64)
    floats = values.astype(np.float64)
    for rows in slices_of(weights):
        found[rows] = weights[rows].astype(np.float64) @ floats
    return found


def slices_of(weights: Weights) -> Iterator[slice]:
    """Runs of rows that are few enough to be widened without much memory."""
    step = max(1, _BATCH_WORDS // weights.shape[1])
    return (slice(start, start + step) for start in range(0, len(weights), step))


def quantise(value: float) -> int:
    """`value` in units of 2^-40, to the nearest."""
    return round(value * UNIT)


def interval(values: Values | Integers) -> tuple[float, float]:
    """The 2.5th and 97.5th percentile by nearest rank."""
    ranks = [nearest_rank(len(values), p) - 1 for p in (LOW, HIGH)]
    low, high = np.partition(values, ranks)[ranks].tolist()
    return low, high
