"""What the bundled items must hold, whoever writes them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from runner.retrieval.items import Item, RightsStatus, Safety, SafetyAudit

ROOT = Path(__file__).parents[2]
ITEMS = Item.parse_lines((ROOT / "images" / "corpus" / "items.jsonl").read_bytes(), "items.jsonl")
AUDIT = SafetyAudit.parse_lines((ROOT / "manifests" / "safety_audit.jsonl").read_bytes(), "safety_audit.jsonl")
CLASSES = {line.doc_id: line.safety for line in AUDIT}


def sentences(text: str) -> set[str]:
    """The sentences of `text`, in lower case; exclamations too short to be anyone's own are left out."""
    return {each.strip().lower() for each in re.split(r"(?<=[.!?。])\s*", text) if len(each.strip()) > 12}


def test_what_is_seen_and_what_is_meant_share_no_sentence() -> None:
    seen = {sentence: item.doc_id for item in ITEMS for sentence in sentences(item.visual)}
    shared = [(item.doc_id, seen[each]) for item in ITEMS for each in sentences(item.meaning) if each in seen]
    assert shared == []


def test_only_copies_share_a_sentence() -> None:
    first: dict[str, Item] = {}
    for item in ITEMS:
        for sentence in sentences(item.visual) | sentences(item.meaning):
            other = first.setdefault(sentence, item)
            assert (other.title, other.template_group) == (item.title, item.template_group), sentence


def test_a_template_belongs_to_one_group() -> None:
    groups: dict[str, set[str]] = {}
    for item in ITEMS:
        groups.setdefault(item.template.lower(), set()).add(item.template_group)
    assert {name: found for name, found in groups.items() if len(found) > 1} == {}
    assert max(Counter(item.template_group for item in ITEMS).values()) <= 8


def test_the_gates_have_something_to_catch() -> None:
    unsafe = [item for item in ITEMS if not CLASSES[item.doc_id].displayable]
    assert len(unsafe) >= 60
    assert sum(item.safety != CLASSES[item.doc_id] for item in unsafe) >= 12
    assert {CLASSES[item.doc_id] for item in unsafe} == {Safety.UNSAFE, Safety.CRITICAL}
    status = Counter(item.rights.status for item in ITEMS)
    assert min(status[RightsStatus.WITHDRAWN], status[RightsStatus.MISSING]) >= 5
    cleared = [item for item in ITEMS if item.rights.status is RightsStatus.CLEARED]
    assert sum(item.rights.attribution is None for item in cleared) >= 5
    assert sum(item.private_data for item in ITEMS) >= 5


def test_what_must_not_be_shown_is_only_named() -> None:
    for item in ITEMS:
        if not CLASSES[item.doc_id].displayable:
            assert re.search(r"\[(placeholder|espaço reservado): ", item.ocr_text), item.doc_id
