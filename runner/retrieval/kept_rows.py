"""Makes the row of a kept card again from its queries, or says why they cannot give one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from runner.counts import counted
from runner.retrieval.bootstrap import resample
from runner.retrieval.diagnostics import Counted, Diagnostics, share
from runner.retrieval.gates import FixedGates
from runner.retrieval.groups import REQUIRED, belongs
from runner.retrieval.latency import summarise
from runner.retrieval.measures.figures import figures
from runner.retrieval.measures.findability import RELEVANT_FROM
from runner.retrieval.measures.names import Measure
from runner.retrieval.measures.ndcg import CUT
from runner.retrieval.query_rows import failed_queries
from runner.retrieval.rows import RowMaker, ScoredSample, score_sample
from runner.retrieval.runs import Outcome
from runner.retrieval.sample import Part, Spread, families_of, sum_up
from runner.retrieval.scorecard import Performance, QueryRow, SystemRow
from runner.retrieval.time_intervals import time_intervals
from runner.retrieval.topics import Slice


class Remade(NamedTuple):
    """A row made again, and the samples that it was made from: the point and the resamples."""

    row: SystemRow
    samples: tuple[ScoredSample, ScoredSample]


def remake(row: SystemRow, fixed: FixedGates) -> Remade:
    """A row without faults as its queries and its gates without figure give it, to the last digit.

    What no query holds stays as it is said: the engine path, resources, stability, most of the diagnostics.
    """
    families = families_of(row.queries)
    parts = [
        Part(one, {Measure(name): value for name, value in one.figures.items()}, _failed(one), one.requests)
        for one in row.queries
    ]
    times = [(ns, families.column[one.query_id]) for one in row.queries for ns in one.latencies_ns]
    totals = sum_up(parts, times, families)
    resamples = resample(totals.members)
    point, wide = (score_sample(totals, weights, fixed) for weights in (families.once, resamples.weights))
    spread = Spread(families.column, resamples.weights)
    made = {
        **dict(row),
        **RowMaker(parts, point, wide, fixed).figures(resamples)._asdict(),
        "performance": _performance(row, spread),
        "diagnostics": _diagnostics(row, spread),
        "failed": failed_queries(row.queries),
    }
    return Remade(SystemRow(**made), (point, wide))


def _failed(query: QueryRow) -> int:
    return query.errors + query.timeouts


def _performance(row: SystemRow, spread: Spread) -> Performance:
    times = [(query.query_id, ns) for query in row.queries for ns in query.latencies_ns]
    ui = time_intervals(times, spread)
    counts = {name: sum(getattr(query, name) for query in row.queries) for name in ("errors", "timeouts")}
    summary = summarise((Outcome.ANSWERED, ns) for _, ns in times).model_copy(update=counts)
    made = {"ui": summary, "ui_p50_ns": ui.p50, "ui_p95_ns": ui.p95, "ui_p99_ns": ui.p99}
    return row.performance.model_copy(update=made)


def _diagnostics(row: SystemRow, spread: Spread) -> Diagnostics:
    judged = share([Counted(query.query_id, query.judged, query.shown) for query in row.queries], spread)
    return row.diagnostics.model_copy(update={"judged": judged})


def faults(row: SystemRow, queries: int) -> Iterator[str]:
    """Why no row can be made of a card's queries, if none can; the partition has so many `queries`."""
    yield from _groups(row.queries)
    if len({query.query_id for query in row.queries}) != queries or len(row.queries) != queries:
        yield f"it has {counted(len(row.queries), 'query', 'queries')}, the partition {queries}"
    for query in row.queries:
        yield from (f"query {query.query_id} {fault}" for fault in (*_requests(query), *_measures(query)))


def _groups(queries: Sequence[QueryRow]) -> Iterator[str]:
    lacking = [group.value for group in REQUIRED if not any(belongs(query, group) for query in queries)]
    if lacking:
        yield f"it has no query of {', '.join(lacking)}"


def _requests(query: QueryRow) -> Iterator[str]:
    answered = query.requests - _failed(query)
    if query.requests < 1:
        yield "was never asked"
    elif min(query.errors, query.timeouts, answered) < 0 or len(query.latencies_ns) != query.requests:
        yield f"has {counted(query.requests, 'request')}, but other numbers of times or failures"
    elif min(query.latencies_ns) < 0:
        yield f"has a time of {min(query.latencies_ns)} ns"
    elif not (0 <= query.lists <= answered and 0 <= query.judged <= query.shown <= CUT * answered):
        shown = f"{counted(query.shown, 'result')}, judged {query.judged}"
        yield f"has {counted(query.lists, 'list')}, {shown}, of {counted(answered, 'answer')}"


def _measures(query: QueryRow) -> Iterator[str]:
    wanted = _applying(query.slice)
    for name in sorted(wanted ^ query.figures.keys()):
        yield f"has no {name}" if name in wanted else f"has a figure {name}, which is none of its slice"
    for name, value in query.figures.items():
        if not 0 <= value <= 1:
            yield f"has {name} {value}, which is outside 0 to 1"


def _applying(slice_: Slice) -> frozenset[str]:
    """The measures of a query of that slice; where it is answerable, the partition holds something useful for it."""
    useful = {"any": RELEVANT_FROM} if slice_.answerable else None
    return frozenset({Measure.SAFE, *figures((), useful, [useful] if useful and slice_.exact else None)})
