"""Which files of a project folder go into an image: no byte code, no hidden files, nothing but plain files."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from runner.adapters.image.tree import File, file_digest
from runner.errors import BadInput

_SKIPPED = {"__pycache__"}


def source_files(folder: Path) -> dict[str, Path]:
    """Files below `folder` by their path in it, sorted; BadInput for links and anything else that is no plain file."""
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder.")
    return dict(sorted((path.relative_to(folder).as_posix(), path) for path in _walk(folder)))


def project_files(folder: Path) -> dict[str, Path]:
    """As `source_files`, without what git ignores: a file that a build or a try-out left there is no source."""
    files = source_files(folder)
    ignored = _ignored(folder, list(files))
    return {name: path for name, path in files.items() if name not in ignored}


def digests(files: dict[str, Path]) -> dict[str, str]:
    """Content and execute bit of each file, as one word."""
    return {name: f"{file_digest(path)} {_mode(path):o}" for name, path in files.items()}


def file_node(path: Path) -> File:
    """The file at `path` with one of two modes, whatever the umask was when it was made."""
    return File(path.read_bytes(), _mode(path))


def _ignored(folder: Path, names: list[str]) -> set[str]:
    """Those of `names` that git ignores; none where there is no git, or where it ignores the folder as a whole."""
    ask = ["git", "-C", str(folder), "check-ignore"]
    try:
        whole = subprocess.run([*ask, "-q", "."], capture_output=True, check=False)
        listed = subprocess.run(
            [*ask, "-z", "--stdin"], input="\0".join(names).encode(), capture_output=True, check=False
        )
    except FileNotFoundError:
        return set()
    return set() if whole.returncode == 0 else set(listed.stdout.decode().split("\0"))


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
