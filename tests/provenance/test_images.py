"""An image counts if it is the pinned one, or the pinned one but for another system whose layer is pinned."""

from __future__ import annotations

from runner.documents import digest
from runner.provenance.images import ImagePins, ImageRef, Layer, PinnedLayer, differences, unpinned

NAMES = ("base", "system", "driver")


def ids(**changes: str) -> dict[str, str]:
    return {name: digest(changes.get(name, name).encode()) for name in NAMES}


def image(name: str = "image", **changes: str) -> ImageRef:
    layers = tuple(Layer(name=each, diff_id=found, size=1) for each, found in ids(**changes).items())
    return ImageRef(tag="mambomeme:x", image=digest(name.encode()), manifest=digest(b"manifest"), layers=layers)


PINS = ImagePins(
    format="mambomeme/image-pins/v1",
    image=image().image,
    manifest=image().manifest,
    layers={name: PinnedLayer(diff_id=found, inputs=digest(b"")) for name, found in ids().items()},
)


def test_the_pinned_image_differs_in_nothing() -> None:
    assert differences(image(), PINS) == ()
    assert unpinned(image(), PINS, None) == ()
    assert unpinned(image(), PINS, ids()["system"]) == ()


def test_layers_and_ids_are_named() -> None:
    found = differences(image("other", driver="x"), PINS)
    assert [line.split(" is ")[0] for line in found] == ["layer driver", "image"]


def test_another_system_counts_with_the_layer_that_its_manifest_pins() -> None:
    theirs = ids(system="theirs")["system"]
    assert unpinned(image("another image", system="theirs"), PINS, theirs) == ()
    assert [line.split(" is ")[0] for line in unpinned(image("x", system="edited"), PINS, theirs)] == ["layer system"]
    assert [line.split(" is ")[0] for line in unpinned(image("x", system="theirs", base="y"), PINS, theirs)] == [
        "layer base"
    ]


def test_another_system_cannot_stand_in_for_the_bundled_one() -> None:
    assert [line.split(" is ")[0] for line in unpinned(image("x", system="theirs"), PINS, None)] == [
        "layer system",
        "image",
    ]


def test_layers_that_are_not_there_or_too_many_are_named() -> None:
    short = image().model_copy(update={"layers": image().layers[:2]})
    assert differences(short, PINS) == ("layers are base, system, pinned base, system, driver",)
