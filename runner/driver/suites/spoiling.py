"""Spoils releases: every kind of wrong digest, each in a copy of a good one."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from runner.driver.suites.release_files import CARD, Release, flip

#: Of a release with more files than these, a byte is changed in these many, spread over all, and in the largest.
MOST_FILES = 6
OTHER = "sha256:" + "0" * 64

Spoil = Callable[[str], None]
Each = TypeVar("Each")


def spoils(release: Release) -> Iterator[tuple[str, str, Spoil]]:
    """Rule, name, and what it does to the copy of a release in a folder."""
    files = list(release.files)
    for name in sorted({*spread(files, MOST_FILES), release.largest}):
        yield "refuses-changed-files", f"a byte of {name}", partial(_flip_in, name)
    yield "refuses-missing-files", f"no {files[0]}", lambda folder: os.unlink(os.path.join(folder, files[0]))
    yield "refuses-missing-files", f"no {CARD}", lambda folder: os.unlink(os.path.join(folder, CARD))
    yield "refuses-extra-files", "a file that is not named", partial(_write, "more.json", {})
    for what, changes in _wrong_cards(release.card, files[0]).items():
        yield "refuses-wrong-card", what, partial(_write, CARD, {**release.card, **changes})
    yield "refuses-wrong-card", "half of it", lambda folder: _cut(os.path.join(folder, CARD))


def spread(of: Sequence[Each], most: int) -> list[Each]:
    """`of`, or so many of it at even distances, the first and the last among them."""
    if len(of) <= most:
        return list(of)
    return [of[number * (len(of) - 1) // (most - 1)] for number in range(most)]


def _wrong_cards(card: Mapping[str, Any], file: str) -> dict[str, dict[str, Any]]:
    """What is changed in a card, by what that makes it."""
    named = {f"another {key}": {key: OTHER} for key in ("corpus", "index", "model")}
    return {
        **named,
        "another format": {"format": "mambo-release/v0"},
        "another digest of a file": {"files": {**card["files"], file: OTHER}},
    }


def copy(source: str, target: str) -> None:
    """A fresh copy of a folder."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)


def _cut(path: str) -> None:
    os.truncate(path, os.path.getsize(path) // 2)


def _flip_in(name: str, folder: str) -> None:
    flip(os.path.join(folder, name))


def _write(name: str, value: Mapping[str, Any], folder: str) -> None:
    path = os.path.join(folder, name)
    with suppress(FileNotFoundError):
        os.unlink(path)
    with open(path, "x", encoding="utf-8") as file:
        json.dump(value, file)
