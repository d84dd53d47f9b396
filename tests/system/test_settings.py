"""The configuration: what is accepted, what is refused, and how it is named."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from mambomeme.faults import StartError
from mambomeme.settings import parse_settings, plain

from runner.documents import canonical_bytes, digest
from tests.system.memes import SYSTEM

MANIFESTS = Path(__file__).parents[2] / "manifests" / "systems"
SYSTEMS = ("bm25", "dense", "hybrid")
GROUPS = {"bm25": {"lexical"}, "dense": {"dense"}, "hybrid": {"lexical", "dense", "fusion"}}


def configuration(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((MANIFESTS / f"{name}.json").read_bytes())["configuration"]
    return copy.deepcopy(found)


def refused(value: dict[str, Any], complaint: str) -> None:
    with pytest.raises(StartError, match=f"^here: ?.*{complaint}"):
        parse_settings(json.dumps(value), "here")


def test_what_opens_for_a_person_is_one_of_the_manifests() -> None:
    assert json.loads((SYSTEM / "configuration.json").read_bytes()) in [configuration(name) for name in SYSTEMS]


@pytest.mark.parametrize("name", SYSTEMS)
def test_each_system_is_served_under_the_digest_of_its_canonical_json(name: str) -> None:
    value = configuration(name)
    assert parse_settings(json.dumps(value, indent=4), "here").digest == digest(canonical_bytes(value))
    assert value.keys() - {"routes", "shown"} == GROUPS[name]


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_is_written_is_what_is_read(name: str) -> None:
    value = configuration(name)
    settings = parse_settings(json.dumps(value), "here")
    for group in (*GROUPS[name], "shown"):
        assert plain(getattr(settings, group)) == value[group]


def test_what_no_route_needs_is_not_there() -> None:
    assert parse_settings(json.dumps(configuration("bm25")), "here").dense is None
    assert parse_settings(json.dumps(configuration("dense")), "here").lexical is None


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        ("lexical.bm25.k1", "1.5", "lexical.bm25.k1 must|lexical.bm25.k1: must"),
        ("lexical.bm25.b", True, "lexical.bm25.b"),
        ("lexical.bm25.epsilon", float("nan"), "epsilon"),
        ("lexical.pairs", -1, "lexical.pairs"),
        ("lexical.weights.title", None, "lexical.weights.title"),
        ("lexical.weights", {"title": 1}, "lexical.weights: must be an object with the keys"),
        ("lexical.weights.subtitle", 1.0, "lexical.weights"),
        ("fusion.depth", 2.5, "fusion.depth: must be a whole number"),
        ("fusion.depth", 0, "fusion.depth"),
        ("dense", [], "dense: must be an object"),
        ("shown.weights.mood", 1.0, "shown.weights"),
        ("routes", ["dense", "lexical"], "routes must be one of"),
        ("routes", "lexical", "routes"),
        ("routes", [["lexical"]], "routes must be one of"),
        ("routes", {}, "routes must be one of"),
        ("extra", 1, "keys dense, fusion, lexical, routes, shown"),
    ],
)
def test_what_is_wrong_is_named(path: str, value: Any, complaint: str) -> None:
    whole = configuration("hybrid")
    *groups, last = path.split(".")
    place = whole
    for group in groups:
        place = place[group]
    place[last] = value
    refused(whole, complaint)


def test_a_rule_may_weigh_against_showing() -> None:
    value = configuration("bm25")
    value["shown"]["bias"] = -2
    assert parse_settings(json.dumps(value), "here").shown.bias == -2.0


def test_a_group_of_another_route_is_refused() -> None:
    refused(configuration("bm25") | {"dense": configuration("dense")["dense"]}, "keys lexical, routes, shown")


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 100_000])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(StartError, match=r"^here: "):
        parse_settings(text, "here")
