"""Whether another labelling would rank the systems another way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from math import fsum

from runner.documents import Document
from runner.retrieval.acts import Act
from runner.retrieval.bootstrap import quantise
from runner.retrieval.estimates import Rounded
from runner.retrieval.items import DocId
from runner.retrieval.judgements import Role
from runner.retrieval.lists import Lists, Seen
from runner.retrieval.measures.ndcg import ideal_dcg, ndcg
from runner.retrieval.merging import Merged, waits_for_third
from runner.retrieval.qrels import final_grade
from runner.retrieval.topics import ANSWERABLE, QueryId, Topic

Grades = Mapping[QueryId, Mapping[DocId, float]]

_NOTHING = Seen({}, 0)


class SystemOrder(Document):
    """Q of each system, best first, under one labelling. `left_out`: queries for which it finds nothing relevant.

    `changed` names the pairs of systems that stand in another order than under the final grades.
    """

    labels: str
    quality: dict[str, Rounded]
    left_out: int
    changed: tuple[str, ...]


def orders(
    systems: Mapping[str, Lists], topics: Sequence[Topic], merged: Merged, serving: frozenset[DocId]
) -> tuple[SystemOrder, ...]:
    """The order under the final grades, and under those of the first and of the second annotator alone."""
    final = _grades(merged, serving, lambda acts: None if waits_for_third(acts) else final_grade(acts).grade)
    wanted = _quality(systems, topics, final)
    found = [_order("final", wanted, wanted, topics, final)]
    for role in (Role.FIRST, Role.SECOND):
        alone = _grades(merged, serving, lambda acts, role=role: _by(acts, role))  # type: ignore[misc]
        found.append(_order(f"{role} annotator alone", _quality(systems, topics, alone), wanted, topics, alone))
    return tuple(found)


def macro_ndcg(lists: Lists, topics: Sequence[Topic], grades: Grades) -> float:
    """Q: the mean over slices of mean nDCG@10; queries without anything to find are left out."""
    parts = []
    for part in ANSWERABLE:
        own = [_ndcg(lists, topic, grades) for topic in topics if topic.slice is part and _answerable(topic, grades)]
        if own:
            parts.append(fsum(own) / len(own))
    return fsum(parts) / len(parts) if parts else 0.0


def _quality(systems: Mapping[str, Lists], topics: Sequence[Topic], grades: Grades) -> Mapping[str, float]:
    return {name: macro_ndcg(lists, topics, grades) for name, lists in systems.items()}


def _order(
    labels: str, quality: Mapping[str, float], wanted: Mapping[str, float], topics: Sequence[Topic], grades: Grades
) -> SystemOrder:
    return SystemOrder(
        labels=labels,
        quality=dict(sorted(quality.items(), key=lambda one: -one[1])),
        left_out=sum(topic.slice.answerable and not _answerable(topic, grades) for topic in topics),
        changed=tuple(
            f"{one} and {other}"
            for one, other in combinations(wanted, 2)
            if _sign(wanted[one], wanted[other]) != _sign(quality[one], quality[other])
        ),
    )


def _sign(one: float, other: float) -> int:
    """Which is greater, to the resolution that figures are known with."""
    a, b = quantise(one), quantise(other)
    return (a > b) - (a < b)


def _grades(merged: Merged, serving: frozenset[DocId], grade: Callable[[Sequence[Act]], float | None]) -> Grades:
    found: dict[QueryId, dict[DocId, float]] = {}
    for (query_id, doc_id), acts in merged.pairs.items():
        value = grade(acts) if doc_id in serving else None
        if value is not None:
            found.setdefault(query_id, {})[doc_id] = value
    return found


def _by(acts: Iterable[Act], role: Role) -> float | None:
    return next((float(act.grade) for act in acts if act.role is role), None)


def _answerable(topic: Topic, grades: Grades) -> bool:
    return ideal_dcg(grades.get(topic.query_id, {}).values()) > 0


def _ndcg(lists: Lists, topic: Topic, grades: Grades) -> float:
    seen, own = lists.get(topic.query_id, _NOTHING), grades[topic.query_id]
    return fsum(times * ndcg(shown, own) for shown, times in seen.lists.items()) / max(1, seen.requests)
