"""The bill of materials of the images of a run: CycloneDX 1.6, the same bytes for the same locks and systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from runner.documents import Digest, pretty_bytes
from runner.provenance.inputs import System
from runner.provenance.locks import Locked, Locks, ModelFile, PackageLock

Component = Mapping[str, Any]
RUN = "run"


class Built(NamedTuple):
    """An image by its id, and the system that it was built for."""

    image: Digest
    system: System


def sbom(images: Sequence[Built]) -> bytes:
    """The document; packages and wheels stand as the files that were unpacked, with their digests.

    It has no serial number and no time, since nothing in it follows from either.
    """
    parts = {built.image: list(_parts(built.system)) for built in images}
    known = {part["bom-ref"]: part for held in parts.values() for part in held}
    holders = [_image(image) for image in parts]
    return pretty_bytes(
        {
            "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "version": 1,
            "metadata": {"component": {"type": "application", "name": "mambomeme-bench run", "bom-ref": RUN}},
            "components": [*holders, *(known[ref] for ref in sorted(known))],
            "dependencies": [
                _depends(RUN, [holder["bom-ref"] for holder in holders]),
                *(_depends(_reference(image), [part["bom-ref"] for part in held]) for image, held in parts.items()),
            ],
        }
    )


def _parts(system: System) -> Iterator[Component]:
    """What one image holds, or was made with."""
    yield _system(system)
    yield from _packages(system.locks.debian, "required")
    yield from _wheels(system.locks)
    yield from map(_model, system.locks.models.files)
    yield from _packages(system.locks.art, "excluded")


def _image(image: Digest) -> Component:
    return {"type": "container", "bom-ref": _reference(image), "name": "mambomeme", "version": image, **_hash(image)}


def _system(system: System) -> Component:
    card = system.card
    reference = f"system:{card.name}@{system.files}"
    files = {"name": "mambomeme:files", "value": system.files}
    return {
        "type": "application",
        "bom-ref": reference,
        "name": card.name,
        "version": card.version,
        "properties": [files],
    }


def _packages(lock: PackageLock, scope: str) -> Iterator[Component]:
    """Packages of the distribution; excluded are those that only drew the corpus's pictures."""
    release = f"{lock.release.id}-{lock.release.version_id}"
    for file in lock.files:
        where = f"?arch={lock.architecture}&distro={release}"
        name = f"pkg:deb/{lock.release.id}/{quote(file.name)}@{quote(file.version)}{where}"
        yield _library(file, name, scope)


def _wheels(locks: Locks) -> Iterator[Component]:
    for file in locks.wheels.files:
        yield _library(file, f"pkg:pypi/{file.name.replace('_', '-')}@{quote(file.version)}", "required")


def _library(file: Locked, name: str, scope: str) -> Component:
    reference = f"{name}#{scope}-{file.digest[7:19]}"
    known = {"name": file.name, "version": file.version, "purl": name, **_hash(file.digest)}
    return {"type": "library", "bom-ref": reference, "scope": scope, **known}


def _model(file: ModelFile) -> Component:
    """A file of a model as it stands in the image; where it was edited, the digest is that of the edited one."""
    held = file.edited.digest if file.edited else file.digest
    edited = {"name": "mambomeme:edit", "value": f"{file.edited.edit} of {file.digest}"} if file.edited else None
    return {
        "type": "machine-learning-model" if file.name.endswith(".onnx") else "file",
        "bom-ref": f"model:{file.name}@{held}",
        "name": file.name,
        **_hash(held),
        **({"properties": [edited]} if edited else {}),
    }


def _reference(image: Digest) -> str:
    return f"image:{image}"


def _depends(reference: str, on: Sequence[str]) -> Component:
    return {"ref": reference, "dependsOn": sorted(on)}


def _hash(found: Digest) -> Component:
    return {"hashes": [{"alg": "SHA-256", "content": found.removeprefix("sha256:")}]}
