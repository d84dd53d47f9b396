"""The file of the steward's log: appended to by one process at a time, never rewritten but for an entry that
was only half written."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runner.documents import Source
from runner.errors import MAKE_ROOM, Unavailable
from runner.provenance.journal import Entry, RunLog, read_log

#: How an entry begins and ends, but for its newline.
_BEGIN, _END = b'{"index":', b'"}'


class OpenJournal:
    """The log while this process alone may append."""

    def __init__(self, log: RunLog, descriptor: int) -> None:
        self._descriptor = descriptor
        self.log = log

    def append(self, entry: Entry) -> None:
        """Add `entry` and see it to the disk, the whole of it or nothing."""
        log, line = self.log.followed_by(entry)
        before = os.fstat(self._descriptor).st_size
        try:
            written = os.write(self._descriptor, line)
            os.fsync(self._descriptor)
        except OSError as error:
            os.ftruncate(self._descriptor, before)
            error.filename = log.name
            raise
        if written < len(line):
            os.ftruncate(self._descriptor, before)
            raise Unavailable(f"{log.name}: only part of an entry could be written.", advice=MAKE_ROOM)
        self.log = log


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
            data = self._path.read_bytes()
            whole = _without_half(data)
            log = read_log(Source(str(self._path), whole))
            if len(whole) < len(data):
                os.ftruncate(descriptor, len(whole))
            yield OpenJournal(log, descriptor)
        finally:
            os.close(descriptor)


def _without_half(data: bytes) -> bytes:
    """A log without what a writer that was killed had begun of an entry: nothing followed from it."""
    size = data.rfind(b"\n") + 1
    rest = data[size:]
    half = rest[: len(_BEGIN)] == _BEGIN[: len(rest)] and not rest.endswith(_END)
    return data[:size] if half else data
