"""Where the passphrase of a key comes from: a file, the environment, or whoever sits there."""

from __future__ import annotations

import os
import sys
from functools import cache
from getpass import getpass
from pathlib import Path

from runner.errors import UsageError

FILE, WORDS = "MAMBO_PASSPHRASE_FILE", "MAMBO_PASSPHRASE"


def passphrase(path: Path) -> bytes:
    """That of the key in `path`."""
    return _given() or _typed(path, "Passphrase")


def new_passphrase(path: Path) -> bytes:
    """One for the key in `path` that is about to be made; typed twice, where it is typed."""
    given = _given()
    if given is not None:
        return given
    first = _typed(path, "New passphrase")
    if _typed(path, "Once more") != first:
        raise UsageError("The two passphrases differ.", advice="Try again.")
    return first


def _given() -> bytes | None:
    place, words = os.environ.get(FILE), _words()
    if place:
        return Path(place).read_bytes().rstrip(b"\r\n")
    return os.fsencode(words) if words else None


@cache
def _words() -> str | None:
    """That of the environment, for every key that is asked for; no process that is started later finds it there."""
    return os.environ.pop(WORDS, None)


def _typed(path: Path, what: str) -> bytes:
    if not sys.stdin.isatty():
        raise UsageError(f"{path}: needs its passphrase.", advice=f"Type it at a terminal, or set {FILE}.")
    return getpass(f"{what} of {path}: ", stream=sys.stderr).encode()
