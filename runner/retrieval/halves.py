"""What two partitions over one corpus must not share (D5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from runner.retrieval.findings import Check, Figures, Finding, Halves, Seen, UncheckedPartition, check
from runner.retrieval.partitions import QUERIES
from runner.retrieval.prompts import across, spelled_alike
from runner.retrieval.topics import Topic

Keys = Callable[[UncheckedPartition, Topic], Iterable[str]]


class GroupUse(NamedTuple):
    """The groups of a corpus that partitions use up (those of relevant items and targets), and those left."""

    used: frozenset[str]
    free: frozenset[str]

    @property
    def figures(self) -> Figures:
        """How many there are."""
        return {"groups": len(self.used | self.free), "used": len(self.used), "free": len(self.free)}


def group_use(partitions: Sequence[UncheckedPartition]) -> GroupUse:
    """What partitions over one corpus use of its groups."""
    merged = partitions[0].corpus.merged()
    named = {group for each in partitions for topic in each.files.topics for group in each.groups(topic)}
    used = frozenset(merged[group] for group in named)
    return GroupUse(used, frozenset(merged.values()) - used)


def ids_apart(halves: Halves) -> Iterator[Finding]:
    """No query id stands in both partitions."""
    return _crossing(halves, lambda _, topic: (topic.query_id,), "an id of both partitions")


def families_apart(halves: Halves) -> Iterator[Finding]:
    """No query family has members in both partitions."""
    return _crossing(halves, lambda _, topic: (topic.family,), "a family of both partitions")


def groups_apart(halves: Halves) -> Iterator[Finding]:
    """No template or perceptual group answers queries of both partitions."""
    merged = halves.one.corpus.merged()
    return _crossing(
        halves,
        lambda partition, topic: {merged[group] for group in partition.groups(topic)},
        "a group that answers queries of both partitions",
    )


def prompts_apart(halves: Halves) -> Seen:
    """No prompt is nearly the same as one of the other partition."""
    return spelled_alike(across(halves))


def _crossing(halves: Halves, keys: Keys, reason: str) -> Iterator[Finding]:
    """Each query of the other partition with a key that the one has too, beside the first query there that has it."""
    first: dict[str, str] = {}
    for topic in halves.one.files.topics:
        for key in keys(halves.one, topic):
            first.setdefault(key, topic.query_id)
    for row, topic in enumerate(halves.other.files.topics):
        for key in sorted(first.keys() & set(keys(halves.other, topic))):
            yield halves.other.finding(QUERIES, row, (first[key], topic.query_id, key), reason)


def _queries(halves: Halves) -> Figures:
    return {"queries": sum(len(half.files.topics) for half in halves)}


def _families(halves: Halves) -> Figures:
    return {"families": sum(len({topic.family for topic in half.files.topics}) for half in halves)}


APART: tuple[Check[Halves], ...] = (
    check(ids_apart, _queries),
    check(families_apart, _families),
    check(groups_apart, lambda halves: group_use(halves).figures),
    Check.of(prompts_apart),
)
