"""The log of an annotator's strokes: each on the disk before it is shown, and one program at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runner.documents import Source
from runner.errors import Unavailable
from runner.retrieval.annotation import Stroke


class StrokeLog:
    """A log that this process alone adds to; `source` is what it held when it was opened."""

    def __init__(self, descriptor: int, source: Source) -> None:
        self._descriptor = descriptor
        self.source = source

    def add(self, stroke: Stroke) -> None:
        """Write `stroke` and see it to the disk."""
        os.write(self._descriptor, stroke.canonical() + b"\n")
        os.fsync(self._descriptor)


@contextmanager
def open_strokes(path: Path) -> Iterator[StrokeLog]:
    """Hold the log at `path`, made if it is not there; a last line that a power cut left half written is cut off."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Unavailable(f"{path}: another annotator program has it open.", advice="Close that one.") from None
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        os.ftruncate(descriptor, len(whole))
        yield StrokeLog(descriptor, Source(str(path), whole))
    finally:
        os.close(descriptor)
