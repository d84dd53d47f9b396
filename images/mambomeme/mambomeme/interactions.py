"""The file of interaction events: written line by line beside the screen, deleted with one command.

`python3 -m mambomeme.interactions delete FILE`
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import queue
import stat
import sys
import threading
from collections.abc import Sequence

FORMAT = "mambo-interactions/v1"
_MOST_WAITING = 1000
_PATIENCE_SECONDS = 1.0
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_USAGE = "usage: python3 -m mambomeme.interactions delete FILE\n"


class EventFile:
    """Appends lines to `path` from a thread of its own, each with one write, whole or not at all.

    Whoever hands it a line never waits. `trouble` says why the last line could not be written; `lost` counts those.
    """

    def __init__(self, path: str) -> None:
        self.trouble = ""
        self.lost = 0
        self._path = path
        self._descriptor = -1
        self._lines: queue.Queue[bytes | None] = queue.Queue(_MOST_WAITING)
        self._writer = threading.Thread(target=self._write_all, daemon=True)
        self._writer.start()

    def add(self, line: bytes) -> None:
        """Has `line` (without its newline) written soon."""
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            self.lost += 1

    def close(self) -> None:
        """Waits for what is not yet written, but not for a disk that hangs."""
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(None)
            self._writer.join(_PATIENCE_SECONDS)

    def _write_all(self) -> None:
        while (line := self._lines.get()) is not None:
            try:
                self._append(line + b"\n")
                self.trouble = ""
            except OSError as error:
                self.trouble = f"{self._path}: {_why(error)}"
                self.lost += 1

    def _append(self, line: bytes) -> None:
        if self._descriptor < 0:
            self._descriptor = _opened(self._path)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        try:
            size = os.fstat(self._descriptor).st_size
            if os.write(self._descriptor, line) < len(line):
                os.ftruncate(self._descriptor, size)
                raise OSError("only a part could be written")
        finally:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)


def _opened(path: str) -> int:
    descriptor = os.open(path, _FLAGS, 0o600)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError("not a file")
    return descriptor


def cannot_record(path: str) -> str:
    """Why no events can be added to the file at `path`, which is made where there is none; empty where they can."""
    try:
        os.close(_opened(path))
        _require_events(path)
    except (OSError, ValueError) as error:
        return _why(error)
    return ""


def _require_events(path: str) -> None:
    with open(path, "rb") as file:
        first = file.readline()
    try:
        value = json.loads(first) if first.strip() else {"format": FORMAT}
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ValueError("holds no interaction events, and stays")


def _why(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


def delete(path: str) -> None:
    """Removes the file at `path`; ValueError where it does not hold interaction events."""
    _require_events(path)
    os.unlink(path)


def main(arguments: Sequence[str]) -> int:
    """0 where the file is gone, 65 where it is another kind of file, 64 for other words."""
    if len(arguments) != 2 or arguments[0] != "delete":
        sys.stderr.write(_USAGE)
        return 64
    try:
        delete(arguments[1])
    except (OSError, ValueError) as error:
        sys.stderr.write(f"mambomeme: {arguments[1]}: {_why(error)}.\n")
        return 65
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
