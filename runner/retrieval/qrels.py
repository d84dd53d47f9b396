"""From the acts of annotators to the one final grade and class of each pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from runner.errors import BadInput
from runner.retrieval.items import DocId
from runner.retrieval.judgements import Judgement, Qrel, Role
from runner.retrieval.topics import QueryId

Pair = tuple[QueryId, DocId]
Qrels = Mapping[QueryId, Mapping[DocId, Qrel]]


def acts_by_pair(judgements: Iterable[Judgement]) -> Mapping[Pair, Sequence[Judgement]]:
    """All acts on each pair, in the order of the file."""
    pairs: dict[Pair, list[Judgement]] = {}
    for act in judgements:
        pairs.setdefault((act.query_id, act.doc_id), []).append(act)
    return pairs


def final_grade(acts: Sequence[Judgement]) -> Qrel:
    """The final grade of one pair: a single act, the mean of two, or the third annotator's.

    A third act decides where the two lie more than one grade apart or differ on safety; there it must exist.
    """
    by_role = {act.role: act for act in acts}
    pair = f"{acts[0].query_id} {acts[0].doc_id}"
    if len(by_role) != len(acts):
        raise BadInput(f"{pair}: two acts of one role.", advice="Keep one of them.")
    if Role.FIRST not in by_role:
        raise BadInput(f"{pair}: has no first act.", advice="Add it, or rename the role.")
    if len({act.annotator for act in acts}) != len(acts):
        raise BadInput(f"{pair}: one annotator gave two acts.", advice="Acts on a pair come from different annotators.")
    first, second, third = (by_role.get(role) for role in Role)
    if third is not None:
        return _qrel(third, float(third.grade), "third")
    if first is None or second is None:
        return _qrel(acts[0], float(acts[0].grade), "single")
    if abs(first.grade - second.grade) > 1 or first.safety is not second.safety:
        raise BadInput(f"{pair}: the two annotators differ and no third decided.", advice="Add a third act.")
    return _qrel(first, (first.grade + second.grade) / 2, "mean")


def derive_qrels(judgements: Iterable[Judgement]) -> Qrels:
    """Final grades by query and item."""
    qrels: dict[QueryId, dict[DocId, Qrel]] = {}
    for (query_id, doc_id), acts in acts_by_pair(judgements).items():
        qrels.setdefault(query_id, {})[doc_id] = final_grade(acts)
    return qrels


def _qrel(act: Judgement, grade: float, rule: str) -> Qrel:
    return Qrel(query_id=act.query_id, doc_id=act.doc_id, grade=grade, safety=act.safety, rule=rule)
