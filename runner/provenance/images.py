"""What was built: layers by the digest of their tar, the image by the digests of its config and manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from runner.documents import Digest, Document, canonical_bytes, digest
from runner.provenance.dockerfile import Recipe

EPOCH = 1767225600
"""The time stamp of everything in an image: 2026-01-01T00:00:00Z."""

CREATED = "2026-01-01T00:00:00Z"
_OCI = "application/vnd.oci.image"


class Layer(Document):
    """One layer: its name in the Dockerfile, the sha256 and size in bytes of its uncompressed tar."""

    name: str
    diff_id: Digest
    size: int


class ImageRef(Document):
    """A built image: its config digest (the id in an overlay2 store), its manifest digest (the id in containerd's)."""

    tag: str
    image: Digest
    manifest: Digest
    layers: tuple[Layer, ...]

    @property
    def size(self) -> int:
        """Bytes of all layers."""
        return sum(layer.size for layer in self.layers)


class PinnedLayer(Document):
    """What a layer must come out as, from which inputs."""

    diff_id: Digest
    inputs: Digest


class ImagePins(Document):
    """`images/pins.json`: the one image that counts for an official score."""

    format: Literal["mambomeme/image-pins/v1"]
    image: Digest
    manifest: Digest
    layers: dict[str, PinnedLayer]


class Blueprint(NamedTuple):
    """An image ready to be written: its reference, and the bytes that its two digests name."""

    ref: ImageRef
    config: bytes
    manifest: bytes


def blueprint(recipe: Recipe, layers: tuple[Layer, ...]) -> Blueprint:
    """The image that `recipe` makes of `layers` (in the recipe's order)."""
    return blueprint_of_config(canonical_bytes(_config(recipe, layers)), layers)


def blueprint_of_config(config: bytes, layers: tuple[Layer, ...]) -> Blueprint:
    """The image with exactly these config bytes."""
    manifest = canonical_bytes(_manifest(config, layers))
    image = digest(config)
    tag = "mambomeme:" + image.removeprefix("sha256:")[:12]
    return Blueprint(ImageRef(tag=tag, image=image, manifest=digest(manifest), layers=layers), config, manifest)


def differences(ref: ImageRef, pins: ImagePins) -> tuple[str, ...]:
    """One sentence for each thing that is not as pinned; none if the image is the pinned one."""
    ids = (("image", ref.image, pins.image), ("manifest", ref.manifest, pins.manifest))
    return (
        *_layer_differences(ref, {name: layer.diff_id for name, layer in pins.layers.items()}),
        *(_difference(name, built, pinned) for name, built, pinned in ids if built != pinned),
    )


def unpinned(ref: ImageRef, pins: ImagePins, system: Digest | None) -> tuple[str, ...]:
    """As `differences`, for an image with another system's layer (null: the pinned one), whose id follows from it."""
    wanted = {name: layer.diff_id for name, layer in pins.layers.items()}
    if system in {None, wanted.get("system")}:
        return differences(ref, pins)
    return tuple(_layer_differences(ref, {**wanted, "system": system or ""}))


def differing_layers(one: ImageRef, other: ImageRef) -> Iterator[tuple[Layer | None, Layer | None]]:
    """The layers of one name that two images have unlike; null where one of them has none of that name."""
    these, those = ({layer.name: layer for layer in ref.layers} for ref in (one, other))
    for name in dict.fromkeys([*these, *those]):
        if these.get(name) != those.get(name):
            yield these.get(name), those.get(name)


def _layer_differences(ref: ImageRef, wanted: Mapping[str, Digest]) -> Iterator[str]:
    for layer in ref.layers:
        if layer.diff_id != wanted.get(layer.name, layer.diff_id):
            yield _difference(f"layer {layer.name}", layer.diff_id, wanted[layer.name])
    if {layer.name for layer in ref.layers} != wanted.keys():
        yield f"layers are {', '.join(layer.name for layer in ref.layers)}, pinned {', '.join(wanted)}"


def _difference(name: str, built: str, pinned: str) -> str:
    return f"{name} is {built[:19]}…, pinned {pinned[:19]}…"


def _config(recipe: Recipe, layers: tuple[Layer, ...]) -> dict[str, Any]:
    return {
        "architecture": "amd64",
        "os": "linux",
        "created": CREATED,
        "config": {
            "Env": list(recipe.env),
            "Labels": dict(recipe.labels),
            "User": recipe.user,
            "WorkingDir": recipe.workdir,
            "Entrypoint": list(recipe.entrypoint),
        },
        "rootfs": {"type": "layers", "diff_ids": [layer.diff_id for layer in layers]},
        "history": [{"created": CREATED, "created_by": f"ADD {layer.name}.tar /"} for layer in layers],
    }


def _manifest(config: bytes, layers: tuple[Layer, ...]) -> dict[str, Any]:
    return {
        "schemaVersion": 2,
        "mediaType": f"{_OCI}.manifest.v1+json",
        "config": {"mediaType": f"{_OCI}.config.v1+json", "digest": digest(config), "size": len(config)},
        "layers": [
            {"mediaType": f"{_OCI}.layer.v1.tar", "digest": layer.diff_id, "size": layer.size} for layer in layers
        ],
    }
