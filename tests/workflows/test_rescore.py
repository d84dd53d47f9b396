"""What the records of a run show stands on its card: violations score nothing, shortfalls keep it provisional."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from runner.documents import digest
from runner.provenance.environment import ContainerFacts, Environment
from runner.provenance.images import Layer, blueprint
from runner.provenance.inputs import Inputs
from runner.provenance.run_lock import RunLock
from runner.workflows.lock import Origin
from runner.workflows.plan import IN_CONTAINER, plan_for
from tests.workflows.kept import CARD, ENVIRONMENT, LOCK, PLAN, RAW, SUITES_PLAN, Files, Kept, chained, dump, edited, on

NO_IMAGE = "sha256:" + "0" * 64
NOTES = "interaction event written without opt-in"
KINDS = ("file", "folder", "link", "socket", "other", "closed", "more")


def scored_anew(kept: Kept, change: Callable[[str, dict[str, Any]], object]) -> tuple[dict[str, Any], Files]:
    """The card that an altered and chained raw log gives, and the result with it in place of its own products."""
    files = chained(kept.files, change)
    found = kept.examined(files)
    return json.loads(found.products[CARD]), {**files, **found.products}


def test_counters_that_nobody_kept_are_a_reason_and_no_zero(kept: Kept) -> None:
    """D33: null is not recorded; the first cut counted it as nought."""
    card, _ = scored_anew(kept, on("host", nr_throttled=None, throttled_us=None))
    (row,) = card["systems"]
    assert row["stability"]["host"]["nr_throttled"] is None
    assert "throttling was not recorded" in row["stability"]["reasons"]
    assert any("throttling was not recorded" in reason for reason in card["reasons"])


def test_the_error_of_a_read_stamp_is_absolute(kept: Kept) -> None:
    """A stamp 5 ns early is as wrong as one 5 ns late."""
    card, _ = scored_anew(kept, on("probe", error_ns=-5))
    (floor,) = [floor for floor in card["floors"] if "error" in floor["name"]]
    assert floor["name"] == "bm25: null UI, absolute error of the read stamp"
    assert (floor["p50_ns"], floor["p95_ns"], floor["max_ns"]) == (5, 5, 5)


def hello(**changes: object) -> Callable[[str, dict[str, Any]], object]:
    """Let the engine's handshake say otherwise."""

    def change(_name: str, event: dict[str, Any]) -> None:
        if event["e"] == "reply" and not event["query_id"]:
            said = json.loads(base64.b64decode(event["b64"])) | changes
            event["b64"] = base64.b64encode(dump(said) + b"\n").decode()

    return change


@pytest.mark.parametrize("name", ["protocol", "interface", "corpus", "configuration"])
def test_a_handshake_that_names_something_else_is_a_violation(kept: Kept, name: str) -> None:
    """D24: found wrong during the run, so nothing is scored."""
    card, _ = scored_anew(kept, hello(**{name: "v0"}))
    (row,) = card["systems"]
    assert (row["score"], row["status"]) == (0.0, "FAIL")
    assert [violation["kind"] for violation in row["violations"]] == ["digest found wrong during or after the run"]
    assert f"the engine serves {name} 'v0', not" in row["violations"][0]["detail"]


@pytest.mark.parametrize("changes", [{"index": "v1"}, {"index": 7}, {"index": None}])
def test_an_index_without_a_digest_is_a_reason(kept: Kept, changes: dict[str, object]) -> None:
    card, _ = scored_anew(kept, hello(**changes))
    assert card["versions"][0]["index"] is None
    assert "bm25: the handshake names no index" in card["reasons"]


def test_no_handshake_is_a_reason_and_no_wrong_digest(kept: Kept) -> None:
    def silence(_name: str, event: dict[str, Any]) -> None:
        if event["e"] == "reply" and not event["query_id"]:
            event["b64"] = ""

    card, _ = scored_anew(kept, silence)
    assert "bm25: the engine gave no handshake" in card["reasons"]
    assert card["systems"][0]["violations"] == []


