"""Puts files by name into one tar archive and takes them out again, in memory."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import PurePosixPath

from runner.errors import BadInput

SEAL_AGAIN = "Seal it again with `partition seal`."


def pack(files: Mapping[str, bytes]) -> bytes:
    """The archive of `files`; equal files give equal bytes."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.USTAR_FORMAT, encoding="utf-8") as archive:
        for name, data in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o600
            archive.addfile(member, io.BytesIO(data))
    return whole.getvalue()


def unpack(data: bytes, where: str, advice: str = SEAL_AGAIN) -> dict[str, bytes]:
    """The files in an archive that `pack` made; BadInput where it holds anything else, is cut off or goes on.

    Headers are read one by one, since no extension of the format belongs in here: none can be followed anywhere.
    """
    found: dict[str, bytes] = {}
    try:
        for member, content in _members(data):
            if member.type != tarfile.REGTYPE or not _stays(member.name) or member.name in found:
                raise BadInput(f"{where}: holds what is no file of its own, {member.name!r}.", advice=advice)
            found[member.name] = content
    except tarfile.TarError:
        raise BadInput(f"{where}: holds no archive, or one that is cut off.", advice=advice) from None
    if pack(found) != data:
        raise BadInput(f"{where}: is not whole, or holds more than files.", advice=advice)
    return found


def _stays(name: str) -> bool:
    """Whether a name is spelled in the one way in which it leads nowhere else, whatever part of it is cut off."""
    path = PurePosixPath(name)
    return bool(path.parts) and str(path) == name and not path.is_absolute() and ".." not in path.parts


def _members(data: bytes) -> Iterator[tuple[tarfile.TarInfo, bytes]]:
    at = 0
    while any(header := data[at : at + tarfile.BLOCKSIZE]):
        member = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
        at += tarfile.BLOCKSIZE
        if not 0 <= member.size <= len(data) - at:
            raise tarfile.ReadError(member.name)
        yield member, data[at : at + member.size]
        at += -(-member.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE


def below(data: bytes) -> dict[str, bytes]:
    """The plain files in an archive of one folder by their names in it, as far as the archive is whole; what leads
    elsewhere is left out."""
    found: dict[str, bytes] = {}
    with suppress(tarfile.TarError), tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for member in archive:
            name = member.name.partition("/")[2]
            content = archive.extractfile(member) if member.isreg() else None
            if content is not None and _stays(name):
                found[name] = content.read()
    return found
