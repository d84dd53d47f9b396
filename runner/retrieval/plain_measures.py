"""The measures of plain files: one query of a run against its final grades, and the means over all queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any

from pydantic import ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from runner.documents import Document
from runner.retrieval.measures.figures import Figures, figures, over_requests
from runner.retrieval.measures.names import Measure
from runner.retrieval.measures.ndcg import CUT, ideal_dcg, shown_dcg
from runner.retrieval.plain_judgements import Grades, Requests, RunLine, Targets

# Plain files know no safety classes.
PLAIN = tuple(measure for measure in Measure if measure is not Measure.SAFE)


class Measured(Document):
    """The figures of one query, or their means; floats in full, null where a measure does not apply.

    A query whose ideal DCG is zero has nothing to find: only `CorrectEmpty`, and `ExactRR@10` if it has targets, apply.
    In a file the figures stand beside the other fields, by name.
    """

    model_config = ConfigDict(validate_by_name=True, serialize_by_alias=True)

    figures: dict[Measure, float | None]
    judged: float | None = Field(alias="judged@10")

    @model_serializer(mode="wrap")
    def _flat(self, fields: SerializerFunctionWrapHandler) -> dict[str, Any]:
        found = fields(self)
        return {**found.pop("figures"), **found}


class QueryMeasures(Measured):
    """One query: means over its requests."""

    dcg: float = Field(alias="DCG@10")
    ideal_dcg: float = Field(alias="IDCG@10")
    requests: int
    errors: int


class Summary(Measured):
    """Means over the queries to which a measure applies; `judged@10` is of all results shown."""

    queries: int
    requests: int
    errors: int
    never_requested: tuple[str, ...]
    not_judged: tuple[str, ...]


def query_measures(query_id: str, grades: Grades, requests: Requests, targets: Targets) -> QueryMeasures:
    """The measures of one judged query; one that the run lacks scores 0."""
    own, lines = grades[query_id], requests.get(query_id, [])
    lists, ideal = _lists(lines), ideal_dcg(own.values())
    groups = targets[query_id].groups if query_id in targets else None
    n = max(1, len(lines))

    def measured(shown: Sequence[str]) -> Figures:
        return figures(shown, own if ideal else None, groups)

    means = over_requests([measured(shown) for shown in lists], measured(()).keys(), n)
    return QueryMeasures(
        figures={measure: means.get(measure) for measure in PLAIN},
        judged=_judged(grades, {query_id: lines}),
        dcg=fsum(shown_dcg(shown, own) for shown in lists) / n,
        ideal_dcg=ideal,
        requests=len(lines),
        errors=len(lines) - len(lists),
    )


def summarise(per_query: Mapping[str, QueryMeasures], grades: Grades, requests: Requests) -> Summary:
    """The means over `per_query`, and the queries that only one of the two files has."""
    rows = per_query.values()
    return Summary(
        figures={measure: _mean(row.figures[measure] for row in rows) for measure in PLAIN},
        judged=_judged(grades, requests),
        queries=len(per_query),
        requests=sum(row.requests for row in rows),
        errors=sum(row.errors for row in rows),
        never_requested=tuple(query_id for query_id in per_query if query_id not in requests),
        not_judged=tuple(query_id for query_id in requests if query_id not in grades),
    )


def _lists(lines: Iterable[RunLine]) -> list[Sequence[str]]:
    """What the requests that did not fail showed in the first ten."""
    return [line.doc_ids[:CUT] for line in lines if line.doc_ids is not None]


def _judged(grades: Grades, requests: Requests) -> float | None:
    """The share of judged items among all results shown for judged queries."""
    known = [doc_id in grades[q] for q, lines in requests.items() if q in grades for s in _lists(lines) for doc_id in s]
    return sum(known) / len(known) if known else None


def _mean(values: Iterable[float | None]) -> float | None:
    applying = [value for value in values if value is not None]
    return fsum(applying) / len(applying) if applying else None