def left(**event: str) -> dict[str, Any]:
    """Something that was left behind."""
    return {"e": "left", "path": "notes", "size": 3, "sha256": None, **event}


def added(event: dict[str, Any]) -> Callable[[Files], Files]:
    """The result with one more event at the end of what was left."""

    def add(files: Files) -> Files:
        name = f"{RAW}/after.jsonl"
        *others, last = files[name].splitlines()
        line = dump({"t": json.loads(last)["t"], **event, "chain": "0" * 64})
        return {**files, name: b"".join(each + b"\n" for each in [*others, line, last])}

    return add


@pytest.mark.parametrize(
    ("event", "violation"),
    [
        *((left(role="ui", kind=kind), NOTES) for kind in KINDS),
        (left(role="engine", kind="file"), None),
        ({"e": "socket", "name": "@door"}, "engine reached past the driver"),
    ],
)
def test_what_was_left_and_doors_past_the_driver_are_violations(
    kept: Kept, event: dict[str, Any], violation: str | None
) -> None:
    """D24: whatever a UI leaves may be a record of what was typed; an engine may keep what it likes."""
    found = kept.examined(chained(added(event)(kept.files)))
    (row,) = json.loads(found.products[CARD])["systems"]
    assert [seen["kind"] for seen in row["violations"]] == ([violation] if violation else [])


# A run that says it was in a container.


def containerised(kept: Kept, inputs: Inputs) -> Files:
    """The result as if the same records came from a container of an image whose id follows from the Dockerfile."""
    layers = tuple(Layer(name=name, diff_id=digest(name.encode()), size=1) for name in inputs.image.recipe.layers)
    image = blueprint(inputs.image.recipe, layers).ref
    lock = RunLock.parse(kept.files[LOCK], LOCK)
    (system,) = lock.systems
    system = system.model_copy(update={"image": image, "layer": Origin.of_image(image).layer})
    files = {**kept.files, LOCK: lock.model_copy(update={"systems": (system,)}).pretty()}
    plan = plan_for(inputs.systems[0], inputs, IN_CONTAINER, digest(files[LOCK]))
    places = {"paths": IN_CONTAINER.paths.model_dump(), "isolation": IN_CONTAINER.isolation}
    return chained(edited({**files, PLAN: plan}, SUITES_PLAN, lambda value: value.update(places)))


def facts(inputs: Inputs, image: str) -> bytes:
    """What an engine says of a container that was given all that the profile asks for."""
    profile = inputs.hardware.profile
    asked = {name: getattr(profile, name) for name in ContainerFacts.model_fields if hasattr(profile, name)}
    seccomp = digest(inputs.hardware.seccomp.encode())
    container = ContainerFacts(
        **{**asked, "image": image, "engine": {"Engine": "20.10"}, "runtime": "runc", "seccomp": seccomp}
    )
    return Environment(systems={"bm25": container}, suites={"bm25": container}).pretty()


def image_of(files: Files) -> str:
    image: str = json.loads(files[LOCK])["systems"][0]["image"]["image"]
    return image


@pytest.mark.usefixtures("same_lots")
def test_an_image_without_a_container_is_a_finding(kept: Kept, inputs: Inputs) -> None:
    """Otherwise a plain process could pass for a container, and its protections for kept."""
    status, words = kept.faults(containerised(kept, inputs))
    assert (status, words) == (
        1,
        "environment.json: systems: bm25: run.lock.json and this file together have an image, but no container.",
    )


@pytest.mark.usefixtures("same_lots")
def test_a_container_without_an_image_is_a_finding(kept: Kept, inputs: Inputs) -> None:
    status, words = kept.faults({**kept.files, ENVIRONMENT: facts(inputs, NO_IMAGE)})
    assert (status, words) == (
        1,
        "environment.json: systems: bm25: run.lock.json and this file together have a container, but no image.",
    )


