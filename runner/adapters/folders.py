"""Writes the files of one step into a new folder, all of them or none."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from runner.errors import BadInput
from runner.provenance.statement import STATEMENT


def outside_results(to: Path) -> None:
    """BadInput where `to` lies in a finished result: with a file too many it would not verify any longer."""
    for place in to.absolute().resolve().parents:
        if (place / STATEMENT).is_file():
            raise BadInput(f"{to}: lies inside the result {place.name}.", advice="Name a place outside of it.")


def write_folder(to: Path, files: Mapping[str, Iterable[bytes]], *, mode: int = 0o755) -> None:
    """The files by name, each given in pieces, in the new folder `to` of that mode; an existing one is refused, and
    so is a name that leads out of it."""
    outside_results(to)
    if to.exists() or to.is_symlink():
        raise BadInput(f"{to}: exists already.", advice="Name a new folder.")
    to.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=to.parent, prefix=".writing-"))
    try:
        for name, pieces in files.items():
            if not (scratch / name).resolve().is_relative_to(scratch.resolve()):
                raise BadInput(f"{to}: {name!r} would lie outside of it.", advice="Trust nothing that came with it.")
            (scratch / name).parent.mkdir(parents=True, exist_ok=True)
            with (scratch / name).open("wb") as file:
                file.writelines(pieces)
                file.flush()
                os.fsync(file.fileno())
        scratch.chmod(mode)
        scratch.rename(to)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def read_folder(folder: Path) -> Mapping[str, bytes]:
    """The plain files right in a folder."""
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder.")
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
