"""Percentiles and summaries of times, all in integer nanoseconds (D17, D23)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from runner.documents import Document
from runner.retrieval.runs import Outcome

Integers = NDArray[np.int64]

NS_PER_MS = 1_000_000

_CHUNK = 256

T = TypeVar("T")


def milliseconds(ns: int) -> str:
    """Nanoseconds in milliseconds, as they stand wherever a time is shown."""
    return f"{ns / NS_PER_MS:.3f}"


def nearest_rank(n: int, per_mille: int) -> int:
    """The rank, from 1 to `n`, of the percentile: ceil(p * n) in integers."""
    return max(1, -(-per_mille * n // 1000))


def percentile(ordered: Sequence[T], per_mille: int) -> T:
    """The ceil(p * n)-th smallest of `ordered`, which is sorted and not empty."""
    return ordered[nearest_rank(len(ordered), per_mille) - 1]


def weighted_percentiles(
    ordered: Integers, weights: NDArray[Any], columns: Integers, per_mille: Sequence[int]
) -> tuple[Integers, ...]:
    """For each of `per_mille` and each row of `weights`, that percentile of `ordered` with repeated values.

    Value i stands there `weights[row, columns[i]]` times: `columns` says which family brought it. A row of ones gives
    `percentile`. Values are counted from the largest down, since only the slowest few decide p95 and p99.
    """
    brought = np.bincount(columns, minlength=weights.shape[1]).astype(np.float64)
    chunks = [slice(start, start + _CHUNK) for start in range(0, len(weights), _CHUNK)]
    # Chunks of rows bound the memory; counts are exact as floats.
    totals = np.concatenate([weights[rows] @ brought for rows in chunks]).astype(np.int64)
    above = np.array([totals - np.maximum(1, -(-wanted * totals // 1000)) for wanted in per_mille])
    found = np.empty_like(above)
    largest, brought_by = ordered[::-1], columns[::-1]
    for rows in chunks:
        counted = _counted(weights[rows], brought_by, above[:, rows].max(axis=0))
        for times, passed in zip(found, above, strict=True):
            times[rows] = largest[np.argmax(counted > passed[rows, None], axis=1)]
    return tuple(found)


def _counted(weights: NDArray[Any], columns: Integers, enough: Integers) -> Integers:
    """Running counts of the values that `columns` bring, as far as every row needs to pass its count in `enough`."""
    depth = 2 * (int(enough.max()) + 1)
    while True:
        counted = np.cumsum(weights[:, columns[:depth]], axis=1, dtype=np.int64)
        if depth >= len(columns) or (counted[:, -1] > enough).all():
            return counted
        depth *= 2


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
