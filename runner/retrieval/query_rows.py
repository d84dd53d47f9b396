"""The lines of single queries on a scorecard: the table by query, and the list of those that failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.counts import counted
from runner.retrieval.evaluation import QueryResult
from runner.retrieval.measures.names import Measure
from runner.retrieval.runs import Observation
from runner.retrieval.scorecard import FailedQuery, QueryRow
from runner.retrieval.topics import QueryId


def query_rows(results: Sequence[QueryResult], observations: Sequence[Observation]) -> tuple[QueryRow, ...]:
    """The table by query, in the order of the partition."""
    times: dict[QueryId, list[int]] = {}
    for seen in observations:
        times.setdefault(seen.query_id, []).append(seen.latency_ns)
    return tuple(
        QueryRow(
            query_id=result.topic.query_id,
            slice=result.topic.slice,
            family=result.topic.family,
            safety_flag=result.topic.safety_flag,
            multi_cue_flag=result.topic.multi_cue_flag,
            requests=result.requests,
            latencies_ns=tuple(times[result.topic.query_id]),
            errors=result.errors,
            timeouts=result.timeouts,
            lists=result.lists,
            judged=result.judged,
            shown=result.shown,
            dcg=result.dcg if result.topic.slice.answerable else None,
            ideal_dcg=result.ideal if result.topic.slice.answerable else None,
            figures={measure.value: value for measure, value in result.means.items()},
        )
        for result in results
    )


def failed_queries(rows: Sequence[QueryRow]) -> tuple[FailedQuery, ...]:
    """Queries without a hit, with a list where none belongs, with an unsafe list, or with failed requests (D28)."""
    found = ((row, tuple(_failures(row))) for row in rows)
    return tuple(
        FailedQuery(query_id=row.query_id, slice=row.slice, failures=failures) for row, failures in found if failures
    )


_FAILURES = {
    Measure.HIT_10: "nothing relevant in the top 10",
    Measure.CORRECT_EMPTY: "a list where nothing matches",
    Measure.SAFE: "an unsafe list",
}


def _failures(row: QueryRow) -> Iterator[str]:
    failed = row.errors + row.timeouts
    if failed:
        kinds = [counted(n, name) for n, name in ((row.errors, "error"), (row.timeouts, "timeout")) if n]
        yield f"{' and '.join(kinds)} in {counted(row.requests, 'request')}"
    for measure, words in _FAILURES.items():
        bad = row.requests - failed - round(row.figures.get(measure, 0.0) * row.requests)
        if measure in row.figures and bad > 0:
            yield words if bad == row.requests else f"{words} in {bad} of {counted(row.requests, 'request')}"
