"""Names the files in which two layers differ."""

from __future__ import annotations

import hashlib
import tarfile

from runner.adapters.image.depot import Depot
from runner.provenance.images import Layer

#: What a file in a layer is: its header as far as a container sees it, and the digest of its bytes.
Facts = tuple[object, ...]


def differing_files(depot: Depot, one: Layer, other: Layer) -> tuple[str, ...]:
    """Paths whose content, mode, owner or target is another, or that only one layer has; none if a tar is not here."""
    if not (depot.path(one).exists() and depot.path(other).exists()):
        return ()
    these, those = _files(depot, one), _files(depot, other)
    return tuple(path for path in sorted(these.keys() | those.keys()) if these.get(path) != those.get(path))


def _files(depot: Depot, layer: Layer) -> dict[str, Facts]:
    with tarfile.open(depot.path(layer)) as tar:
        return {member.name: (*_header(member), _content(tar, member)) for member in tar}


def _header(member: tarfile.TarInfo) -> Facts:
    return member.type, member.mode, member.uid, member.gid, member.mtime, member.linkname


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    file = tar.extractfile(member) if member.isreg() else None
    return hashlib.file_digest(file, "sha256").hexdigest() if file else ""  # type: ignore[arg-type]
