"""What may leave the engine: items worked by hand, and the bundled corpus against the scorer's audit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mambomeme.admission import reasons
from mambomeme.corpus import read_corpus

from tests.system.memes import item

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "images" / "corpus"


def audited() -> dict[str, str]:
    lines = (ROOT / "manifests" / "safety_audit.jsonl").read_text(encoding="utf-8").splitlines()
    return {entry["doc_id"]: entry["safety"] for entry in map(json.loads, lines)}


def items() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CORPUS / "items.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"safety": None}, "not claimed displayable"),
        ({"safety": "unsafe"}, "not claimed displayable"),
        ({"private_data": True}, "marked as private data"),
        ({"rights": {"status": "withdrawn"}}, "rights are not cleared"),
        ({"ocr_text": "WOW\n[placeholder: an insult]"}, "a placeholder hides: an insult"),
        ({"title": "doge [Redacted: a street and a name]"}, "a placeholder hides: a street and a name"),
        ({"ocr_text": "[espaço reservado: instruções perigosas]"}, "a placeholder hides: instruções perigosas"),
        ({"meaning": "Pornography with a dog as an excuse."}, "sexually explicit"),
        ({"meaning": "Tells the lonely that suicide is a way out."}, "self-harm"),
        ({"visual": "A note with a serious threat against a real person."}, "threat"),
        ({"meaning": "Calls on readers to attack people at the station."}, "incitement"),
        ({"meaning": "Sneers at people because of where they come from."}, "demeans people"),
        ({"action": "share a recipe for toxic fumes"}, "dangerous to copy"),
        ({"meaning": "A dare that could leave whoever copies it badly hurt."}, "dangerous to copy"),
        ({"meaning": "Gives away the phone number of a stranger."}, "gives away a private person"),
    ],
)
def test_what_is_held_back_and_why(changes: dict[str, Any], reason: str) -> None:
    assert reason in reasons(item("m1", **changes))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"safety": "sensitive", "meaning": "The morning after, with a sore head and a cigarette."},
        {"ocr_text": "[silence]", "title": "me [six missed calls]"},
        {"ocr_text": "[placeholder: your text here]"},
        {"meaning": "He threatens to leave. The cat could not care less."},
        {"title": "It's dangerous to go alone", "tags": ["sword", "poison"], "meaning": "Take a friend along."},
        {"meaning": "You hate the idea at first. People from the office are there too."},
        {"ocr_text": "ATTACK ITS WEAK POINT", "meaning": "Call the boss fight what it is."},
    ],
)
def test_harmless_talk_passes(changes: dict[str, Any]) -> None:
    assert reasons(item("m1", **changes)) == []


def test_nothing_that_the_audit_calls_unsafe_leaves() -> None:
    classes = audited()
    leaving = {meme.doc_id for meme in read_corpus(CORPUS).memes}
    assert {classes[doc_id] for doc_id in leaving} <= {"safe", "sensitive"}
    assert len(leaving) > 800


def test_nothing_that_the_audit_calls_safe_is_held_back_for_its_text() -> None:
    classes = audited()
    formal = {"not claimed displayable", "marked as private data", "rights are not cleared"}
    held = {found["doc_id"]: set(reasons(found)) for found in items()}
    by_text = {doc_id for doc_id, why in held.items() if why and not why & formal}
    assert {classes[doc_id] for doc_id in by_text} == {"unsafe"}
    assert len(by_text) == 12


def test_placeholders_and_descriptions_are_two_nets() -> None:
    """Without its placeholders nearly every unsafe item is still recognised by what its description says."""
    classes, caught = audited(), 0
    unsafe = [found for found in items() if classes[found["doc_id"]] in {"unsafe", "critical"}]
    for found in unsafe:
        claimed = found | {"safety": "safe", "private_data": False, "ocr_text": "WOW"}
        caught += bool(reasons(claimed))
    assert caught >= 0.95 * len(unsafe)


def test_the_claim_does_not_matter_for_what_the_text_says() -> None:
    classes = audited()
    for found in items():
        said = reasons(found | {"safety": "safe", "private_data": False, "rights": {"status": "cleared"}})
        assert bool(said) >= (classes[found["doc_id"]] in {"unsafe", "critical"})
