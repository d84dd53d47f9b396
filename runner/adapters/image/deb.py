"""Reads Debian packages without any tool of the host."""

from __future__ import annotations

import io
import lzma
import tarfile
from collections.abc import Iterator

from runner.adapters.image.tree import File, Folder, Link, Node
from runner.errors import BadInput

_MAGIC = b"!<arch>\n"
_HEADER = 60
_MERGED = {"bin", "sbin", "lib", "lib64"}


def read_deb(data: bytes, where: str) -> Iterator[tuple[str, Node]]:
    """Paths (with `/bin`, `/sbin`, `/lib` and `/lib64` moved below `usr`) and nodes of a package's files.

    A hard link is given as a file of its own.
    """
    try:
        with tarfile.open(fileobj=io.BytesIO(_data_member(data))) as archive:
            yield from _nodes(archive, where)
    except (tarfile.TarError, lzma.LZMAError, ValueError, EOFError) as error:
        raise BadInput(f"{where}: not a readable Debian package: {error}.") from None


def _nodes(archive: tarfile.TarFile, where: str) -> Iterator[tuple[str, Node]]:
    for member in archive:
        path = merged(member.name)
        if not path:
            continue
        if member.isdir():
            yield path, Folder(member.mode & 0o1777)
        elif member.issym():
            yield path, Link(member.linkname)
        elif member.isreg() or member.islnk():
            content = archive.extractfile(member)
            yield path, File(content.read() if content else b"", member.mode & 0o777)
        else:
            raise BadInput(f"{where}: {path!r} is a device or pipe, which no layer may hold.")


def merged(name: str) -> str:
    """The path of a package's file in a tree where the top-level program folders are links into `usr`."""
    path = name.removeprefix("./").strip("/")
    path = "" if path == "." else path
    return f"usr/{path}" if path.partition("/")[0] in _MERGED else path


def _data_member(data: bytes) -> bytes:
    """The `data.tar.*` member of the `ar` archive `data`."""
    if not data.startswith(_MAGIC):
        raise ValueError("no ar archive")
    position = len(_MAGIC)
    while position + _HEADER <= len(data):
        header = data[position : position + _HEADER]
        size = int(header[48:58])
        start = position + _HEADER
        if start + size > len(data):
            raise ValueError("it is cut short")
        if header.startswith(b"data.tar"):
            return data[start : start + size]
        position = start + size + size % 2
    raise ValueError("no data.tar in it")
