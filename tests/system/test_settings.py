"""The configuration: what is accepted, what is refused, and how it is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mambomeme.faults import StartError
from mambomeme.settings import parse_settings

from runner.documents import canonical_bytes, digest
from tests.system.memes import SYSTEM

MANIFEST = json.loads((Path(__file__).parents[2] / "manifests" / "systems" / "bm25.json").read_bytes())
PLAIN: dict[str, Any] = MANIFEST["configuration"]


def test_the_copy_in_the_folder_is_that_of_the_manifest() -> None:
    assert json.loads((SYSTEM / "configuration.json").read_bytes()) == PLAIN


def test_its_digest_is_that_of_the_canonical_json() -> None:
    assert parse_settings(json.dumps(PLAIN, indent=4), "here").digest == digest(canonical_bytes(PLAIN))


def test_values_are_taken_over() -> None:
    settings = parse_settings(json.dumps(PLAIN | {"k1": 2, "threshold": 0.5}), "here")
    assert settings.parameters == (2.0, 0.75, 0.25)
    assert settings.threshold == 0.5


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"k1": "1.5"}, "k1"),
        ({"b": True}, "b must"),
        ({"threshold": -1}, "threshold"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"routes": ["dense"]}, "routes"),
        ({"weights": {"title": 1}}, "weights"),
        ({"weights": PLAIN["weights"] | {"title": None}}, "title"),
        ({"extra": 1}, "keys"),
    ],
)
def test_what_is_wrong_is_named(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(StartError, match=f"^here: .*{complaint}"):
        parse_settings(json.dumps(PLAIN | change), "here")


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 100_000])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(StartError, match=r"^here: "):
        parse_settings(text, "here")
