"""Keeps a whole result in one compressed file, and opens such files as folders are opened."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import zstandard

from runner.adapters.bundles import pack, unpack
from runner.adapters.formats import name_of, read_bytes
from runner.adapters.frames import framer
from runner.adapters.store import UNFINISHED, FinishedResult, OpenedResult
from runner.errors import BadInput
from runner.ports import ResultFolder

ENDING = ".tar.zst"
#: What an archive comes to at most; an official result of three systems has 72 million bytes.
LARGEST_BYTES = 512_000_000
LEVEL = 16
ADVICE = "Get it again from whoever published it. If another program packed it, unpack it and name the folder."


def archive(name: str, files: Mapping[str, bytes]) -> bytes:
    """The result `name` as one file, a tar of its folder in one zstd frame; equal files give equal bytes."""
    whole = pack({f"{name}/{file}": data for file, data in files.items()})
    return framer(LEVEL, len(whole)).compress(whole)


def open_result(path: Path) -> ResultFolder:
    """A finished result: a folder, or the archive of one; BadInput where it is neither."""
    return OpenedResult(_files(path)) if path.is_file() else FinishedResult(path)


def is_archive(path: Path) -> bool:
    """Whether a file begins as archives of results do."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(zstandard.FRAME_HEADER)) == zstandard.FRAME_HEADER


def result_name(path: Path) -> str:
    """What a result is called, whether it is a folder or an archive."""
    return path.name.removesuffix(ENDING)


def log_beside(path: Path) -> Path | None:
    """The log of runs in the folder that a result lies in, if there is one that speaks of it."""
    place = path.absolute().parent / "log.jsonl"
    return place if place.is_file() and result_name(path.absolute()).encode() in place.read_bytes() else None


def _files(path: Path) -> dict[str, bytes]:
    """The files of an archived result; what it comes to is known, and bounded, before anything is unpacked."""
    where = name_of(path)
    if path.stat().st_size > LARGEST_BYTES:
        raise BadInput(f"{where}: is larger than any result, {LARGEST_BYTES} bytes at most.", advice=ADVICE)
    named = unpack(_unpacked(read_bytes(path), where), where, ADVICE)
    if len({name.partition("/")[0] for name in named}) != 1 or not all("/" in name for name in named):
        raise BadInput(f"{where}: does not hold one folder, that of a result.", advice=ADVICE)
    if min(named).partition("/")[0].endswith(UNFINISHED):
        raise BadInput(f"{where}: holds what a run left that broke off.", advice="Unpack it, and name the folder.")
    return {name.partition("/")[2]: data for name, data in named.items()}


def _unpacked(data: bytes, where: str) -> bytes:
    try:
        if not 0 <= zstandard.frame_content_size(data) <= LARGEST_BYTES:
            what = (
                f"{where}: comes to more than any result, {LARGEST_BYTES} bytes at most, or does not say to how much."
            )
            raise BadInput(what, advice=ADVICE)
        return zstandard.ZstdDecompressor().decompress(data, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise BadInput(f"{where}: no whole archive of a result: {error}.", advice=ADVICE) from None
