"""From what a system showed to one figure for each query and measure (D3, D11, D20-D22)."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from runner.counts import counted
from runner.errors import BadInput, VoidRun
from runner.retrieval.corpora import Corpus
from runner.retrieval.items import DocId, Safety
from runner.retrieval.measures.coverage import safe_list
from runner.retrieval.measures.figures import Figures, figures, over_requests
from runner.retrieval.measures.names import Measure
from runner.retrieval.measures.ndcg import CUT, ideal_dcg, shown_dcg
from runner.retrieval.partitions import Partition
from runner.retrieval.runs import Observation, Outcome
from runner.retrieval.topics import QueryId, Topic


class Labels(NamedTuple):
    """What is known about one query: grades and targets of serving items, who was judged, and the class of any item."""

    grades: Mapping[DocId, float]
    judged: frozenset[DocId]
    targets: Sequence[frozenset[DocId]]
    classes: Mapping[DocId, Safety]


class QueryResult(NamedTuple):
    """What one system did with one query, over all its requests. `means` lacks the measures that do not apply."""

    topic: Topic
    requests: int
    errors: int
    timeouts: int
    means: Figures
    dcg: float
    ideal: float
    shown: int
    judged: int
    lists: int


def label(partition: Partition, corpus: Corpus) -> Mapping[QueryId, Labels]:
    """The labels of every query. A judged class of a pair goes before the audited class of the item (D6)."""
    audited = dict(corpus.safety)
    return {topic.query_id: _labels(topic.query_id, partition, corpus.serving, audited) for topic in partition.topics}


def _labels(query_id: QueryId, partition: Partition, serving: frozenset[DocId], audited: dict[DocId, Safety]) -> Labels:
    pairs = partition.qrels.get(query_id, {})
    groups = partition.targets[query_id].groups if query_id in partition.targets else ()
    judged = {doc_id: qrel.safety for doc_id, qrel in pairs.items()}
    return Labels(
        grades={doc_id: qrel.grade for doc_id, qrel in pairs.items() if doc_id in serving},
        judged=frozenset(pairs),
        targets=[frozenset(group) & serving for group in groups],
        classes=ChainMap(judged, audited),
    )


def topic_figures(topic: Topic, labels: Labels, shown: Sequence[DocId]) -> Figures:
    """Every measure that applies to `topic`, for a list that the user saw."""
    grades = labels.grades if topic.slice.answerable else None
    targets = labels.targets if topic.slice.exact else None
    return {Measure.SAFE: safe_list(shown, labels.classes), **figures(shown, grades, targets)}


def evaluate(
    observations: Iterable[Observation], partition: Partition, labels: Mapping[QueryId, Labels]
) -> tuple[QueryResult, ...]:
    """The results of one system in the order of the partition; VoidRun if a query was never requested."""
    requests: dict[QueryId, list[Observation]] = {topic.query_id: [] for topic in partition.topics}
    for seen in observations:
        _refuse_contradiction(seen, labels)
        requests[seen.query_id].append(seen)
    never = [query_id for query_id, seen in requests.items() if not seen]
    if never:
        raise VoidRun(
            f"query {never[0]} was never requested ({counted(len(never), 'such query', 'such queries')}).",
            advice="Run again.",
        )
    return tuple(_query_result(topic, labels[topic.query_id], requests[topic.query_id]) for topic in partition.topics)


def _query_result(topic: Topic, labels: Labels, requests: Sequence[Observation]) -> QueryResult:
    lists = [seen.drawn for seen in requests if seen.trusted]
    known = {shown: topic_figures(topic, labels, shown) for shown in set(lists)}
    n = len(requests)
    return QueryResult(
        topic=topic,
        requests=n,
        errors=sum(seen.outcome is Outcome.ERROR for seen in requests),
        timeouts=sum(seen.outcome is Outcome.TIMEOUT for seen in requests),
        means=over_requests([known[shown] for shown in lists], topic_figures(topic, labels, ()).keys(), n),
        dcg=fsum(shown_dcg(shown, labels.grades) for shown in lists) / n,
        ideal=ideal_dcg(labels.grades.values()),
        shown=sum(len(shown) for shown in lists),
        judged=sum(doc_id in labels.judged for shown in lists for doc_id in shown),
        lists=len(known),
    )


def _refuse_contradiction(seen: Observation, labels: Mapping[QueryId, Labels]) -> None:
    """D11 makes an error of a long list, a repeated or an unknown id; an observation that does not is not trusted."""
    place = f"observation {seen.system} block {seen.block} position {seen.position}"
    if seen.query_id not in labels:
        raise BadInput(f"{place}: query {seen.query_id} is not in the partition.")
    if not seen.trusted:
        return
    if (seen.outcome is Outcome.EMPTY) != (not seen.drawn):
        raise BadInput(f"{place}: {seen.outcome} with {counted(len(seen.drawn), 'item')} drawn.")
    if len(seen.drawn) > CUT or len(set(seen.drawn)) < len(seen.drawn):
        raise BadInput(f"{place}: more than {CUT} items or a repeated one, yet no error.")
    strange = [doc_id for doc_id in seen.drawn if doc_id not in labels[seen.query_id].classes]
    if strange:
        raise BadInput(f"{place}: {strange[0]} is not in the corpus, yet no error.")
