"""Every condition of D31 that a run misses, known before it starts, is a reason by itself."""

from __future__ import annotations

from typing import Any

import pytest

from runner.documents import digest
from runner.provenance.images import ImagePins, Layer, PinnedLayer
from runner.provenance.inputs import Inputs
from runner.provenance.tries import LogPlace, Tries
from runner.workflows.lock import Checkout, Launch, Origin, lock_run
from runner.workflows.reasons import foreseen
from tests.workflows.kept import Kept

FIRST = LogPlace(index=0, head="0" * 64, tries=Tries(partition=1, manifest=1, unsealed=0))
WHOLE = Checkout("c" * 40, True, {}, {}, {})
LIMITS = {
    "held_requests": 40,
    "warmup_searches": 100,
    "min_searches": 1000,
    "min_blocks": 5,
}


def pinned(inputs: Inputs) -> tuple[Inputs, Origin]:
    """Inputs of a run that lacks nothing, and the origin of its one system: the pinned image."""
    layers = tuple(Layer(name=name, diff_id=digest(name.encode()), size=1) for name in inputs.image.recipe.layers)
    origin = Origin(next(layer.diff_id for layer in layers if layer.name == "system"), layers)
    limits = inputs.manifest.limits.model_copy(update=LIMITS)
    (system,) = inputs.systems
    whole = inputs._replace(
        manifest=inputs.manifest.model_copy(update={"limits": limits}),
        systems=(system._replace(files=system.manifest.files),),
    )
    (locked,) = lock_run(Launch("", FIRST, WHOLE, {"bm25": origin}), whole).systems
    assert locked.image is not None
    pins = ImagePins(
        format="mambomeme/image-pins/v1",
        image=locked.image.image,
        manifest=locked.image.manifest,
        layers={layer.name: PinnedLayer(diff_id=layer.diff_id, inputs=layer.diff_id) for layer in layers},
    )
    return whole._replace(image=inputs.image._replace(pins=pins)), origin


def reasons(inputs: Inputs, origin: Origin, checkout: Checkout = WHOLE) -> list[str]:
    return list(foreseen(lock_run(Launch("", FIRST, checkout, {"bm25": origin}), inputs), inputs))


def test_a_run_as_the_decisions_have_it_lacks_nothing(kept: Kept, inputs: Inputs) -> None:
    assert reasons(*pinned(inputs)) == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"time_limit_ms": 2001}, "limits: time_limit_ms is 2001, not 2000"),
        ({"late_ms": 0}, "limits: late_ms is 0, not 2000"),
        ({"hold_ms": 249}, "limits: hold_ms is 249, not 250"),
        ({"restarts": 4}, "limits: restarts is 4, not 3"),
        ({"result_limit": 9}, "limits: result_limit is 9, not 10"),
        ({"warmup_searches": 101}, "limits: warmup_searches is 101, not 100"),
        ({"held_requests": 0}, "0 held requests, fewer than 1"),
        ({"min_searches": 960}, "960 measured searches, fewer than 1000"),
        ({"min_blocks": 1, "min_searches": 480}, "4 shuffled blocks, fewer than 5"),
    ],
)
def test_each_limit_that_would_be_another_score_is_a_reason(
    inputs: Inputs, changes: dict[str, int], reason: str
) -> None:
    """120 queries a block: 960 searches are 8 blocks, 480 are 4."""
    whole, origin = pinned(inputs)
    limits = whole.manifest.limits.model_copy(update=changes)
    assert reason in reasons(whole._replace(manifest=whole.manifest.model_copy(update={"limits": limits})), origin)


def test_no_engine_path_is_a_reason(inputs: Inputs) -> None:
    """D16."""
    whole, origin = pinned(inputs)
    manifest = whole.manifest.model_copy(update={"engine_path": False})
    assert reasons(whole._replace(manifest=manifest), origin) == ["the engine path was not asked for"]


@pytest.mark.parametrize(
    ("checkout", "reason"),
    [
        (
            WHOLE._replace(clean=False, changed=("a.py", "9 more")),
            "the code differs from commit cccccccccccc: a.py, 9 more",
        ),
        (WHOLE._replace(commit="unknown", clean=False), "the code is not a git checkout"),
    ],
)
def test_code_that_no_commit_holds_is_a_reason(inputs: Inputs, checkout: Checkout, reason: str) -> None:
    assert reasons(*pinned(inputs), checkout) == [reason]


def test_a_plain_process_is_a_reason(inputs: Inputs) -> None:
    whole, origin = pinned(inputs)
    assert reasons(whole, origin._replace(layers=None)) == ["not containerised"]


def test_an_image_that_is_not_pinned_is_a_reason(inputs: Inputs) -> None:
    whole, origin = pinned(inputs)
    assert origin.layers is not None
    first, *others = origin.layers
    other = origin._replace(layers=(first.model_copy(update={"diff_id": digest(b"x")}), *others))
    assert [reason.split(" is ")[0] for reason in reasons(whole, other)] == [
        f"not the pinned image: {what}" for what in (f"layer {first.name}", "image", "manifest")
    ]
    assert reasons(whole._replace(image=whole.image._replace(pins=None)), origin) == ["no image is pinned"]


def their_own(inputs: Inputs, layer: str) -> tuple[Inputs, Origin]:
    """A run of another system, without preparation, in the pinned image but for its own layer."""
    whole, origin = pinned(inputs)
    (bundled,) = whole.systems
    files = digest(b"theirs")
    manifest = bundled.manifest.model_copy(update={"folder": "systems/theirs", "files": files})
    card: Any = bundled.card.model_copy(update={"prepare": None})
    assert origin.layers is not None
    layers = tuple(
        each.model_copy(update={"diff_id": layer}) if each.name == "system" else each for each in origin.layers
    )
    return whole._replace(systems=(bundled._replace(manifest=manifest, card=card, files=files),)), Origin(layer, layers)


def test_another_system_is_as_pinned_with_the_layer_of_its_manifest(inputs: Inputs) -> None:
    """D31 asks for system digests as pinned, not for the bundled system."""
    assert reasons(*their_own(inputs, digest(b"theirs"))) == []


def test_another_system_with_other_files_than_its_manifest_pins_is_a_reason(inputs: Inputs) -> None:
    whole, origin = their_own(inputs, digest(b"edited"))
    (system,) = whole.systems
    edited = whole._replace(systems=(system._replace(files=digest(b"edited")),))
    found = reasons(edited, origin)
    assert found[0] == "bm25: systems/theirs is not as its manifest pins it"
    assert found[1].startswith("not the pinned image: layer system is")
