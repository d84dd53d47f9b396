"""Intervals of percentiles of times, by the family bootstrap: a family brings all its requests (D27)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from runner.retrieval.bootstrap import interval
from runner.retrieval.latency import weighted_percentiles
from runner.retrieval.sample import Spread
from runner.retrieval.topics import QueryId


class TimeIntervals(NamedTuple):
    """95 % intervals of three percentiles, in nanoseconds."""

    p50: tuple[int, int]
    p95: tuple[int, int]
    p99: tuple[int, int]


Times = Sequence[tuple[QueryId, int]]


def asked_everywhere(times: Times, spread: Spread) -> bool:
    """Whether every family has a time, without which some resample would have no percentile."""
    return len({spread.column[query_id] for query_id, _ in times}) == int(spread.weights.shape[1])


def time_intervals(times: Times, spread: Spread) -> TimeIntervals:
    """The intervals for `times` (nanoseconds, each with its query), of which every family has one."""
    ordered = sorted((ns, spread.column[query_id]) for query_id, ns in times)
    values, columns = np.array(ordered, dtype=np.int64).T
    found = weighted_percentiles(values, spread.weights, columns, (500, 950, 990))
    return TimeIntervals(*(_whole(interval(each)) for each in found))


def _whole(pair: tuple[float, float]) -> tuple[int, int]:
    low, high = pair
    return int(low), int(high)
