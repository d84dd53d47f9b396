"""Keeps what this checkout saw last of trust files and logs, so that nothing older is taken for the present."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from runner.adapters.formats import read_document
from runner.adapters.store import replace
from runner.provenance.trust import Memory


class MemoryFile:
    """The file `.keys/seen.json` of a checkout."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Memory:
        """What was seen; nothing at first."""
        if not self._path.exists():
            return Memory(format="mambomeme/seen/v1", roots={})
        return read_document(self._path, Memory)

    def keep(self, memory: Memory) -> None:
        """Write it whole, where it says something new."""
        if memory != self.read():
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace(self._path, memory.pretty())

    def keep_if_allowed(self, memory: Memory) -> None:
        """As `keep`; a checkout that only reads forgets."""
        with suppress(PermissionError):
            self.keep(memory)
