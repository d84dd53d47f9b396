"""The measures of plain files: a run against final grades, query by query, and the means over all queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum, isnan
from typing import Any, NamedTuple

import numpy as np
from pydantic import ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from runner.documents import Document
from runner.retrieval.latency import Integers
from runner.retrieval.measures.batch import Judged, Lists, judged, lists
from runner.retrieval.measures.coverage import Values
from runner.retrieval.measures.findability import exact_reciprocal_rank
from runner.retrieval.measures.names import Measure
from runner.retrieval.plain_judgements import Grades, Requests, Targets

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


class Table(NamedTuple):
    """All figures of a run: an entry for each judged query in every array, NaN where a measure does not apply.

    Means are over requests, of which a failed one counts 0 (D11), and so does a query that was never requested.
    `shown` and `judged` count results of all requests; `not_judged` are queries of the run without judgements.
    """

    queries: tuple[str, ...]
    figures: Mapping[Measure, Values]
    dcg: Values
    ideal_dcg: Values
    shown: Integers
    judged: Integers
    requests: Integers
    errors: Integers
    not_judged: tuple[str, ...]

    def per_query(self) -> dict[str, QueryMeasures]:
        """The lines of single queries."""
        columns = {measure: _nullable(values) for measure, values in self.figures.items()}
        shares = _nullable(np.divide(self.judged, self.shown, out=_nan(len(self.shown)), where=self.shown > 0))
        return {
            query_id: QueryMeasures(
                figures={measure: column[q] for measure, column in columns.items()},
                judged=shares[q],
                dcg=float(self.dcg[q]),
                ideal_dcg=float(self.ideal_dcg[q]),
                requests=int(self.requests[q]),
                errors=int(self.errors[q]),
            )
            for q, query_id in enumerate(self.queries)
        }

    def summary(self) -> Summary:
        """The means over queries."""
        shown, never = int(self.shown.sum()), np.flatnonzero(self.requests == 0)
        return Summary(
            figures={measure: _mean(values) for measure, values in self.figures.items()},
            judged=int(self.judged.sum()) / shown if shown else None,
            queries=len(self.queries),
            requests=int(self.requests.sum()),
            errors=int(self.errors.sum()),
            never_requested=tuple(self.queries[q] for q in never),
            not_judged=self.not_judged,
        )


class _Asked(NamedTuple):
    """The lists of a run, in the order of the judged queries, and which of them belong to each query."""

    shown: Sequence[Sequence[str]]
    per_query: Integers
    requests: Integers

    @property
    def query(self) -> Integers:
        """The query of each list."""
        return np.repeat(np.arange(len(self.per_query)), self.per_query)

    def total(self, values: Integers) -> Integers:
        """Sums by query."""
        return np.bincount(self.query, weights=values, minlength=len(self.per_query)).astype(np.int64)

    def mean(self, values: Values) -> Values:
        """Means over the requests of each query, those of several correctly rounded."""
        ends = np.cumsum(self.per_query)
        n = np.maximum(1, self.requests)
        found = np.zeros(len(n))
        found[self.per_query == 1] = values[ends[self.per_query == 1] - 1]
        for q in np.flatnonzero(self.per_query > 1):
            found[q] = fsum(values[ends[q] - self.per_query[q] : ends[q]].tolist())
        return found / n


def measure_all(grades: Grades, requests: Requests, targets: Targets) -> Table:
    """The measures of a run, in memory; a judged query that it lacks scores 0, one without judgements is listed."""
    queries, own = tuple(grades), list(grades.values())
    asked = _asked(queries, requests)
    known = judged(own)
    seen = lists(asked.shown, (own[q] for q in asked.query.tolist()))
    ideal = known.ideal_dcg()
    return Table(
        queries=queries,
        figures={**_figures(asked, seen, known, ideal), Measure.EXACT_RR: _exact(queries, requests, targets)},
        dcg=asked.mean(seen.dcg()),
        ideal_dcg=ideal,
        shown=asked.total(seen.shown),
        judged=asked.total(seen.judged),
        requests=asked.requests,
        errors=asked.requests - asked.per_query,
        not_judged=tuple(query_id for query_id in requests if query_id not in grades),
    )


def _asked(queries: Sequence[str], requests: Requests) -> _Asked:
    lines = [requests.get(query_id, ()) for query_id in queries]
    found = [[shown for shown in each if shown is not None] for each in lines]
    return _Asked(
        shown=[shown for each in found for shown in each],
        per_query=np.array([len(each) for each in found], dtype=np.int64),
        requests=np.array([len(each) for each in lines], dtype=np.int64),
    )


def _figures(asked: _Asked, seen: Lists, known: Judged, ideal: Values) -> dict[Measure, Values]:
    """All measures but exactness."""
    query, wanted = asked.query, known.relevant
    findable = ideal > 0
    hit = seen.relevant.any(axis=1)
    rank = seen.relevant.argmax(axis=1) + 1
    found = seen.relevant.sum(axis=1)
    of_lists = {
        Measure.NDCG: seen.dcg() / np.where(findable, ideal, 1.0)[query],
        Measure.HIT_1: hit & (rank <= 1),
        Measure.HIT_5: hit & (rank <= 5),
        Measure.HIT_10: hit,
        Measure.RECALL: found / np.maximum(1, wanted)[query],
        Measure.RR: np.where(hit, 1 / rank, 0.0),
        Measure.CORRECT_EMPTY: seen.shown == 0,
    }
    applies = {Measure.RECALL: findable & (wanted > 0), Measure.CORRECT_EMPTY: ~findable}
    return {
        measure: np.where(applies.get(measure, findable), asked.mean(values.astype(np.float64)), np.nan)
        for measure, values in of_lists.items()
    }


def _exact(queries: Sequence[str], requests: Requests, targets: Targets) -> Values:
    found = _nan(len(queries))
    for q, query_id in enumerate(queries if targets else ()):
        if query_id in targets:
            lines, groups = requests.get(query_id, ()), targets[query_id].groups
            ranks = [exact_reciprocal_rank(shown, groups) for shown in lines if shown is not None]
            found[q] = fsum(ranks) / max(1, len(lines))
    return found


def _nan(count: int) -> Values:
    return np.full(count, np.nan)


def _nullable(values: Values) -> list[float | None]:
    return [None if isnan(value) else value for value in values.tolist()]


def _mean(values: Values) -> float | None:
    applying = values[~np.isnan(values)].tolist()
    return fsum(applying) / len(applying) if applying else None
