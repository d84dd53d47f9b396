"""Reads single files out of distribution packages without installing them."""

from __future__ import annotations

import subprocess
import tarfile
from collections.abc import Iterable
from pathlib import Path

from drawing.faults import PreviewError


def read_files(packages: Iterable[Path], wanted: frozenset[str]) -> dict[str, bytes]:
    """The bytes of each `wanted` path (without the leading slash); PreviewError if one or a package is missing."""
    found: dict[str, bytes] = {}
    for package in packages:
        found.update(_read_package(package, wanted))
    missing = sorted(wanted - found.keys())
    if missing:
        raise PreviewError(
            f"{missing[0]}: in none of the packages given. Name the package that holds it with --package."
        )
    return found


def _read_package(package: Path, wanted: frozenset[str]) -> dict[str, bytes]:
    if not package.is_file():
        raise PreviewError(f"{package}: no such package file. Fetch it first.")
    found: dict[str, bytes] = {}
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE) as unpacker:
        try:
            with tarfile.open(fileobj=unpacker.stdout, mode="r|") as archive:
                for member in archive:
                    path = member.name.removeprefix("./")
                    handle = archive.extractfile(member) if path in wanted and member.isfile() else None
                    if handle is not None:
                        found[path] = handle.read()
        except tarfile.TarError as error:
            raise PreviewError(f"{package}: cannot be read as a package ({error}). Fetch it again.") from None
    if unpacker.returncode:
        raise PreviewError(f"{package}: dpkg-deb ended with status {unpacker.returncode}. Fetch it again.")
    return found
