"""Spoils releases: every kind of wrong digest, each in a copy of a good one."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

CARD = "release.json"
#: Of a release with more files than these, a byte is changed in these many, spread over all.
MOST_FILES = 6
OTHER = "sha256:" + "0" * 64

Spoil = Callable[[str], None]


def spoils(files: list[str]) -> Iterator[tuple[str, str, Spoil]]:
    """Rule, name, and what it does to the copy in a folder; `files` are those that the release names."""
    step = max(1, len(files) // MOST_FILES)
    for name in files[::step][:MOST_FILES]:
        yield "refuses-changed-files", f"a byte of {name}", partial(_flip_in, name)
    yield "refuses-missing-files", f"no {files[0]}", lambda folder: os.unlink(os.path.join(folder, files[0]))
    yield "refuses-missing-files", f"no {CARD}", lambda folder: os.unlink(os.path.join(folder, CARD))
    yield "refuses-extra-files", "a file that is not named", lambda folder: _add(os.path.join(folder, "more.json"))
    for key in ("corpus", "index", "model"):
        yield "refuses-wrong-card", f"another {key}", partial(_edit, {key: OTHER})
    yield "refuses-wrong-card", "another format", partial(_edit, {"format": "mambo-release/v0"})
    yield "refuses-wrong-card", "another digest of a file", partial(_edit, {"files": {files[0]: OTHER}})
    yield "refuses-wrong-card", "half of it", lambda folder: _cut(os.path.join(folder, CARD))


def flip(path: str) -> None:
    """Change one bit in the middle of a file."""
    os.chmod(path, 0o600)
    with open(path, "r+b") as file:
        data = file.read()
        place = len(data) // 2
        file.seek(place)
        file.write(bytes([data[place] ^ 1]) if data else b"x")


def copy(source: str, target: str) -> None:
    """A fresh copy of a folder."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)


def digests(folder: str) -> dict[str, str]:
    """The digest of every file below `folder`, but for the card, by path."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
    found.pop(CARD, None)
    return dict(sorted(found.items()))


def _add(path: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write("{}\n")


def _cut(path: str) -> None:
    os.truncate(path, os.path.getsize(path) // 2)


def _flip_in(name: str, folder: str) -> None:
    flip(os.path.join(folder, name))


def _edit(changes: dict[str, Any], folder: str) -> None:
    path = os.path.join(folder, CARD)
    with open(path, encoding="utf-8") as file:
        card = json.load(file)
    for key, value in changes.items():
        card[key] = {**card[key], **value} if isinstance(value, dict) else value
    os.chmod(path, 0o600)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(card, file)
