"""Which files of a project folder go into an image: no byte code, no hidden files, nothing but plain files."""

from __future__ import annotations

import os
from pathlib import Path

from runner.adapters.image.tree import File, file_digest
from runner.errors import BadInput

_SKIPPED = {"__pycache__"}


def source_files(folder: Path) -> dict[str, Path]:
    """Files below `folder` by their path in it, sorted; BadInput for links and anything else that is no plain file."""
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder.")
    return dict(sorted((path.relative_to(folder).as_posix(), path) for path in _walk(folder)))


def digests(files: dict[str, Path]) -> dict[str, str]:
    """Content and execute bit of each file, as one word."""
    return {name: f"{file_digest(path)} {_mode(path):o}" for name, path in files.items()}


def file_node(path: Path) -> File:
    """The file at `path` with one of two modes, whatever the umask was when it was made."""
    return File(path.read_bytes(), _mode(path))


def _mode(path: Path) -> int:
    return 0o755 if path.stat().st_mode & 0o100 else 0o644


def _walk(folder: Path) -> list[Path]:
    found = []
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if _wanted(name))
        for name in [*folders, *filter(_wanted, names)]:
            path = Path(top) / name
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                raise BadInput(f"{path}: is no plain file.", advice="Put the file itself there.")
            if path.is_file():
                found.append(path)
    return found


def _wanted(name: str) -> bool:
    return name not in _SKIPPED and not name.startswith(".") and not name.endswith(".pyc")
