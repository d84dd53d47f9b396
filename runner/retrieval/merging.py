"""Brings the acts of several annotators together, and finds the pairs on which a third must decide (D3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from runner.counts import counted
from runner.documents import Document, Source
from runner.errors import BadInput
from runner.retrieval.acts import Act
from runner.retrieval.judgements import ExactTargets, Qrel, Role
from runner.retrieval.lists import Known
from runner.retrieval.measures.findability import RELEVANT_FROM
from runner.retrieval.pooling import PoolPair
from runner.retrieval.qrels import Pair, final_grade, need_third
from runner.retrieval.topics import QueryId, Topic


class Merged(NamedTuple):
    """All acts by pair, in the order they were given, and those that were not in the set before."""

    pairs: Mapping[Pair, Sequence[Act]]
    added: Sequence[Act]

    @property
    def disputed(self) -> tuple[PoolPair, ...]:
        """Pairs that wait for a third annotator, sorted by their ids."""
        found = sorted(pair for pair, acts in self.pairs.items() if waits_for_third(acts))
        return tuple(PoolPair(query_id=query_id, doc_id=doc_id) for query_id, doc_id in found)

    def qrels(self) -> Iterator[Qrel]:
        """The final grade of each pair that does not wait, sorted by its ids."""
        for pair in sorted(self.pairs):
            acts = self.pairs[pair]
            if not waits_for_third(acts):
                yield final_grade(acts)


def qrel_line(qrel: Qrel) -> bytes:
    """The same bytes as `Qrel.canonical`, sooner; nothing in a line of qrels.jsonl needs an escape."""
    return (
        f'{{"doc_id":"{qrel.doc_id}","grade":{qrel.grade},"query_id":"{qrel.query_id}",'
        f'"rule":"{qrel.rule}","safety":"{qrel.safety}"}}'
    ).encode()


class MergeReport(Document):
    """What a merge came to (`merge.json`): acts and pairs, how the final grades came about, and what to look at."""

    acts_before: int
    acts_added: int
    pairs: int
    rules: dict[str, int]
    disputed: int
    annotators: dict[str, int]
    notes: tuple[str, ...]


def merge(before: Iterable[Act], added: Iterable[Act], known: Known) -> Merged:
    """The acts of a set and those to be added; BadInput at the file and line of the first that cannot stand.

    On each pair the first and the second act come from two annotators, the third from another one, and only where the
    two need one.
    """
    pairs: dict[Pair, list[Act]] = {}
    new: list[Act] = []
    for act in before:
        _enter(pairs, act, known)
    for act in added:
        _enter(pairs, act, known)
        new.append(act)
    for acts in pairs.values():
        _refuse_wrong_roles(acts)
    return Merged(pairs, new)


def waits_for_third(acts: Sequence[Act]) -> bool:
    """Whether two annotators differ and no third has decided."""
    return len(acts) == 2 and need_third(*acts)


def report(merged: Merged, notes: Sequence[str]) -> MergeReport:
    """The report on a merge."""
    everyone = Counter(act.annotator for acts in merged.pairs.values() for act in acts)
    waiting = len(merged.disputed)
    sizes = Counter(map(len, merged.pairs.values()))
    total = sum(everyone.values())
    return MergeReport(
        acts_before=total - len(merged.added),
        acts_added=len(merged.added),
        pairs=len(merged.pairs),
        rules={"single": sizes[1], "mean": sizes[2] - waiting, "third": sizes[3]},
        disputed=waiting,
        annotators=dict(sorted(everyone.items())),
        notes=tuple(notes),
    )


def check_targets(source: Source, topics: Mapping[QueryId, Topic], merged: Merged, known: Known) -> Iterator[str]:
    """Refuses targets that cannot stand; yields what their adjudicator and the annotators see differently."""
    seen: set[QueryId] = set()
    annotators = {act.annotator for acts in merged.pairs.values() for act in acts}
    together = 0
    for line, row in enumerate(ExactTargets.parse_lines(source.data, source.where), 1):
        place = f"{source.where}:{line}"
        doc_ids = [doc_id for group in row.groups for doc_id in group]
        known.refuse_stranger(place, row.query_id, doc_ids)
        if row.query_id in seen:
            raise BadInput(f"{place}: {row.query_id} stands twice.", advice="Keep one of the lines.")
        if not topics[row.query_id].slice.exact:
            raise BadInput(f"{place}: {row.query_id} is no entity or quote query.", advice="Remove the line.")
        if not all(row.groups) or not row.groups or len(set(doc_ids)) < len(doc_ids):
            raise BadInput(f"{place}: {row.query_id} has an empty group, or an item twice.", advice="Mend its groups.")
        seen.add(row.query_id)
        together += row.adjudicated_by in annotators
        for doc_id in doc_ids:
            yield from _doubts(place, merged.pairs.get((row.query_id, doc_id), ()))
    if together:
        were = counted(together, "query was", "queries were")
        yield f"{source.where}: {were} not adjudicated apart, but by someone who graded pairs too"
    missing = [query_id for query_id, topic in topics.items() if topic.slice.exact and query_id not in seen]
    if missing:
        such = counted(len(missing), "such query", "such queries")
        yield f"{source.where}: no exact target for {missing[0]} ({such})"


def _doubts(place: str, acts: Sequence[Act]) -> Iterator[str]:
    if acts and not waits_for_third(acts):
        final = final_grade(acts)
        if final.grade < RELEVANT_FROM:
            yield f"{place}: {final.query_id} {final.doc_id} is an exact target, yet graded {final.grade:g}"


def _enter(pairs: dict[Pair, list[Act]], act: Act, known: Known) -> None:
    if act.query_id not in known.queries or act.doc_id not in known.items:
        known.refuse_stranger(act.place, act.query_id, (act.doc_id,))
    acts = pairs.setdefault((act.query_id, act.doc_id), [])
    for other in acts:
        if other.role is act.role:
            what = f"{act.place}: {act.query_id} {act.doc_id} has a {act.role} act in {other.place} too."
            raise BadInput(what, advice="Keep one of them.")
        if other.annotator == act.annotator:
            what = f"{act.place}: {act.annotator} judged {act.query_id} {act.doc_id} as {other.role} in {other.place}."
            raise BadInput(what, advice="The acts on a pair come from different annotators.")
    acts.append(act)
    if len(acts) > 1:
        acts.sort(key=_by_role)


def _by_role(act: Act) -> str:
    return act.role  # "first" < "second" < "third"


def _refuse_wrong_roles(acts: Sequence[Act]) -> None:
    """`acts` are in the order of their roles, each role at most once."""
    last = acts[-1]
    what = f"{last.place}: {last.query_id} {last.doc_id} has a {last.role} act"
    if acts[0].role is not Role.FIRST:
        raise BadInput(f"{what}, but no first.", advice="Merge the first act with it, or rename the role.")
    if last.role is Role.THIRD and len(acts) < 3:
        raise BadInput(f"{what}, but no second.", advice="Merge the second act with it, or rename the role.")
    if last.role is Role.THIRD and not need_third(acts[0], acts[1]):
        raise BadInput(f"{what}, but the first two are near.", advice="Remove it: their mean is final.")
