"""Groups of items that show the same picture: template groups, joined where previews look alike (D5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Annotated, NamedTuple

from pydantic import Field

from runner.documents import Document
from runner.retrieval.items import Item

# Bits in which two perceptual hashes may differ. Copies differ in 0 or 2, a third of the pairs within a template group
# in 6 or fewer; from 8 on, the chance likenesses between drawings are too many to be looked at one by one.
NEAR = 6
# A joined group beyond either number is more likely a chain of chance likenesses than one picture.
MOST_ITEMS, MOST_TEMPLATES = 12, 2

GroupName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
Templates = frozenset[str]


class GroupOverride(Document):
    """A line of `group_overrides.jsonl`: two template groups whose previews look alike to the hash alone, and why."""

    template_groups: tuple[GroupName, GroupName]
    reason: Annotated[str, Field(min_length=1)]
    reviewers: Annotated[tuple[str, ...], Field(min_length=1)]


class Likeness(NamedTuple):
    """Two items of different template groups whose previews look alike."""

    one: Item
    other: Item
    bits: int

    @property
    def templates(self) -> Templates:
        """The two template groups."""
        return frozenset((self.one.template_group, self.other.template_group))


def likenesses(items: Iterable[Item]) -> Iterator[Likeness]:
    """Every pair of items across template groups that differs in `NEAR` bits or fewer."""
    hashed = [(item, int(item.preview.phash, 16)) for item in items]
    for (one, first), (other, second) in combinations(hashed, 2):
        bits = (first ^ second).bit_count()
        if bits <= NEAR and one.template_group != other.template_group:
            yield Likeness(one, other, bits)


def merged_groups(items: Sequence[Item], overrides: Iterable[GroupOverride]) -> Mapping[str, str]:
    """The merged group of each template group, named after the first template in it; an override keeps two apart.

    Only the likeness of the two is set aside: a third group that looks like both still joins them.
    """
    apart = {frozenset(override.template_groups) for override in overrides}
    parent = {item.template_group: item.template_group for item in items}
    for likeness in likenesses(items):
        if likeness.templates not in apart:
            first, second = sorted(_root(parent, name) for name in likeness.templates)
            parent[second] = first
    return {name: _root(parent, name) for name in parent}


def _root(parent: Mapping[str, str], name: str) -> str:
    while parent[name] != name:
        name = parent[name]
    return name


def grown_too_large(items: Sequence[Item], merged: Mapping[str, str]) -> Iterator[tuple[tuple[str, ...], int]]:
    """The template groups, and the number of items, of each joined group over `MOST_ITEMS` or `MOST_TEMPLATES`."""
    members: dict[str, list[str]] = defaultdict(list)
    for item in items:
        members[merged[item.template_group]].append(item.template_group)
    for _, names in sorted(members.items()):
        templates = tuple(sorted(set(names)))
        if len(templates) > MOST_TEMPLATES or (len(templates) > 1 and len(names) > MOST_ITEMS):
            yield templates, len(names)
