"""How much of what systems show is judged, and how far the rest could still move the figures and the gates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from runner.documents import Document
from runner.retrieval.bounds import BEST, WORST, OpenQuery, Range, mean
from runner.retrieval.estimates import Rounded
from runner.retrieval.gates import MEASURED, Verdict
from runner.retrieval.groups import Group, Subset, belongs
from runner.retrieval.items import DocId
from runner.retrieval.lists import Lists, Seen
from runner.retrieval.pooling import PoolPair
from runner.retrieval.qrels import Pair, Qrels
from runner.retrieval.settling import Figure, Goal, mean_of, shortest_to_fail, shortest_to_pass
from runner.retrieval.topics import ANSWERABLE, QueryId, Slice, Topic

_NOTHING = Seen({}, 0)


class JudgedShare(Document):
    """judged@10 of one group: how many of the results shown have a final grade; over all requests."""

    group: str
    judged: int
    shown: int


class NdcgBounds(Document):
    """nDCG@10 of a slice, or Q: with every unjudged item at 0 and at 3 in gain and ideal both, and how far any grades
    could take it; the grades at the ends need not be all 0 or all 3."""

    group: str
    at_0: Rounded
    at_3: Rounded
    lowest: Rounded
    highest: Rounded


class GateBounds(Document):
    """How far unjudged items could move a gate. `verdict` is null while both ends are open.

    `to_pass` and `to_fail` settle it if those pairs turn out well, or badly; null if nothing could. Found greedily.
    """

    gate: str
    threshold: float
    lowest: Rounded
    highest: Rounded
    verdict: Verdict | None
    to_pass: tuple[PoolPair, ...] | None
    to_fail: tuple[PoolPair, ...] | None


class SystemCoverage(Document):
    """One system."""

    system: str
    judged: tuple[JudgedShare, ...]
    ndcg: tuple[NdcgBounds, ...]
    gates: tuple[GateBounds, ...]


class CoverageReport(Document):
    """What `judge coverage --json` prints. `to_judge`: for each open gate its shorter list, all in one."""

    systems: tuple[SystemCoverage, ...]
    unjudged: int
    to_judge: tuple[PoolPair, ...]


class Collection(NamedTuple):
    """Queries, final grades, and which items may be shown."""

    topics: Sequence[Topic]
    qrels: Qrels
    serving: frozenset[DocId]


def cover(systems: Mapping[str, Lists], collection: Collection) -> CoverageReport:
    """The report on `systems`. An item that any of them showed ungraded counts in the ideal of all."""
    unjudged = unjudged_items(systems, collection)
    rows = tuple(_row(name, lists, collection, unjudged) for name, lists in systems.items())
    wanted = {pair for row in rows for gate in row.gates if gate.verdict is None for pair in _shorter(gate)}
    return CoverageReport(
        systems=rows,
        unjudged=sum(map(len, unjudged.values())),
        to_judge=tuple(sorted(wanted, key=lambda pair: (pair.query_id, pair.doc_id))),
    )


def unjudged_items(systems: Mapping[str, Lists], collection: Collection) -> Mapping[QueryId, frozenset[DocId]]:
    """By query, what was shown and has no final grade; not serving items too."""
    return {
        topic.query_id: frozenset(
            doc_id
            for lists in systems.values()
            for shown in lists.get(topic.query_id, _NOTHING).lists
            for doc_id in shown
            if doc_id not in collection.qrels.get(topic.query_id, {})
        )
        for topic in collection.topics
    }


def _row(
    name: str, lists: Lists, collection: Collection, unjudged: Mapping[QueryId, frozenset[DocId]]
) -> SystemCoverage:
    queries = {
        topic: _open(topic, lists, collection, unjudged) for topic in collection.topics if topic.slice.answerable
    }
    return SystemCoverage(
        system=name,
        judged=tuple(_judged(lists, collection)),
        ndcg=tuple(_bounds(queries)),
        gates=tuple(_gates(queries)),
    )


def _open(
    topic: Topic, lists: Lists, collection: Collection, unjudged: Mapping[QueryId, frozenset[DocId]]
) -> OpenQuery:
    found = collection.qrels.get(topic.query_id, {})
    grades = {doc_id: qrel.grade for doc_id, qrel in found.items() if doc_id in collection.serving}
    return OpenQuery(lists.get(topic.query_id, _NOTHING), grades, unjudged[topic.query_id] & collection.serving)


def _judged(lists: Lists, collection: Collection) -> Iterator[JudgedShare]:
    for group in (Subset.ALL, *Slice):
        shown = [
            (doc_id in collection.qrels.get(topic.query_id, {}), times)
            for topic in collection.topics
            if belongs(topic, group)
            for found, times in lists.get(topic.query_id, _NOTHING).lists.items()
            for doc_id in found
        ]
        yield JudgedShare(
            group=group.value,
            judged=sum(times for known, times in shown if known),
            shown=sum(times for _, times in shown),
        )


def _bounds(queries: Mapping[Topic, OpenQuery]) -> Iterator[NdcgBounds]:
    slices: list[tuple[float, float, Range]] = []
    for part in ANSWERABLE:
        own = [query for topic, query in queries.items() if topic.slice is part]
        if own:
            at_0, at_3 = (mean([query.with_all_at(grade) for query in own]) for grade in (WORST, BEST))
            bounds = Range(mean([q.lowest_ndcg() for q in own]), mean([q.highest_ndcg() for q in own]))
            slices.append((at_0, at_3, bounds))
            yield _ndcg_bounds(part.value, slices[-1:])
    yield _ndcg_bounds("Q", slices)


def _ndcg_bounds(group: str, parts: Sequence[tuple[float, float, Range]]) -> NdcgBounds:
    return NdcgBounds(
        group=group,
        at_0=mean([part[0] for part in parts]),
        at_3=mean([part[1] for part in parts]),
        lowest=mean([part[2].low for part in parts]),
        highest=mean([part[2].high for part in parts]),
    )


def _gates(queries: Mapping[Topic, OpenQuery]) -> Iterator[GateBounds]:
    """Of the gates of the page, those that rest on grades."""
    for gate in MEASURED:
        ends = _ENDS.get(gate.group)
        own = {topic.query_id: query for topic, query in queries.items() if belongs(topic, gate.group)}
        if ends is not None and own:
            yield _gate(gate.name, own, Goal(ends[0], ends[1], gate.threshold))


def _gate(name: str, queries: Mapping[QueryId, OpenQuery], goal: Goal) -> GateBounds:
    bounds = Range(mean_of(queries, goal.lowest), mean_of(queries, goal.highest))
    verdict = goal.verdict(bounds)
    return GateBounds(
        gate=name,
        threshold=goal.threshold,
        lowest=bounds.low,
        highest=bounds.high,
        verdict=verdict,
        to_pass=None if verdict else _pairs(shortest_to_pass(queries, goal)),
        to_fail=None if verdict else _pairs(shortest_to_fail(queries, goal)),
    )


#: Lowest and highest figure of a query, by the group that a gate rests on.
_ENDS: Mapping[Group, tuple[Figure, Figure]] = {
    **dict.fromkeys(ANSWERABLE, (OpenQuery.lowest_ndcg, OpenQuery.highest_ndcg)),
    **dict.fromkeys((Subset.ANSWERABLE, Subset.SAFETY_ANSWERABLE), (OpenQuery.lowest_hit, OpenQuery.highest_hit)),
}


def _pairs(pairs: Sequence[Pair] | None) -> tuple[PoolPair, ...] | None:
    return None if pairs is None else tuple(PoolPair(query_id=q, doc_id=d) for q, d in pairs)


def _shorter(gate: GateBounds) -> tuple[PoolPair, ...]:
    found = [pairs for pairs in (gate.to_pass, gate.to_fail) if pairs is not None]
    return min(found, key=len, default=())
