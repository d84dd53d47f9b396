"""Measures any run against any judgements; nothing but the two files is needed."""

from __future__ import annotations

from collections.abc import Callable

from runner.documents import Document, Source
from runner.retrieval.exchange.content import read_grades, read_requests
from runner.retrieval.plain_judgements import parse_targets
from runner.retrieval.plain_measures import QueryMeasures, Summary, Table, measure_all


class MeasureReport(Document):
    """What `measure --json` prints. `not_judged` in the summary lists queries of the run without judgements."""

    per_query: dict[str, QueryMeasures]
    summary: Summary


def measure(
    judgements: Source, run: Source, targets: Source | None = None, *, tell: Callable[[object], object] = str
) -> Table:
    """The measures of `run`; a judged query that it lacks scores 0, a query without judgements is only listed.

    Both files may be TREC's too, and the judgements BEIR's; what is odd in them goes to `tell`.
    """
    (grades, of_grades), (requests, of_run) = read_grades(judgements), read_requests(run)
    for remark in (*of_grades, *of_run):
        tell(remark)
    return measure_all(grades, requests, parse_targets(targets) if targets else {})


def report(table: Table) -> MeasureReport:
    """The table as `--json` prints it."""
    return MeasureReport(per_query=table.per_query(), summary=table.summary())
