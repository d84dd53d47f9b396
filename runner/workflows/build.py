"""Builds the image: layers from locked inputs, one archive, loaded into the engine, held against the pinned ids."""

from __future__ import annotations

from typing import NamedTuple

from runner.errors import BadInput, Unavailable
from runner.ports import Images, Progress, Workshop
from runner.provenance.images import Blueprint, ImageRef, blueprint, differences


class Built(NamedTuple):
    """The image, and in one sentence each what is not as pinned (none: it is the pinned image)."""

    image: ImageRef
    unpinned: tuple[str, ...]


def build(workshop: Workshop, images: Images, progress: Progress) -> Built:
    """The image of this checkout, present in the engine; nothing is made again that was made from the same inputs."""
    plan = design(workshop, progress)
    supply(plan, workshop, images, progress)
    return Built(plan.ref, against_pins(plan.ref, workshop))


def build_and_pin(workshop: Workshop, images: Images, progress: Progress) -> Built:
    """As `build`, and what comes out is pinned."""
    plan = design(workshop, progress)
    supply(plan, workshop, images, progress)
    workshop.keep_pins(workshop.pins_of(plan))
    return Built(plan.ref, ())


def design(workshop: Workshop, progress: Progress) -> Blueprint:
    """The image of this checkout with all its layers made; no engine is asked."""
    workshop.require_host()
    recipe = workshop.recipe()
    layers = []
    with progress.step("layers", total=len(recipe.layers)) as step:
        for done, name in enumerate(recipe.layers, 1):
            layers.append(workshop.layer(name))
            step.advance(done)
    return blueprint(recipe, tuple(layers))


def supply(plan: Blueprint, workshop: Workshop, images: Images, progress: Progress) -> None:
    """Load the image into the engine, unless it is there."""
    if images.has(plan.ref):
        return
    with progress.step("loading the image"), workshop.archive(plan) as archive:
        images.load(archive)
    if not images.has(plan.ref):
        raise Unavailable(f"The engine loaded {plan.ref.tag} under another id than {plan.ref.image}.")


def against_pins(image: ImageRef, workshop: Workshop) -> tuple[str, ...]:
    """What is not as pinned."""
    pins = workshop.pins()
    return differences(image, pins) if pins else ("no image is pinned",)


def check_pins(workshop: Workshop, progress: Progress) -> tuple[str, ...]:
    """As `against_pins` for this checkout, and each layer whose inputs moved though it came out the same; no engine."""
    plan = design(workshop, progress)
    pins, wanted = workshop.pins(), workshop.pins_of(plan)
    stale = (name for name, layer in wanted.layers.items() if pins and pins.layers.get(name) != layer)
    return against_pins(plan.ref, workshop) or tuple(f"layer {name} is pinned with other inputs" for name in stale)


def require_pinned(built: Built) -> ImageRef:
    """The image, or BadInput if it is not the pinned one."""
    if built.unpinned:
        raise BadInput(
            f"images/pins.json: {built.unpinned[0]}.",
            advice="Restore the inputs, or pin this image with `./bench run build --pin`.",
        )
    return built.image
