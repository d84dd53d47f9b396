"""Percentiles and summaries of times, all in integer nanoseconds (D17, D23)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from runner.documents import Document
from runner.retrieval.runs import Outcome

Integers = NDArray[np.int64]

_CHUNK = 256

T = TypeVar("T")


def nearest_rank(n: int, per_mille: int) -> int:
    """The rank, from 1 to `n`, of the percentile: ceil(p * n) in integers."""
    return max(1, -(-per_mille * n // 1000))


def percentile(ordered: Sequence[T], per_mille: int) -> T:
    """The ceil(p * n)-th smallest of `ordered`, which is sorted and not empty."""
    return ordered[nearest_rank(len(ordered), per_mille) - 1]


def weighted_percentiles(
    ordered: Integers, weights: Integers, columns: Integers, per_mille: Sequence[int]
) -> tuple[Integers, ...]:
    """For each of `per_mille` and each row of `weights`, that percentile of `ordered` with repeated values.

    Value i stands there `weights[row, columns[i]]` times: `columns` says which family brought it. A row of ones gives
    `percentile`. Chunks of rows bound the memory.
    """
    found = tuple(np.empty(len(weights), dtype=np.int64) for _ in per_mille)
    for start in range(0, len(weights), _CHUNK):
        rows = slice(start, start + _CHUNK)
        below = np.cumsum(weights[rows, columns], axis=1)
        for column, wanted in zip(found, per_mille, strict=True):
            rank = np.maximum(1, -(-wanted * below[:, -1:] // 1000))
            column[rows] = ordered[np.argmax(below >= rank, axis=1)]
    return found


class TimeSummary(Document):
    """What a set of requests cost; times in nanoseconds."""

    n: int
    p50_ns: int
    p95_ns: int
    p99_ns: int
    max_ns: int
    mean_ns: int
    errors: int
    timeouts: int


def summarise(requests: Iterable[tuple[Outcome, int]]) -> TimeSummary:
    """Summary of (outcome, latency) pairs, of which there is at least one; the mean is rounded down."""
    known = list(requests)
    ordered = sorted(ns for _, ns in known)
    return TimeSummary(
        n=len(ordered),
        p50_ns=percentile(ordered, 500),
        p95_ns=percentile(ordered, 950),
        p99_ns=percentile(ordered, 990),
        max_ns=ordered[-1],
        mean_ns=sum(ordered) // len(ordered),
        errors=sum(outcome is Outcome.ERROR for outcome, _ in known),
        timeouts=sum(outcome is Outcome.TIMEOUT for outcome, _ in known),
    )
