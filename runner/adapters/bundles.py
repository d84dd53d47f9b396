"""Puts files by name into one tar archive and takes them out again, in memory."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import PurePosixPath

from runner.errors import BadInput


def pack(files: Mapping[str, bytes]) -> bytes:
    """The archive of `files`; equal files give equal bytes."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o600
            archive.addfile(member, io.BytesIO(data))
    return whole.getvalue()


def unpack(data: bytes, where: str) -> dict[str, bytes]:
    """The plain files in an archive; BadInput where it is none, or has a name that leads elsewhere or stands twice."""
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for member in archive:
                content = archive.extractfile(member) if member.isreg() else None
                path = PurePosixPath(member.name)
                if content is None or path.is_absolute() or ".." in path.parts or member.name in found:
                    raise BadInput(f"{where}: holds what is no file of its own.", advice="Seal it again.")
                found[member.name] = content.read()
    except tarfile.TarError:
        raise BadInput(f"{where}: holds no archive.", advice="Seal it again with `partition seal`.") from None
    return found


def below(data: bytes) -> dict[str, bytes]:
    """The plain files in an archive of one folder by their names in it, as far as the archive is whole; what leads
    elsewhere is left out."""
    found: dict[str, bytes] = {}
    with suppress(tarfile.TarError), tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for member in archive:
            name = member.name.partition("/")[2]
            content = archive.extractfile(member) if member.isreg() else None
            if content is not None and name and ".." not in PurePosixPath(name).parts:
                found[name] = content.read()
    return found
