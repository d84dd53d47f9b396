"""Keeps what this checkout saw last of trust files and logs, so that nothing older is taken for the present."""

from __future__ import annotations

import errno
import fcntl
from collections.abc import Callable
from pathlib import Path

from runner.adapters.formats import read_document
from runner.adapters.store import replace
from runner.provenance.trust import Memory

_READ_ONLY = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


class MemoryFile:
    """The file `.keys/seen.json` of a checkout."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Memory:
        """What was seen; nothing at first."""
        if not self._path.exists():
            return Memory(format="mambomeme/seen/v1", roots={})
        return read_document(self._path, Memory)

    def change(self, how: Callable[[Memory], Memory]) -> Memory:
        """Write what `how` makes of what is remembered now, whole, where it says something new; no other process
        remembers anything meanwhile."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            before = self.read()
            after = how(before)
            if after != before:
                replace(self._path, after.pretty())
        return after

    def change_if_allowed(self, how: Callable[[Memory], Memory]) -> Memory:
        """As `change`; a checkout that only reads forgets."""
        try:
            return self.change(how)
        except OSError as error:
            if error.errno not in _READ_ONLY:
                raise
            return how(self.read())
