"""Brings the very images that a result was made in: from an archive, from the engine, or built again from the locks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from runner.errors import BadInput, CannotDecide
from runner.ports import Images, Progress, Workshop
from runner.provenance.images import ImageRef, Layer, differing_layers
from runner.workflows.build import design, supply

#: Of the files in which a layer differs, so many are named.
NAMED = 5
NOT_HERE = (
    "in which files is told where both are in .cache/layers: `build` makes this checkout's, `image import` another"
)


class Wanted(NamedTuple):
    """The image that a system was locked to, and where the layers of such an image are made here."""

    image: ImageRef
    workshop: Workshop


def supply_locked(
    wanted: Mapping[str, Wanted], archives: Sequence[Path], images: Images, progress: Progress
) -> dict[str, ImageRef]:
    """The image of each system, in the engine.

    BadInput for an archive of another image; CannotDecide where this checkout builds another one.
    """
    for archive in archives:
        _import(archive, list(wanted.values()), images, progress)
    return {name: _supplied(one, images, progress) for name, one in wanted.items()}


def _import(archive: Path, wanted: Sequence[Wanted], images: Images, progress: Progress) -> None:
    first = wanted[0]
    first.workshop.require_host()
    with progress.step(f"checking {archive.name}"):
        plan = first.workshop.take_in(archive)
    if plan.ref.image not in {one.image.image for one in wanted}:
        what = f"{archive}: holds another image: {another(first, plan.ref)}."
        raise BadInput(what, advice="Give the archive of the image that the result was made in.")
    supply(plan, first.workshop, images, progress)


def _supplied(wanted: Wanted, images: Images, progress: Progress) -> ImageRef:
    if not images.has(wanted.image):
        plan = design(wanted.workshop, progress)
        if plan.ref.image != wanted.image.image:
            what = f"The locks of this checkout build another image: {another(wanted, plan.ref)}."
            raise CannotDecide(
                what, advice="Give its archive with --archive, or check out the commit in run.lock.json."
            )
        supply(plan, wanted.workshop, images, progress)
    return wanted.image


def another(wanted: Wanted, found: ImageRef) -> str:
    """How an image differs from the one that the run used: by layer, and by file where both layers are here."""
    layers = [_layer(this, that, wanted.workshop) for this, that in differing_layers(wanted.image, found)]
    ids = f"it is {found.image[:19]}…, the run used {wanted.image.image[:19]}…"
    return f"{ids}: {'; '.join(layers) or 'all layers are the same, but its settings are not'}"


def _layer(wanted: Layer | None, found: Layer | None, workshop: Workshop) -> str:
    if wanted is None or found is None:
        there = wanted or found
        return f"layer {there.name if there else ''} is in {'the other' if found is None else 'it'} only"
    names = workshop.differing_files(wanted, found)
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    which = f"{', '.join(names[:NAMED])}{more}" if names else NOT_HERE
    return f"layer {found.name} is {found.diff_id[:19]}…, not {wanted.diff_id[:19]}… ({which})"
