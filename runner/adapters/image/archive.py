"""Reads and writes image archives: Docker's own form and the OCI layout in one tar, for both kinds of store."""

from __future__ import annotations

import io
import re
import shutil
import tarfile
from pathlib import Path
from typing import IO, Any

from runner.adapters.image.depot import Depot
from runner.adapters.image.packed import plain
from runner.adapters.image.tree import Sink
from runner.documents import canonical_bytes, digest, parse_json
from runner.errors import BadInput
from runner.provenance.images import EPOCH, Blueprint, Layer, blueprint_of_config

_ADDED = re.compile(r"ADD ([a-z][a-z0-9-]*)\.tar /")


def write_archive(image: Blueprint, depot: Depot, to: Path) -> None:
    """Write the archive of `image`; the same image always gives the same bytes."""
    with tarfile.open(to, "w", format=tarfile.USTAR_FORMAT) as tar:
        _add(tar, _blob(image.ref.image), image.config)
        for layer in image.ref.layers:
            with depot.open(layer) as file:
                tar.addfile(_header(_blob(layer.diff_id), layer.size), file)
        _add(tar, _blob(image.ref.manifest), image.manifest)
        _add(tar, "index.json", canonical_bytes(_index(image)))
        _add(tar, "manifest.json", canonical_bytes(_docker_manifest(image)))
        _add(tar, "oci-layout", b'{"imageLayoutVersion":"1.0.0"}')


def read_archive(path: Path, depot: Depot) -> Blueprint:
    """Take the image out of the archive at `path`, its layers into `depot`; BadInput if any digest is wrong."""
    try:
        with plain(path) as file, tarfile.open(fileobj=file) as tar:
            return _read(tar, path, depot)
    except (tarfile.TarError, KeyError, IndexError, TypeError, AttributeError, EOFError) as error:
        why = str(error).partition(":\n")[0]
        raise BadInput(f"{path}: not an image archive: {why}.", advice="Export it again.") from None
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}.") from None


def _read(tar: tarfile.TarFile, path: Path, depot: Depot) -> Blueprint:
    entry = parse_json(_member(tar, "manifest.json").read(), f"{path}: manifest.json")[0]
    config = _member(tar, entry["Config"]).read()
    named = Path(entry["Config"]).name.removesuffix(".json")
    if digest(config) != f"sha256:{named}":
        raise BadInput(f"{path}: {entry['Config']}: expected sha256:{named}, found {digest(config)}.")
    parsed = parse_json(config, f"{path}: {entry['Config']}")
    names = [_ADDED.fullmatch(record.get("created_by", "")) for record in parsed["history"]]
    expected = parsed["rootfs"]["diff_ids"]
    if not all(names) or not len(names) == len(expected) == len(entry["Layers"]):
        raise BadInput(f"{path}: the image in it was not made by this project.")
    layers = []
    for name, member, diff_id in zip(names, entry["Layers"], expected, strict=True):
        layer = _take(tar, member, name[1] if name else "", depot)
        if layer.diff_id != diff_id:
            raise BadInput(f"{path}: {member}: expected {diff_id}, found {layer.diff_id}.", advice="Export it again.")
        layers.append(layer)
    return blueprint_of_config(config, tuple(layers))


def _take(tar: tarfile.TarFile, member: str, name: str, depot: Depot) -> Layer:
    source = _member(tar, member)

    def write(sink: Sink) -> None:
        shutil.copyfileobj(source, sink, 1 << 20)

    return depot.keep(name, write)


def _member(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    file = tar.extractfile(name)
    if file is None:
        raise KeyError(name)
    return file


def _header(name: str, size: int) -> tarfile.TarInfo:
    header = tarfile.TarInfo(name)
    header.size, header.mtime, header.mode = size, EPOCH, 0o644
    return header


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    tar.addfile(_header(name, len(data)), io.BytesIO(data))


def _blob(name: str) -> str:
    return "blobs/" + name.replace(":", "/")


def _docker_manifest(image: Blueprint) -> list[dict[str, Any]]:
    layers = [_blob(layer.diff_id) for layer in image.ref.layers]
    return [{"Config": _blob(image.ref.image), "RepoTags": [image.ref.tag], "Layers": layers}]


def _index(image: Blueprint) -> dict[str, Any]:
    name, _, tag = image.ref.tag.partition(":")
    return {
        "schemaVersion": 2,
        "manifests": [
            {
                "mediaType": "application/vnd.oci.image.manifest.v1+json",
                "digest": image.ref.manifest,
                "size": len(image.manifest),
                "annotations": {
                    "io.containerd.image.name": f"docker.io/library/{name}:{tag}",
                    "org.opencontainers.image.ref.name": tag,
                },
            }
        ],
    }
