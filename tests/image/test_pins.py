"""A fresh build of this checkout is the image that `images/pins.json` names."""

from __future__ import annotations

import os

from runner.cli import tools
from runner.workflows.build import check_pins, design

#: What a lock decides; the system's layer holds no locked file.
LAYER_OF = {"debian.json": "base", "wheels.json": "site", "art.json": "corpus"}


def test_a_fresh_build_is_the_pinned_image() -> None:
    """From a temporary re-lock (a mirror dropped a package) only layers that moved locks decide may differ."""
    kit = tools()
    if "MAMBO_LOCKS" not in os.environ:
        assert check_pins(kit.workshop(), kit.progress) == ()
        return
    pins = kit.workshop().pins()
    assert pins is not None
    found = design(kit.workshop(), kit.progress).ref
    differing = {layer.name for layer in found.layers if layer.diff_id != pins.layers[layer.name].diff_id}
    moved = {
        layer
        for name, layer in LAYER_OF.items()
        if (kit.locks / name).read_bytes() != (kit.root / "images/locks" / name).read_bytes()
    }
    assert differing <= moved
