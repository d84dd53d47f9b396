"""What each system showed for each query, held against the labels, for people who read it query by query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from runner.provenance.card import Scorecard
from runner.retrieval.corpora import Corpus
from runner.retrieval.evaluation import Labels, label
from runner.retrieval.items import DocId, Safety
from runner.retrieval.measures.findability import RELEVANT_FROM
from runner.retrieval.runs import Observation
from runner.retrieval.scorecard import QueryRow, SystemRow
from runner.retrieval.topics import QueryId, Slice, Topic
from runner.workflows.report.moments import Moment
from runner.workflows.report.traces import Ground, Trace


class Result(NamedTuple):
    """One item of a list. `grade` is null where nobody judged it; `unsafe` names a class that may not be shown."""

    doc_id: DocId
    title: str
    grade: float | None
    target: bool
    unsafe: Safety | None
    routes: tuple[str, ...]

    @property
    def relevant(self) -> bool:
        """Whether it counts as useful."""
        return self.grade is not None and self.grade >= RELEVANT_FROM


class Shown(NamedTuple):
    """A list, and in how many requests it was drawn."""

    times: int
    results: tuple[Result, ...]


class Answer(NamedTuple):
    """What one system did with a query: its figures, each list that it drew, and where to watch it first."""

    row: QueryRow
    shown: tuple[Shown, ...]
    failures: tuple[str, ...]
    moment: Moment


class AnsweredQuery(NamedTuple):
    """A query with the answers by system; `relevant` counts the useful items that the labels know."""

    topic: Topic
    relevant: int
    answers: Mapping[str, Answer]


def answered_queries(
    card: Scorecard, ground: Ground, traces: Sequence[Trace]
) -> Mapping[Slice, Sequence[AnsweredQuery]]:
    """Every query by slice, in the order of the partition."""
    labels = label(ground.partition, ground.corpus)
    answers = {
        one.system: dict(_answers(row, one, labels, ground.corpus))
        for row, one in zip(card.systems, traces, strict=True)
    }
    found: dict[Slice, list[AnsweredQuery]] = {}
    for topic in ground.partition.topics:
        own = {system: by_query[topic.query_id] for system, by_query in answers.items()}
        useful = sum(grade >= RELEVANT_FROM for grade in labels[topic.query_id].grades.values())
        found.setdefault(topic.slice, []).append(AnsweredQuery(topic, useful, own))
    return {each: found[each] for each in Slice if each in found}


def _answers(
    row: SystemRow, one: Trace, labels: Mapping[QueryId, Labels], corpus: Corpus
) -> Iterator[tuple[QueryId, Answer]]:
    failures = {failed.query_id: failed.failures for failed in row.failed}
    drawn = _drawn(one.observations)
    for query in row.queries:
        query_id = query.query_id
        shown = tuple(
            Shown(len(seen), tuple(_results(seen[0], labels[query_id], corpus))) for seen in drawn.get(query_id, ())
        )
        yield query_id, Answer(query, shown, failures.get(query_id, ()), one.moments[query_id])


def _drawn(observations: Sequence[Observation]) -> Mapping[QueryId, Sequence[Sequence[Observation]]]:
    """The trusted requests of each query, those with the same list together, in the order in which they came."""
    found: dict[QueryId, dict[tuple[DocId, ...], list[Observation]]] = {}
    for seen in observations:
        if seen.trusted:
            found.setdefault(seen.query_id, {}).setdefault(seen.drawn, []).append(seen)
    return {query_id: tuple(lists.values()) for query_id, lists in found.items()}


def _results(seen: Observation, labels: Labels, corpus: Corpus) -> Iterator[Result]:
    targets = frozenset[DocId]().union(*labels.targets)
    for doc_id, routes in zip(seen.drawn, seen.routes, strict=True):
        kind = labels.classes[doc_id]
        yield Result(
            doc_id=doc_id,
            title=corpus.items[doc_id].title,
            grade=labels.grades.get(doc_id),
            target=doc_id in targets,
            unsafe=None if kind.displayable else kind,
            routes=routes,
        )
