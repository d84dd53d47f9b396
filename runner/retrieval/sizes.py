"""How large a partition must be, and where one falls short (D1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from runner.retrieval.groups import Group, Subset, belongs
from runner.retrieval.partitions import Kind, PartitionFiles
from runner.retrieval.topics import ANSWERABLE, Slice


class Sizes(NamedTuple):
    """D1: how many queries a full partition has."""

    per_slice: int
    no_match: int
    safety_answerable: int
    safety_no_match: int
    multi_cue: int


FULL: Mapping[Kind, Sizes] = {
    Kind.DEVELOPMENT: Sizes(15, 30, 15, 5, 15),
    Kind.HIDDEN: Sizes(30, 60, 30, 10, 30),
}


def found_and_least(files: PartitionFiles) -> Mapping[str, tuple[int, int]]:
    """How many queries there are of each kind that D1 speaks of, and how many there must be at least."""
    full = FULL[files.card.kind]
    safety, answerable = _count(files, Subset.SAFETY), _count(files, Subset.SAFETY_ANSWERABLE)
    return {
        **{s.value: (_count(files, s), full.per_slice) for s in ANSWERABLE},
        "no_match": (_count(files, Slice.NO_MATCH), full.no_match),
        "safety answerable": (answerable, full.safety_answerable),
        "safety no-match": (safety - answerable, full.safety_no_match),
        "multi-cue": (_count(files, Subset.MULTI_CUE), full.multi_cue),
    }


def shortfalls(files: PartitionFiles) -> tuple[str, ...]:
    """Where a partition is smaller than D1 asks, in words."""
    return tuple(f"{name} {n} of {least}" for name, (n, least) in found_and_least(files).items() if n < least)


def _count(files: PartitionFiles, group: Group) -> int:
    return sum(belongs(topic, group) for topic in files.topics)
