"""Every mean of one system under family weights: a row of ones gives the point, resamples give the spread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from runner.retrieval.bootstrap import UNIT, Weights, exact_product, quantise
from runner.retrieval.evaluation import QueryResult
from runner.retrieval.groups import GROUPS, Group, Grouped, Subset, belongs
from runner.retrieval.latency import Integers, weighted_percentiles
from runner.retrieval.measures.coverage import Values
from runner.retrieval.measures.figures import Figures
from runner.retrieval.measures.names import Measure
from runner.retrieval.runs import Observation
from runner.retrieval.topics import QueryId, Slice

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


class Spread(NamedTuple):
    """The families that queries are resampled by, and how often each is drawn in each resample."""

    column: Mapping[QueryId, int]
    weights: Weights


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
    failed: Integers
    requests: Integers


class Asked(Grouped, Protocol):
    """A query with its id."""

    @property
    def query_id(self) -> QueryId: ...


def families_of(topics: Sequence[Asked]) -> Families:
    """The families of `topics`."""
    names = tuple(dict.fromkeys(topic.family for topic in topics))
    index = {name: column for column, name in enumerate(names)}
    return Families(names, {topic.query_id: index[topic.family] for topic in topics})


class Part(NamedTuple):
    """What one query adds to its family: the means of its measures, and the requests they rest on."""

    topic: Grouped
    means: Figures
    failed: int
    requests: int


def family_totals(
    results: Sequence[QueryResult], observations: Sequence[Observation], families: Families
) -> FamilyTotals:
    """The figures of one system, summed by family."""
    times = [(seen.latency_ns, families.column[seen.query_id]) for seen in observations]
    return sum_up(parts_of(results), times, families)


def parts_of(results: Sequence[QueryResult]) -> list[Part]:
    """What each query adds."""
    return [Part(row.topic, row.means, row.errors + row.timeouts, row.requests) for row in results]


def sum_up(parts: Sequence[Part], times: Iterable[tuple[int, int]], families: Families) -> FamilyTotals:
    """The parts summed by family; `times` are nanoseconds, each with the column of its family."""
    cells = _cells(parts)
    column = {name: number for number, name in enumerate(families.names)}
    sums = np.zeros((len(families.names), len(cells)), dtype=np.int64)
    counts = np.zeros_like(sums)
    failed, requests = np.zeros((2, len(families.names)), dtype=np.int64)
    for part in parts:
        row = column[part.topic.family]
        failed[row] += part.failed
        requests[row] += part.requests
        whole = {measure: quantise(value) for measure, value in part.means.items()}
        for number, (measure, group) in enumerate(cells):
            if measure in whole and belongs(part.topic, group):
                sums[row, number] += whole[measure]
                counts[row, number] += 1
    latencies, columns = np.array(sorted(times), dtype=np.int64).T
    return FamilyTotals(cells, sums, counts, latencies, columns, failed, requests)


def _cells(parts: Sequence[Part]) -> tuple[Cell, ...]:
    """The cells that have a query, in a fixed order."""
    filled: set[Cell] = set()
    for part in parts:
        for group in GROUPS:
            if belongs(part.topic, group):
                filled |= {(measure, group) for measure in part.means}
    return tuple((measure, group) for group in GROUPS for measure in REPORTED[group] if (measure, group) in filled)


def draw(totals: FamilyTotals, weights: Weights) -> Sample:
    """The figures of `totals` under `weights`, of which no row leaves a cell without queries."""
    # Many cells are of the same queries.
    queries, of_cell = np.unique(totals.counts, axis=1, return_inverse=True)
    columns = np.column_stack([totals.sums, queries, totals.failed, totals.requests])
    sums, counted = np.split(exact_product(weights, columns), [totals.sums.shape[1]], axis=1)
    (p95,) = weighted_percentiles(totals.latencies, weights, totals.latency_columns, (950,))
    return Sample(
        means={
            cell: sums[:, column] / (counted[:, of_cell[column]] * float(UNIT))
            for column, cell in enumerate(totals.cells)
        },
        p95_ns=p95,
        failed=counted[:, -2],
        requests=counted[:, -1],
    )
