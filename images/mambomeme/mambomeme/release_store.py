"""The published releases on disk: one file says which is current and which were before, and changes in one step."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from mambomeme.catalogue import Loader
from mambomeme.faults import StartError
from mambomeme.release_files import CARD, ReleaseError, check_release, open_plain, read_card, require_listing

KEPT = 16
"""Releases that are kept, the current one among them: so far back a rollback can go."""

_NAME = re.compile(r"(\d{6,})-([0-9a-f]{64})")


class BusyError(Exception):
    """Another publisher is at work."""


class Store:
    """The folder MAMBO_RELEASES.

    `store/<number>-<id>/` is a copy of a published release and never changes. `history` names the copies that count, a
    line each, oldest first: the last is current. A copy that it does not name is a leftover. Whoever changes anything
    holds `lock`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._store, self._history = folder, folder / "store", folder / "history"

    def history(self) -> tuple[str, ...]:
        """The names of the copies that count, the current one last; empty where none is published."""
        try:
            text = self._history.read_bytes()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise StartError(f"{self._history}: {error.strerror}. Make it readable.") from None
        names = text.decode("ascii", "replace").splitlines()
        if not names or not all(map(_NAME.fullmatch, names)):
            raise StartError(f"{self._history}: not a list of releases. Remove it, and publish again.")
        return tuple(names)

    def place(self, name: str) -> Path:
        """The folder of a copy."""
        return self._store / name

    def publish(self, source: Path, loader: Loader) -> str:
        """Copy the release in `source`, check the copy, make it current; its id.

        One that is current already is copied anew in place of itself. ReleaseError where the copy is not a whole
        release for this engine, BusyError beside another publisher; either way the old one stays current.
        """
        with self._alone():
            kept = self.history()
            self._clear(kept)
            try:
                name = self._take(source, loader, _number(kept) + 1)
                same = kept and release_id(kept[-1]) == release_id(name)
                self._switch((*(kept[:-1] if same else kept), name)[-KEPT:])
            finally:
                self._clear(self.history())
        return release_id(name)

    def rollback(self, loader: Loader) -> str:
        """Make the release current that was so before the present one; its id.

        The present one is forgotten, so that a second rollback goes one further back. ReleaseError where there is none,
        or where it is not whole any more.
        """
        with self._alone():
            kept = self.history()[:-1]
            if not kept:
                raise ReleaseError(f"{self._folder}: no release was current before the present one.")
            check_release(self.place(kept[-1]), loader)
            self._switch(kept)
        return release_id(kept[-1])

    def _take(self, source: Path, loader: Loader, number: int) -> str:
        """Copy a release, and check the copy; its name."""
        card = read_card(source)
        require_listing(source, card)
        name = f"{number:06}-{card.id.removeprefix('sha256:')}"
        _copy(source, self.place(name), [*card.files, CARD])
        check_release(self.place(name), loader)
        if read_card(self.place(name)).id != card.id:
            raise ReleaseError(f"{source / CARD}: changed while it was copied. Publish again.")
        _sync(self._store)
        return name

    def _switch(self, names: tuple[str, ...]) -> None:
        draft = self._folder / "history.new"
        with draft.open("w", encoding="ascii") as file:
            file.write("".join(f"{name}\n" for name in names))
            file.flush()
            os.fsync(file.fileno())
        draft.rename(self._history)
        _sync(self._folder)

    def _clear(self, kept: tuple[str, ...]) -> None:
        (self._folder / "history.new").unlink(missing_ok=True)
        for entry in self._store.iterdir():
            if entry.name not in kept:
                shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Holds the lock, which ends with its process however that ends."""
        self._store.mkdir(parents=True, exist_ok=True)
        with (self._folder / "lock").open("ab") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno not in {errno.EAGAIN, errno.EACCES}:
                    raise
                raise BusyError(f"{self._folder}: another publisher is at work. Try again later.") from None
            yield


def release_id(name: str) -> str:
    """The id of the release of which a copy is called `name`."""
    return "sha256:" + name.partition("-")[2]


def _number(kept: tuple[str, ...]) -> int:
    return int(kept[-1].partition("-")[0]) if kept else 0


def _copy(source: Path, target: Path, names: list[str]) -> None:
    """Copy files by their paths, so that they outlive a crash of the machine; nothing but plain files comes about."""
    target.mkdir()
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        with (
            open_plain(source / name) as original,
            (target / name).open("xb") as copy,
        ):
            shutil.copyfileobj(original, copy)
            copy.flush()
            os.fsync(copy.fileno())
    for place, _, _ in os.walk(target):
        _sync(Path(place))


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
