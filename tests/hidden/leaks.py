"""Searches all that a hidden run leaves for words that stand in its partition alone, however they are written."""

from __future__ import annotations

import base64
import binascii
import bz2
import gzip
import io
import json
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{12,}={0,2}")
_ESCAPED = re.compile(rb"\\u([0-9a-fA-F]{4})")
_DEPTH = 3
#: What says that bytes are packed in one of the ways that are looked into.
_PACKED: dict[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ": lzma.decompress,
    b"\x78\x01": zlib.decompress,
    b"\x78\x5e": zlib.decompress,
    b"\x78\x9c": zlib.decompress,
    b"\x78\xda": zlib.decompress,
}


class Version(NamedTuple):
    """A file as it was at one time: whatever is written to it, the kernel notes another change."""

    path: Path
    inode: int
    size: int
    changed_ns: int

    @classmethod
    def of(cls, path: Path) -> Version:
        """As it is now."""
        found = path.stat()
        return cls(path, found.st_ino, found.st_size, found.st_ctime_ns)


def leaks(
    places: Iterable[Path], secrets: Collection[str], apart: Collection[Path] = (), clean: set[Version] | None = None
) -> list[str]:
    """`file: secret` for each of `secrets` in a file at or below `places`, or in its name; `apart` is left out.

    What is in `clean` was found to hold none of the same secrets, and is not read again; what is found so is put in.
    """
    found = []
    clean = set() if clean is None else clean
    for place in places:
        for path in [place, *sorted(place.rglob("*"))] if place.is_dir() else [place]:
            if any(path.is_relative_to(each) for each in apart):
                continue
            found += [f"{path} (name): {secret}" for secret in secrets if secret in str(path)]
            if path.is_file() and not path.is_symlink() and (version := Version.of(path)) not in clean:
                held = said(path.read_bytes(), secrets)
                found += [f"{path}: {secret}" for secret in held]
                clean |= set() if held else {version}
    return found


def said(data: bytes, secrets: Collection[str]) -> list[str]:
    """Those of `secrets` that stand in `data`: plain, escaped, packed, or in base64, and these inside each other."""
    written = {secret: _written(secret) for secret in secrets}
    forms = list(_forms(data, _DEPTH))
    return [secret for secret, ways in written.items() if any(way in form for form in forms for way in ways)]


def _written(secret: str) -> tuple[bytes, ...]:
    low = secret.lower()
    escaped = {json.dumps(low, ensure_ascii=narrow)[1:-1].lower().encode() for narrow in (True, False)}
    return (low.encode(), low.encode("utf-16-le"), *escaped)


def _forms(data: bytes, depth: int) -> Iterator[bytes]:
    yield data.lower()
    if b"\\u" in data:
        yield _ESCAPED.sub(lambda hit: chr(int(hit[1], 16)).encode(errors="replace"), data).lower()
    if depth == 0:
        return
    for inner in (*_unpacked(data), *_decoded(data)):
        yield from _forms(inner, depth - 1)


def _unpacked(data: bytes) -> Iterator[bytes]:
    for magic, unpack in _PACKED.items():
        if data.startswith(magic):
            with suppress(OSError, EOFError, ValueError, zlib.error, lzma.LZMAError):
                yield unpack(data)
    with suppress(tarfile.TarError), tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isreg() else None
            yield member.name.encode() + b"\n" + (content.read() if content else b"")
    if data.startswith(b"PK\x03\x04"):
        with suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield from (name.encode() + b"\n" + archive.read(name) for name in archive.namelist())


def _decoded(data: bytes) -> Iterator[bytes]:
    whole = []
    for run in _BASE64.findall(data):
        body = run.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
        # Where it begins inside other letters, any of four beginnings may be the true one.
        for start in range(4):
            part = body[start : start + (len(body) - start) // 4 * 4]
            rest = body[start + len(part) :]
            with suppress(binascii.Error):
                whole.append(base64.b64decode(part + (rest + b"==" if len(rest) > 1 else b"")[:4]))
    yield from (part for part in whole if part.startswith(tuple(_PACKED)))
    if whole:
        yield b"\n".join(whole)
