"""What two partitions over one corpus must not share (D5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from runner.retrieval.corpora import Corpus
from runner.retrieval.findings import Check, Figures, Finding, Halves, Seen, UncheckedPartition, check
from runner.retrieval.partitions import QUERIES
from runner.retrieval.prompts import across, spelled_alike
from runner.retrieval.topics import Topic

Keys = Callable[[UncheckedPartition, Topic], Iterable[str]]


def joined(corpus: Corpus) -> Mapping[str, str]:
    """The group that each template group of a corpus belongs to."""
    return {group: group for group in corpus.groups}


def used_groups(partition: UncheckedPartition) -> frozenset[str]:
    """The groups that a partition uses up: those of its relevant items and targets."""
    merged = joined(partition.corpus)
    return frozenset(merged[group] for topic in partition.files.topics for group in partition.groups(topic))


def free_groups(corpus: Corpus, partitions: Iterable[UncheckedPartition]) -> frozenset[str]:
    """The groups that are left for a partition beside these."""
    return frozenset(joined(corpus).values()).difference(*map(used_groups, partitions))


def group_use(partitions: Iterable[UncheckedPartition]) -> Figures:
    """How many groups there are, are used, and are free."""
    known = tuple(partitions)
    there = len(set(joined(known[0].corpus).values()))
    free = len(free_groups(known[0].corpus, known))
    return {"groups": there, "used": there - free, "free": free}


def ids_apart(halves: Halves) -> Iterator[Finding]:
    """No query id stands in both partitions."""
    return _crossing(halves, lambda _, topic: (topic.query_id,), "an id of both partitions")


def families_apart(halves: Halves) -> Iterator[Finding]:
    """No query family has members in both partitions."""
    return _crossing(halves, lambda _, topic: (topic.family,), "a family of both partitions")


def groups_apart(halves: Halves) -> Iterator[Finding]:
    """No template or perceptual group answers queries of both partitions."""
    merged = joined(halves.one.corpus)
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
    check(groups_apart, group_use),
    Check.of(prompts_apart),
)
