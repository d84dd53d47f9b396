"""The files of releases, as a measured program has left them: none can keep the driver waiting, or fill its memory."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from runner.driver.suites.stage import CannotRun

CARD = "release.json"
LONGEST_CARD = 4 << 20
#: More than any release may hold; a file can claim any size without having it.
MOST_BYTES = 4 << 30
#: Ends a name that no release brings along.
_MOVED = "ab9e3f7c out of the way"


@dataclass(frozen=True, slots=True)
class Release:
    """One on disk: the bytes of its card, the object in them, the digests of its files by path, and its largest one."""

    data: bytes
    card: dict[str, Any]
    files: dict[str, str]
    largest: str

    @property
    def index(self) -> str:
        """The index that it names."""
        return str(self.card["index"])


def opened(path: str, flags: int = os.O_RDONLY) -> int:
    """The descriptor of a regular file; OSError where it is anything else, which may never come to an end."""
    end = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(end).st_mode):
        os.close(end)
        raise OSError(errno.EINVAL, "no regular file", path)
    return end


def read_release(folder: str, name: str) -> Release:
    """The release that `build` has left in `folder`, called `name` in messages; CannotRun where it is none."""
    try:
        with open(opened(os.path.join(folder, CARD)), "rb") as file:
            data = file.read(LONGEST_CARD)
        card, found = json.loads(data), _entries(folder)
        "".join(found).encode()
        strange = [path for path, status in found.items() if not stat.S_ISREG(status.st_mode)]
        if strange:
            raise CannotRun(f"`build` left {strange[0]!r} in {name}, which is no regular file.")
        if not _names_files(card) or found.keys() == {CARD}:
            raise CannotRun(f"`build` left no release.json with an index and files in {name}.")
        files = {path: digest for path, digest in digests(folder).items() if path != CARD}
        return Release(data, card, files, max(files, key=lambda path: found[path].st_size))
    except (OSError, ValueError, KeyError, RecursionError):
        raise CannotRun(f"`build` left no release.json that can be read, or no files, in {name}.") from None


def digests(folder: str) -> dict[str, str]:
    """The digest of every regular file below `folder`, by path."""
    found = {path: status for path, status in _entries(folder).items() if stat.S_ISREG(status.st_mode)}
    if sum(status.st_size for status in found.values()) > MOST_BYTES:
        raise CannotRun(f"{os.path.basename(folder)} holds more than {MOST_BYTES >> 30} GiB.")
    return {path: digest_of(os.path.join(folder, path)) for path in found}


def digest_of(path: str) -> str:
    """The digest of one file, as manifests have it."""
    with open(opened(path), "rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()


def flip(path: str) -> None:
    """Change one bit in the middle of a file."""
    os.chmod(path, 0o600)
    end = opened(path, os.O_RDWR)
    try:
        place = os.fstat(end).st_size // 2
        byte = os.pread(end, 1, place)
        os.pwrite(end, bytes([byte[0] ^ 1]) if byte else b"x", place)
    finally:
        os.close(end)


def remove(folder: str) -> None:
    """Remove a folder, however deep it is: each folder in it is brought up to its top before that one is emptied."""
    waiting, count = [folder], 0
    with suppress(OSError):
        while waiting:
            place = waiting.pop()
            for entry in list(os.scandir(place)):
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry.path)
                    continue
                os.chmod(entry.path, 0o700)
                count += 1
                waiting.append(os.path.join(folder, f"{count} {_MOVED}"))
                os.rename(entry.path, waiting[-1])
            if place != folder:
                os.rmdir(place)
        os.rmdir(folder)


def _entries(folder: str) -> dict[str, os.stat_result]:
    """All below `folder` but for folders, by path; no link is followed."""
    found = {}
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = os.path.join(place, name)
            status = os.lstat(path)
            if not stat.S_ISDIR(status.st_mode):
                found[os.path.relpath(path, folder)] = status
    return dict(sorted(found.items()))


def _names_files(card: object) -> bool:
    """Whether a card names an index, and files."""
    if not isinstance(card, dict) or not isinstance(card.get("index"), str):
        return False
    return isinstance(card.get("files"), dict) and bool(card["files"])
