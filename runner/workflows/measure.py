"""Measures any run against any judgements; nothing but the two files is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum

from pydantic import ConfigDict, Field

from runner.documents import Document, Source
from runner.retrieval.measures.coverage import correct_empty
from runner.retrieval.measures.findability import exact_reciprocal_rank, hit, recall, reciprocal_rank, relevant
from runner.retrieval.measures.ndcg import CUT, ideal_dcg, ndcg, shown_dcg
from runner.retrieval.plain_judgements import (
    Grades,
    Requests,
    RunLine,
    Targets,
    parse_grades,
    parse_requests,
    parse_targets,
)


class _Named(Document):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_by_name=True, serialize_by_alias=True)


class Measured(_Named):
    """The figures of one query, or their means; floats in full, null where a measure does not apply.

    A query whose ideal DCG is zero has nothing to find: only `CorrectEmpty` applies to it.
    """

    ndcg: float | None = Field(alias="nDCG@10")
    exact_rr: float | None = Field(alias="ExactRR@10")
    hit_1: float | None = Field(alias="Hit@1")
    hit_5: float | None = Field(alias="Hit@5")
    hit_10: float | None = Field(alias="Hit@10")
    recall: float | None = Field(alias="Recall@10")
    rr: float | None = Field(alias="RR@10")
    correct_empty: float | None = Field(alias="CorrectEmpty")
    judged: float | None = Field(alias="judged@10")


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


class MeasureReport(_Named):
    """What `measure --json` prints. `not_judged` in the summary lists queries of the run without judgements."""

    per_query: dict[str, QueryMeasures]
    summary: Summary


def measure(judgements: Source, run: Source, targets: Source | None = None) -> MeasureReport:
    """The measures of `run`; a judged query that it lacks scores 0, a query without judgements is only listed."""
    grades, requests = parse_grades(judgements), parse_requests(run)
    groups = parse_targets(targets) if targets else {}
    per_query = {query_id: _query(query_id, grades, requests, groups) for query_id in grades}
    return MeasureReport(per_query=per_query, summary=_summary(per_query, grades, requests))


def _query(query_id: str, grades: Grades, requests: Requests, targets: Targets) -> QueryMeasures:
    own, lines = grades[query_id], requests.get(query_id, [])
    ideal = ideal_dcg(own.values())
    mean = _Means(lines)
    shown = [doc_id for each in mean.lists for doc_id in each]
    return QueryMeasures(
        **(_findings(own, mean) if ideal else _absence(mean)),
        exact_rr=_exact(query_id, targets, mean),
        judged=sum(doc_id in own for doc_id in shown) / len(shown) if shown else None,
        dcg=mean.of(lambda each: shown_dcg(each, own)),
        ideal_dcg=ideal,
        requests=len(lines),
        errors=len(lines) - len(mean.lists),
    )


class _Means:
    """Means over the requests of one query, in which a failed request, or none at all, counts 0 (D11)."""

    def __init__(self, lines: Sequence[RunLine]) -> None:
        self._n = max(1, len(lines))
        self.lists = [line.doc_ids[:CUT] for line in lines if line.doc_ids is not None]

    def of(self, figure: Callable[[Sequence[str]], float]) -> float:
        """The mean of `figure` over the lists."""
        return fsum(figure(each) for each in self.lists) / self._n


def _findings(grades: Mapping[str, float], mean: _Means) -> Mapping[str, float | None]:
    wanted = relevant(grades)
    return {
        "ndcg": mean.of(lambda each: ndcg(each, grades)),
        "hit_1": mean.of(lambda each: hit(each, wanted, 1)),
        "hit_5": mean.of(lambda each: hit(each, wanted, 5)),
        "hit_10": mean.of(lambda each: hit(each, wanted, CUT)),
        "recall": mean.of(lambda each: recall(each, wanted)) if wanted else None,
        "rr": mean.of(lambda each: reciprocal_rank(each, wanted)),
        "correct_empty": None,
    }


def _absence(mean: _Means) -> Mapping[str, float | None]:
    nothing: Mapping[str, float | None] = dict.fromkeys(("ndcg", "hit_1", "hit_5", "hit_10", "recall", "rr"))
    return {**nothing, "correct_empty": mean.of(correct_empty)}


def _exact(query_id: str, targets: Targets, mean: _Means) -> float | None:
    if query_id not in targets:
        return None
    groups = targets[query_id].groups
    return mean.of(lambda each: exact_reciprocal_rank(each, groups))


def _summary(per_query: Mapping[str, QueryMeasures], grades: Grades, requests: Requests) -> Summary:
    rows = per_query.values()
    return Summary(
        ndcg=_mean(row.ndcg for row in rows),
        exact_rr=_mean(row.exact_rr for row in rows),
        hit_1=_mean(row.hit_1 for row in rows),
        hit_5=_mean(row.hit_5 for row in rows),
        hit_10=_mean(row.hit_10 for row in rows),
        recall=_mean(row.recall for row in rows),
        rr=_mean(row.rr for row in rows),
        correct_empty=_mean(row.correct_empty for row in rows),
        judged=_judged(grades, requests),
        queries=len(per_query),
        requests=sum(row.requests for row in rows),
        errors=sum(row.errors for row in rows),
        never_requested=tuple(query_id for query_id in per_query if query_id not in requests),
        not_judged=tuple(query_id for query_id in requests if query_id not in grades),
    )


def _judged(grades: Grades, requests: Requests) -> float | None:
    known = [
        doc_id in own
        for query_id, own in grades.items()
        for line in requests.get(query_id, [])
        for doc_id in (line.doc_ids or ())[:CUT]
    ]
    return sum(known) / len(known) if known else None


def _mean(values: Iterable[float | None]) -> float | None:
    applying = [value for value in values if value is not None]
    return fsum(applying) / len(applying) if applying else None
