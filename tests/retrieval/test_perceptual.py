"""Template groups joined where previews look alike (D5): bits counted by hand."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from runner.errors import BadInput
from runner.retrieval.items import Item
from runner.retrieval.perceptual import (
    MOST_ITEMS,
    MOST_TEMPLATES,
    NEAR,
    GroupOverride,
    grown_too_large,
    likenesses,
    merged_groups,
)
from tests.retrieval.small_benchmark import item, lines

CORPUS = Path(__file__).parents[2] / "images" / "corpus"


def picture(doc_id: str, group: str, bits: int) -> Item:
    """An item of `group` whose hash is `bits`."""
    row = item(doc_id, template_group=group)
    row["preview"]["phash"] = f"{bits:016x}"
    return Item.parse_lines(lines([row]), "items.jsonl")[0]


def apart(*templates: str) -> GroupOverride:
    """An override of two template groups."""
    (override,) = GroupOverride.parse_lines(
        lines([{"template_groups": templates, "reason": "a duck, a lamp", "reviewers": ["human:judge"]}]), "o.jsonl"
    )
    return override


def test_six_bits_are_alike_and_seven_are_not():
    items = [picture("a", "one", 0), picture("b", "two", 0b111111), picture("c", "three", 0b1111111 << 20)]
    assert [(each.one.doc_id, each.other.doc_id, each.bits) for each in likenesses(items)] == [("a", "b", 6)]
    assert merged_groups(items, ()) == {"one": "one", "two": "one", "three": "three"}


def test_likeness_within_a_template_group_joins_nothing():
    items = [picture("a", "one", 0), picture("b", "one", 0)]
    assert list(likenesses(items)) == []
    assert merged_groups(items, ()) == {"one": "one"}


def test_likeness_is_passed_on():
    items = [picture("a", "c", 0), picture("b", "b", 0b1111), picture("c", "a", 0b11111111)]
    assert {frozenset((x.one.doc_id, x.other.doc_id)) for x in likenesses(items)} == {frozenset("ab"), frozenset("bc")}
    assert merged_groups(items, ()) == {"a": "a", "b": "a", "c": "a"}


def test_an_override_keeps_two_apart_in_either_order():
    items = [picture("a", "one", 0), picture("b", "two", 0)]
    for names in (("one", "two"), ("two", "one")):
        assert merged_groups(items, [apart(*names)]) == {"one": "one", "two": "two"}


def test_a_third_group_still_joins_what_an_override_keeps_apart():
    items = [picture(name, name, 0) for name in ("x", "y", "z")]
    assert set(merged_groups(items, [apart("x", "y")]).values()) == {"x"}
    assert merged_groups(items, [apart("x", "y"), apart("y", "z")]) == {"x": "x", "y": "y", "z": "x"}


def test_the_order_of_the_items_does_not_matter():
    items = [*(picture(f"i{n}", f"g{n}", n) for n in range(9)), *(picture(f"j{n}", f"h{n}", n << 40) for n in range(9))]
    assert merged_groups(items, ()) == merged_groups(items[::-1], ())


def test_too_many_templates_or_items_are_named():
    two = [picture(f"a{n:02}", "a", 0) for n in range(MOST_ITEMS - 1)] + [picture("b", "b", 0)]
    assert list(grown_too_large(two, merged_groups(two, ()))) == []
    more = [*two, picture("c", "b", 0)]
    assert list(grown_too_large(more, merged_groups(more, ()))) == [(("a", "b"), MOST_ITEMS + 1)]
    three = [picture(name, name, 0) for name in "abc"]
    assert MOST_TEMPLATES == 2
    assert list(grown_too_large(three, merged_groups(three, ()))) == [(("a", "b", "c"), 3)]


def test_a_large_template_group_that_joined_none_is_left_alone():
    items = [picture(f"a{n:02}", "a", 0) for n in range(3 * MOST_ITEMS)]
    assert list(grown_too_large(items, merged_groups(items, ()))) == []


@pytest.mark.parametrize(
    "change", [{"template_groups": ["one"]}, {"template_groups": ["one", "Two"]}, {"reason": ""}, {"reviewers": []}]
)
def test_an_override_names_two_groups_a_reason_and_who_looked(change):
    row = {"template_groups": ["one", "two"], "reason": "a duck, a lamp", "reviewers": ["human:judge"]} | change
    with pytest.raises(BadInput, match=r"^o\.jsonl:1: "):
        GroupOverride.parse_lines(lines([row]), "o.jsonl")


def test_copies_in_the_bundled_corpus_look_alike_and_no_two_groups_are_joined():
    items = Item.parse_lines((CORPUS / "items.jsonl").read_bytes(), "items.jsonl")
    overrides = GroupOverride.parse_lines((CORPUS / "group_overrides.jsonl").read_bytes(), "group_overrides.jsonl")
    merged = merged_groups(items, overrides)
    assert all(name == group for name, group in merged.items())
    copies = sorted((each.title, each.ocr_text, each.template_group, each.preview.phash) for each in items)
    found = [(one[3], two[3]) for one, two in pairwise(copies) if one[:3] == two[:3]]
    assert len(found) >= 5
    assert all((int(one, 16) ^ int(two, 16)).bit_count() <= NEAR for one, two in found)
