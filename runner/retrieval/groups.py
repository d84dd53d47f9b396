"""The groups of queries that have a line of their own: the seven slices, and the subsets that cut across them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Protocol

from runner.retrieval.topics import Slice


class Grouped(Protocol):
    """What decides which groups a query is of: a `Topic` says it, and so does the row of a query on a card."""

    @property
    def slice(self) -> Slice: ...

    @property
    def family(self) -> str: ...

    @property
    def safety_flag(self) -> bool: ...

    @property
    def multi_cue_flag(self) -> bool: ...


class Subset(StrEnum):
    """Groups of queries across slices (D1, D21, D22)."""

    ALL = "all"
    ANSWERABLE = "answerable"
    EXACT = "entity and quote"
    ORDINARY = "ordinary"
    SAFETY = "safety"
    SAFETY_ANSWERABLE = "safety, answerable"
    MULTI_CUE = "multi-cue"


Group = Slice | Subset

_MEMBERS: Mapping[Subset, Callable[[Grouped], bool]] = {
    Subset.ALL: lambda _: True,
    Subset.ANSWERABLE: lambda topic: topic.slice.answerable,
    Subset.EXACT: lambda topic: topic.slice.exact,
    Subset.ORDINARY: lambda topic: not topic.safety_flag,
    Subset.SAFETY: lambda topic: topic.safety_flag,
    Subset.SAFETY_ANSWERABLE: lambda topic: topic.safety_flag and topic.slice.answerable,
    Subset.MULTI_CUE: lambda topic: topic.multi_cue_flag,
}

GROUPS: tuple[Group, ...] = (*Slice, *Subset)

# The score has a denominator in each of these; a partition without one of them cannot be scored.
REQUIRED: tuple[Group, ...] = (*Slice, Subset.ORDINARY, Subset.SAFETY, Subset.SAFETY_ANSWERABLE)


def belongs(topic: Grouped, group: Group) -> bool:
    """Whether `topic` is of `group`."""
    if isinstance(group, Slice):
        return topic.slice is group
    return _MEMBERS[group](topic)
