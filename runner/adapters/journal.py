"""The file of the steward's log: appended to by one process at a time, never rewritten."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runner.provenance.journal import Entry, Place, journal_line, read_journal


class OpenJournal:
    """The log while this process alone may append."""

    def __init__(self, path: Path, place: Place, descriptor: int) -> None:
        self._descriptor = descriptor
        self.place = place
        self.path = path

    def append(self, entry: Entry) -> None:
        """Add `entry` at the place and see it to the disk."""
        line = journal_line(entry, self.place)
        os.write(self._descriptor, line)
        os.fsync(self._descriptor)


class Journal:
    """The log at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @contextmanager
    def turn(self) -> Iterator[OpenJournal]:
        """Wait for the log, check the whole of it, and hold it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            _, place = read_journal(self._path.read_bytes(), str(self._path))
            yield OpenJournal(self._path, place, descriptor)
        finally:
            os.close(descriptor)