@pytest.mark.usefixtures("same_lots")
def test_an_image_whose_id_does_not_follow_from_its_layers_is_a_finding(kept: Kept, inputs: Inputs) -> None:
    files = containerised(kept, inputs)
    lied = chained(edited(files, LOCK, lambda lock: lock["systems"][0]["image"].update(image=NO_IMAGE)))
    status, words = kept.faults({**lied, ENVIRONMENT: facts(inputs, NO_IMAGE)})
    assert (status, words.startswith("run.lock.json: systems[0].image.image says")) == (1, True), words


@pytest.mark.usefixtures("same_lots")
def test_a_plain_process_that_passes_for_a_container_meets_no_profile(kept: Kept, inputs: Inputs) -> None:
    """What the driver found is held to the profile too, whatever was written beside it."""
    files = containerised(kept, inputs)
    found = kept.examined({**files, ENVIRONMENT: facts(inputs, image_of(files))})
    reasons = "\n".join(json.loads(found.products[CARD])["reasons"])
    assert "bm25: hardware profile two-core-v1: UI: Uid is" in reasons
    assert "bm25: hardware profile two-core-v1: root read only: False, not True" in reasons
    assert "not containerised" not in reasons


@pytest.mark.usefixtures("same_lots")
def test_a_container_of_another_image_is_a_violation(kept: Kept, inputs: Inputs) -> None:
    """D24: a digest found wrong after the run."""
    files = containerised(kept, inputs)
    found = kept.examined({**files, ENVIRONMENT: facts(inputs, NO_IMAGE)})
    details = [seen["detail"] for seen in json.loads(found.products[CARD])["systems"][0]["violations"]]
    assert f"the container ran image {NO_IMAGE}, not {image_of(files)}" in details


def counted(*readings: dict[str, int]) -> Callable[[str, dict[str, Any]], object]:
    """Let the readings of the network counters be these, the last for all that follow."""
    left_over = list(readings)

    def change(_name: str, event: dict[str, Any]) -> None:
        if event["e"] == "net":
            event["counters"] = left_over.pop(0) if len(left_over) > 1 else left_over[0]

    return change


@pytest.mark.usefixtures("same_lots")
@pytest.mark.parametrize(
    ("readings", "detail"),
    [
        ([{"Ip.OutNoRoutes": 0}, {"Ip.OutNoRoutes": 3}], "Ip.OutNoRoutes +3"),
        ([{"Ip.OutNoRoutes": 1}, {"Ip.OutNoRoutes": 1, "Ip6OutNoRoutes": 2}], "Ip6OutNoRoutes +2"),
        ([{"Ip.OutNoRoutes": 1}, {}, {"Ip.OutNoRoutes": 1}], None),
    ],
)
def test_a_counter_that_moves_in_a_container_is_an_attempt(
    kept: Kept, inputs: Inputs, readings: list[dict[str, int]], detail: str | None
) -> None:
    """D24; outside of one the counters are the whole machine's and say nothing."""
    for start, expected in ((containerised(kept, inputs), detail), (kept.files, None)):
        files = chained(start, counted(*readings))
        place = facts(inputs, image_of(files)) if start is not kept.files else files[ENVIRONMENT]
        (row,) = json.loads(kept.examined({**files, ENVIRONMENT: place}).products[CARD])["systems"]
        seen = [one["detail"] for one in row["violations"] if one["kind"] == "attempt to reach the network"]
        assert seen == ([expected] if expected else [])


@pytest.mark.usefixtures("same_lots")
def test_counters_that_a_container_s_kernel_does_not_have_are_a_reason(kept: Kept, inputs: Inputs) -> None:
    files = chained(containerised(kept, inputs), counted({}))
    found = kept.examined({**files, ENVIRONMENT: facts(inputs, image_of(files))})
    assert "bm25: network counters were not recorded" in json.loads(found.products[CARD])["reasons"]
