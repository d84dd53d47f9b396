"""From the acts of annotators to the one final grade and class of each pair (D3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from runner.errors import BadInput
from runner.retrieval.items import DocId, Safety
from runner.retrieval.judgements import Qrel, Role
from runner.retrieval.topics import QueryId

Pair = tuple[QueryId, DocId]
Qrels = Mapping[QueryId, Mapping[DocId, Qrel]]


class GradedPair(Protocol):
    """What the rule asks of an act: a `Judgement`, or the tuple it is kept as where there are millions."""

    @property
    def query_id(self) -> QueryId: ...

    @property
    def doc_id(self) -> DocId: ...

    @property
    def annotator(self) -> str: ...

    @property
    def role(self) -> Role: ...

    @property
    def grade(self) -> int: ...

    @property
    def safety(self) -> Safety: ...


A = TypeVar("A", bound=GradedPair)


def acts_by_pair(judgements: Iterable[A]) -> Mapping[Pair, Sequence[A]]:
    """All acts on each pair, in the order of the file."""
    pairs: dict[Pair, list[A]] = {}
    for act in judgements:
        pairs.setdefault((act.query_id, act.doc_id), []).append(act)
    return pairs


def final_grade(acts: Sequence[GradedPair]) -> Qrel:
    """The final grade of one pair: a single act, the mean of two that are near, or the third annotator's.

    A third act stands exactly where the first two need one; it is refused where they do not, or where one is missing.
    """
    first, second, third = _by_role(acts)
    if second is None:
        return _qrel(first, float(first.grade), "single")
    if need_third(first, second):
        if third is None:
            raise BadInput(
                f"{_pair(first)}: the two annotators differ and no third decided.", advice="Add a third act."
            )
        return _qrel(third, float(third.grade), "third")
    if third is not None:
        raise BadInput(
            f"{_pair(first)}: has a third act, but the two annotators are near and agree on safety.",
            advice="Remove it: their mean is final.",
        )
    return _qrel(first, (first.grade + second.grade) / 2, "mean")


def need_third(first: GradedPair, second: GradedPair) -> bool:
    """Whether two acts lie more than one grade apart or differ on safety, so that a third annotator decides."""
    return abs(first.grade - second.grade) > 1 or first.safety is not second.safety


def derive_qrels(judgements: Iterable[GradedPair]) -> Qrels:
    """Final grades by query and item."""
    qrels: dict[QueryId, dict[DocId, Qrel]] = {}
    for (query_id, doc_id), acts in acts_by_pair(judgements).items():
        qrels.setdefault(query_id, {})[doc_id] = final_grade(acts)
    return qrels


def _by_role(acts: Sequence[GradedPair]) -> tuple[GradedPair, GradedPair | None, GradedPair | None]:
    """First, second and third act on one pair, each by another annotator."""
    by_role = {act.role: act for act in acts}
    pair = _pair(acts[0])
    if len(by_role) != len(acts):
        raise BadInput(f"{pair}: two acts of one role.", advice="Keep one of them.")
    if Role.FIRST not in by_role:
        raise BadInput(f"{pair}: has no first act.", advice="Add it, or rename the role.")
    if Role.THIRD in by_role and Role.SECOND not in by_role:
        raise BadInput(f"{pair}: has a third act, but no second.", advice="Add the second, or rename the role.")
    if len({act.annotator for act in acts}) != len(acts):
        raise BadInput(f"{pair}: one annotator gave two acts.", advice="Acts on a pair come from different annotators.")
    return by_role[Role.FIRST], by_role.get(Role.SECOND), by_role.get(Role.THIRD)


def _pair(act: GradedPair) -> str:
    return f"{act.query_id} {act.doc_id}"


def _qrel(act: GradedPair, grade: float, rule: str) -> Qrel:
    return Qrel(query_id=act.query_id, doc_id=act.doc_id, grade=grade, safety=act.safety, rule=rule)
