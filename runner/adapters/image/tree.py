"""A file tree in memory, which becomes the same tar on every machine."""

from __future__ import annotations

import hashlib
import io
import tarfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from runner.errors import BadInput
from runner.provenance.images import EPOCH


@dataclass(frozen=True, slots=True)
class File:
    """A regular file."""

    data: bytes
    mode: int = 0o644


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder."""

    mode: int = 0o755


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link."""

    target: str


Node = File | Folder | Link


class Sink(Protocol):
    """Something bytes are written to."""

    def write(self, data: bytes, /) -> int: ...


class Tree:
    """Nodes by path from the root of the image; everything belongs to root and has one time stamp."""

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}

    def add(self, path: str, node: Node, source: str) -> None:
        """Put `node` at `path`; `source` names where it comes from if it has to be refused."""
        _check(path, source)
        there = self._nodes.get(path)
        if there is not None and there != node and not (isinstance(there, Folder) and isinstance(node, Folder)):
            raise BadInput(f"{source}: {path!r} is already in the layer with another content.")
        self._nodes[path] = node

    def nodes(self) -> dict[str, Node]:
        """All nodes, parents included, sorted by path."""
        parents = {str(parent) for path in self._nodes for parent in PurePosixPath(path).parents if parent.name}
        for parent in parents & self._nodes.keys():
            if not isinstance(self._nodes[parent], Folder):
                raise BadInput(f"{parent!r} is a file and a folder.")
        return dict(sorted({**dict.fromkeys(parents, Folder()), **self._nodes}.items()))

    def write(self, sink: Sink) -> None:
        """Write the tar of the tree."""
        with tarfile.open(fileobj=_Stream(sink), mode="w|", format=tarfile.PAX_FORMAT) as tar:
            for path, node in self.nodes().items():
                tar.addfile(_header(path, node), io.BytesIO(node.data) if isinstance(node, File) else None)


class Hashing:
    """A sink that passes bytes on and remembers their sha256 and number."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes, /) -> int:
        """Pass `data` on."""
        self._hash.update(data)
        self.size += len(data)
        return self._sink.write(data)

    @property
    def digest(self) -> str:
        """`sha256:<hex>` of all bytes so far."""
        return "sha256:" + self._hash.hexdigest()


class _Stream(io.RawIOBase):
    """What `tarfile` wants of a file, over a sink."""

    def __init__(self, sink: Sink) -> None:
        super().__init__()
        self._sink = sink

    def writable(self) -> bool:
        return True

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        return self._sink.write(data)


def file_digest(path: Path) -> str:
    """`sha256:<hex>` of the file at `path`."""
    with path.open("rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()


def _header(path: str, node: Node) -> tarfile.TarInfo:
    header = tarfile.TarInfo(path)
    header.mtime = EPOCH
    match node:
        case File(data, mode):
            header.mode, header.size = mode, len(data)
        case Folder(mode):
            header.type, header.mode = tarfile.DIRTYPE, mode
        case Link(target):
            header.type, header.mode, header.linkname = tarfile.SYMTYPE, 0o777, target
    return header


def _check(path: str, source: str) -> None:
    pure = PurePosixPath(path)
    if not path or pure.is_absolute() or str(pure) != path or ".." in pure.parts:
        raise BadInput(f"{source}: {path!r} is not a plain relative path.")
    if any(part.startswith(".wh.") for part in pure.parts):
        raise BadInput(f"{source}: {path!r} would delete a file of another layer.", advice="Rename it.")
