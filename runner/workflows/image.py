"""Takes a built image out of the engine as one file, and brings it back, so that a score outlives the mirrors."""

from __future__ import annotations

from pathlib import Path

from runner.ports import Images, Progress, Workshop
from runner.provenance.images import ImageRef
from runner.workflows.build import Built, against_pins, supply


def export_image(name: str, to: Path, workshop: Workshop, images: Images, progress: Progress) -> ImageRef:
    """Write the image `name` (id or tag), compressed, to the new file `to`; the same image gives the same bytes
    everywhere."""
    with progress.step("taking the image out of the engine"), images.saved(name) as saved:
        plan = workshop.take_in(saved)
    with progress.step(f"writing {to.name}"):
        workshop.write_out(plan, to)
    return plan.ref


def import_image(archive: Path, workshop: Workshop, images: Images, progress: Progress) -> Built:
    """Load the image in `archive` once every digest in it was checked; later builds reuse its layers."""
    workshop.require_host()
    with progress.step("checking the archive"):
        plan = workshop.take_in(archive)
    supply(plan, workshop, images, progress)
    return Built(plan.ref, against_pins(plan.ref, workshop))
