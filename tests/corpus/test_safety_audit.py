"""The frozen audit speaks of every item of the corpus that is there, and of no other (D6)."""

from __future__ import annotations

from pathlib import Path

from runner.documents import digest
from runner.retrieval.items import Item, SafetyAudit

ROOT = Path(__file__).parents[2]
ITEMS = (ROOT / "images" / "corpus" / "items.jsonl").read_bytes()
AUDIT = SafetyAudit.parse_lines((ROOT / "manifests" / "safety_audit.jsonl").read_bytes(), "safety_audit.jsonl")


def test_each_item_is_classed_once() -> None:
    assert [line.doc_id for line in AUDIT] == [item.doc_id for item in Item.parse_lines(ITEMS, "items.jsonl")]


def test_the_audit_is_of_this_corpus() -> None:
    assert {line.corpus_digest for line in AUDIT} == {digest(ITEMS)}


def test_no_label_of_a_machine_is_called_human() -> None:
    assert all(name.startswith("machine:") for line in AUDIT for name in line.auditors)
