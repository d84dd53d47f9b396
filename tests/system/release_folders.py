"""What a release in a folder is, seen from outside."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path


def release_id(folder: Path) -> str:
    """The id of the release in `folder`."""
    return sha256(folder / "release.json")


def sha256(path: Path) -> str:
    """A file's digest."""
    return "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()


def is_whole(folder: Path) -> bool:
    """Whether a release holds exactly the files that it names, unchanged."""
    named = json.loads((folder / "release.json").read_bytes())["files"]
    there = {path.relative_to(folder).as_posix(): sha256(path) for path in folder.rglob("*") if path.is_file()}
    there.pop("release.json")
    return there == named


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below `folder`."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
