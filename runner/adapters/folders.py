"""Writes the files of one step into a new folder, all of them or none."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from runner.errors import BadInput


def write_folder(to: Path, files: Mapping[str, Iterable[bytes]], *, mode: int = 0o755) -> None:
    """The files by name, each given in pieces, in the new folder `to` of that mode; an existing one is refused."""
    if to.exists():
        raise BadInput(f"{to}: exists already.", advice="Name a new folder.")
    to.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=to.parent, prefix=".writing-"))
    try:
        for name, pieces in files.items():
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
