"""Every mean of one system under family weights: a row of ones gives the point, resamples give the spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runner.retrieval.bootstrap import UNIT, Weights, exact_product, quantise
from runner.retrieval.evaluation import QueryResult
from runner.retrieval.groups import GROUPS, Group, Subset, belongs
from runner.retrieval.latency import Integers, weighted_percentiles
from runner.retrieval.measures.coverage import Values
from runner.retrieval.measures.names import Measure
from runner.retrieval.runs import Observation
from runner.retrieval.topics import QueryId, Slice, Topic

Cell = tuple[Measure, Group]


_ANSWERS = tuple(measure for measure in Measure if measure not in {Measure.CORRECT_EMPTY, Measure.EXACT_RR})

# The measures on the line of each group. Every one of these cells has queries in every resample.
REPORTED: Mapping[Group, tuple[Measure, ...]] = {
    **{s: tuple(Measure) for s in Slice},
    Subset.ALL: (Measure.SAFE,),
    Subset.ANSWERABLE: _ANSWERS,
    Subset.EXACT: (Measure.EXACT_RR,),
    Subset.ORDINARY: (Measure.SAFE,),
    Subset.SAFETY: (Measure.SAFE, Measure.CORRECT_EMPTY),
    Subset.SAFETY_ANSWERABLE: _ANSWERS,
    Subset.MULTI_CUE: _ANSWERS,
}


class Families(NamedTuple):
    """The families of a partition in the order of their first query, and the column of each query's family."""

    names: tuple[str, ...]
    column: Mapping[QueryId, int]

    @property
    def once(self) -> Integers:
        """The weights of the point estimate: every family once."""
        return np.ones((1, len(self.names)), dtype=np.int64)


class FamilyTotals(NamedTuple):
    """One system's figures by family. A column of `sums` (units of 2^-40) and `counts` for each cell."""

    cells: tuple[Cell, ...]
    sums: Integers
    counts: Integers
    latencies: Integers
    latency_columns: Integers
    failed: Integers
    requests: Integers

    @property
    def members(self) -> NDArray[np.bool_]:
        """Which families hold a query of each cell: what a draw must not leave empty."""
        return self.counts.T > 0


class Sample(NamedTuple):
    """Figures under weights, an array entry for each row: means by cell, times in nanoseconds, requests as counts."""

    means: Mapping[Cell, Values]
    p95_ns: Integers
    p99_ns: Integers
    failed: Integers
    requests: Integers


def families_of(topics: Sequence[Topic]) -> Families:
    """The families of `topics`."""
    names = tuple(dict.fromkeys(topic.family for topic in topics))
    index = {name: column for column, name in enumerate(names)}
    return Families(names, {topic.query_id: index[topic.family] for topic in topics})


def family_totals(
    results: Sequence[QueryResult], observations: Sequence[Observation], families: Families
) -> FamilyTotals:
    """The figures of one system, summed by family."""
    cells = _cells(results)
    sums = np.zeros((len(families.names), len(cells)), dtype=np.int64)
    counts = np.zeros_like(sums)
    for result in results:
        row = families.column[result.topic.query_id]
        whole = {measure: quantise(value) for measure, value in result.means.items()}
        for column, (measure, group) in enumerate(cells):
            if measure in whole and belongs(result.topic, group):
                sums[row, column] += whole[measure]
                counts[row, column] += 1
    failed, requests = np.zeros((2, len(families.names)), dtype=np.int64)
    for result in results:
        row = families.column[result.topic.query_id]
        failed[row] += result.errors + result.timeouts
        requests[row] += result.requests
    ordered = sorted((seen.latency_ns, families.column[seen.query_id]) for seen in observations)
    latencies, columns = np.array(ordered, dtype=np.int64).T
    return FamilyTotals(cells, sums, counts, latencies, columns, failed, requests)


def _cells(results: Sequence[QueryResult]) -> tuple[Cell, ...]:
    """The cells that have a query, in a fixed order."""
    filled: set[Cell] = set()
    for result in results:
        for group in GROUPS:
            if belongs(result.topic, group):
                filled |= {(measure, group) for measure in result.means}
    return tuple((measure, group) for group in GROUPS for measure in REPORTED[group] if (measure, group) in filled)


def draw(totals: FamilyTotals, weights: Weights) -> Sample:
    """The figures of `totals` under `weights`, of which no row leaves a cell without queries."""
    # Many cells are of the same queries.
    queries, of_cell = np.unique(totals.counts, axis=1, return_inverse=True)
    columns = np.column_stack([totals.sums, queries, totals.failed, totals.requests])
    sums, counted = np.split(exact_product(weights, columns), [totals.sums.shape[1]], axis=1)
    p95, p99 = weighted_percentiles(totals.latencies, weights, totals.latency_columns, (950, 990))
    return Sample(
        means={
            cell: sums[:, column] / (counted[:, of_cell[column]] * float(UNIT))
            for column, cell in enumerate(totals.cells)
        },
        p95_ns=p95,
        p99_ns=p99,
        failed=counted[:, -2],
        requests=counted[:, -1],
    )
