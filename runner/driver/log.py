"""The raw log: events kept in memory while it matters, then sealed into the hash chain."""

from __future__ import annotations

import base64
import errno
import os
import time
from io import FileIO
from typing import Any

from runner.provenance.chain import seal

#: What one event weighs in memory beside its bytes; bounds a flood of small ones.
EVENT_WEIGHT = 200
#: What a system may send in one request, or while it starts.
FLOOD = 1 << 20
#: How the operating system says that a disk is full.
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})


class LogFull(Exception):
    """The disk has no room for the log; no fault of the system that is measured."""


class RawLog:
    """Writes the files of `folder` as one chain that follows `start` (hex)."""

    def __init__(self, folder: str, start: str) -> None:
        self._folder = folder
        self._file: FileIO | None = None
        self._waiting: list[tuple[int, str, dict[str, Any]]] = []
        self.chain = start
        self.files: list[dict[str, Any]] = []
        self.weight = 0

    def open(self, name: str, **fields: Any) -> None:
        """Begin the file `name`; its first event is `open` with `fields`."""
        self._file = FileIO(os.path.join(self._folder, name), "x")
        self.files.append({"name": name, "lines": 0, "chain": self.chain})
        self.add("open", **fields)

    def add(self, kind: str, t: int | None = None, /, **fields: Any) -> None:
        """Keep one event, stamped `t` or now; costs no encoding yet. Values of type bytes become base64."""
        self.weight += EVENT_WEIGHT + len(fields.get("b64", b""))
        self._waiting.append((time.monotonic_ns() if t is None else t, kind, fields))

    def flooded(self, since: int) -> bool:
        """Whether more has come than is decent since `weight` was `since`."""
        return self.weight > since + FLOOD

    def flush(self) -> None:
        """Seal what waits and hand it to the operating system; LogFull where the disk has no room for all of it."""
        if self._file is None:
            return
        lines, chain = bytearray(), self.chain
        for t, kind, fields in self._waiting:
            line, chain = seal(chain, {"t": t, "e": kind, **_encoded(fields)})
            lines += line
        self._write(self._file, memoryview(lines))
        self.chain = chain
        self.files[-1]["lines"] += len(self._waiting)
        self.files[-1]["chain"] = self.chain
        self._waiting.clear()

    def _write(self, file: FileIO, data: memoryview) -> None:
        """All of `data`, or nothing."""
        before = file.tell()
        try:
            while data:
                data = data[file.write(data) :]
        except OSError as error:
            file.seek(before)
            file.truncate()
            if error.errno in NO_ROOM:
                raise LogFull(error.strerror) from None
            raise

    def close(self, requests: int) -> None:
        """End the open file, if there is one."""
        if self._file is None:
            return
        self.add("close", requests=requests)
        self.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._file = None


def require_unused(folder: str) -> None:
    """Make `folder` where it is not there; OSError where it cannot be written, or holds a log already."""
    os.makedirs(folder, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), folder)
    for name in os.listdir(folder):
        if name.endswith(".jsonl"):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.path.join(folder, name))


def _encoded(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        key: base64.b64encode(value).decode() if isinstance(value, bytes) else value for key, value in fields.items()
    }
