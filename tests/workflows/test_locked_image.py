"""The very image that a run was locked to is brought, or refused with the layer and the files that differ."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from runner.adapters.image.workshop import LocalWorkshop
from runner.adapters.progress import SilentProgress
from runner.errors import BadInput, CannotDecide
from runner.provenance.images import ImageRef
from runner.workflows.build import build
from runner.workflows.image import export_image
from runner.workflows.locked_image import Wanted, supply_locked
from tests.image.tiny import ImagesInMemory, make_project, workshop, write

SILENT = SilentProgress()


class Scene(NamedTuple):
    """The engine of whoever runs it again, the image of the first run, and its archive."""

    images: ImagesInMemory
    image: ImageRef
    archive: Path
    tar: Path

    def supplied(self, shop: LocalWorkshop, *archives: Path) -> ImageRef:
        """What the system is run from."""
        return supply_locked({"tiny": Wanted(self.image, shop)}, archives, self.images, SILENT)["tiny"]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    shop = workshop(make_project(tmp_path / "first"))
    there = ImagesInMemory(tmp_path / "engine of the first")
    image = build(shop, there, SILENT).image
    export_image(image.tag, tmp_path / "image.tar.zst", shop, there, SILENT)
    return Scene(ImagesInMemory(tmp_path / "engine"), image, tmp_path / "image.tar.zst", there.folder / image.tag)


def changed(root: Path) -> LocalWorkshop:
    """A checkout whose system has one file that is another, and one more."""
    places = make_project(root)
    write(places.system / "tiny/words.txt", "more")
    write(places.system / "tiny/index.py", (places.system / "tiny/index.py").read_text() + "\n")
    return workshop(places)


def test_another_checkout_builds_it_again(scene: Scene, tmp_path: Path) -> None:
    assert scene.supplied(workshop(make_project(tmp_path / "second"))) == scene.image
    assert scene.images.has(scene.image)
    assert scene.images.loads == 1


def test_what_the_engine_holds_is_not_built(scene: Scene, tmp_path: Path) -> None:
    """Even by a checkout that could not."""
    scene.images.load(scene.tar)
    assert scene.supplied(changed(tmp_path / "second")) == scene.image


def test_an_archive_brings_it_to_a_checkout_that_builds_another(scene: Scene, tmp_path: Path) -> None:
    assert scene.supplied(changed(tmp_path / "second"), scene.archive) == scene.image
    assert scene.images.has(scene.image)


def test_a_checkout_that_builds_another_is_refused_by_layer(scene: Scene, tmp_path: Path) -> None:
    with pytest.raises(CannotDecide, match=r"build another image: .*: layer system is sha256:") as error:
        scene.supplied(changed(tmp_path / "second"))
    assert "layer base" not in str(error.value)
    assert "(in which files is told where both are in .cache/layers: `build` makes this checkout's" in str(error.value)
    assert not scene.images.has(scene.image)


def test_files_are_named_where_both_layers_are_at_hand(scene: Scene, tmp_path: Path) -> None:
    """The archive of the first image lies in the cache of the checkout, whose own image is asked for."""
    shop = changed(tmp_path / "second")
    own = build(shop, ImagesInMemory(tmp_path / "other engine"), SILENT).image
    with pytest.raises(BadInput) as error:
        supply_locked({"tiny": Wanted(own, shop)}, [scene.archive], scene.images, SILENT)
    told = str(error.value)
    assert told.startswith(f"{scene.archive}: holds another image: it is {scene.image.image[:19]}")
    assert "(opt/system/tiny/index.py, opt/system/tiny/words.txt)" in told
    assert "layer corpus" not in told
    assert "\n" not in told
    assert not scene.images.has(scene.image)
