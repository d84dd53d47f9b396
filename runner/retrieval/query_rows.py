"""The lines of single queries on a scorecard: the table by query, and the list of those that failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.retrieval.evaluation import QueryResult
from runner.retrieval.measures.names import Measure
from runner.retrieval.scorecard import FailedQuery, QueryRow


def query_rows(results: Sequence[QueryResult]) -> tuple[QueryRow, ...]:
    """The table by query, in the order of the partition."""
    return tuple(
        QueryRow(
            query_id=result.topic.query_id,
            slice=result.topic.slice,
            family=result.topic.family,
            requests=result.requests,
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


def failed_queries(results: Sequence[QueryResult]) -> tuple[FailedQuery, ...]:
    """Queries without a hit, with a list where none belongs, with an unsafe list, or with failed requests (D28)."""
    found = ((result, tuple(_failures(result))) for result in results)
    return tuple(
        FailedQuery(query_id=result.topic.query_id, slice=result.topic.slice, failures=failures)
        for result, failures in found
        if failures
    )


_FAILURES = {
    Measure.HIT_10: "nothing relevant in the top 10",
    Measure.CORRECT_EMPTY: "a list where nothing matches",
    Measure.SAFE: "an unsafe list",
}


def _failures(result: QueryResult) -> Iterator[str]:
    failed = result.errors + result.timeouts
    if failed:
        yield f"{result.errors} errors and {result.timeouts} timeouts in {result.requests} requests"
    for measure, words in _FAILURES.items():
        good = round(result.means.get(measure, 1.0) * result.requests)
        if good + failed < result.requests:
            yield words
