"""Finds the done markers and synchronized updates in what a UI wrote, wherever the reads cut it."""

from __future__ import annotations

import re
from typing import NamedTuple

#: The end of a frame (images/README.md, Frames).
MARKER = (
    rb"\x1b\]7777;mambo;submit=(?P<submit>[0-9]{1,9});frame=(?P<frame>[0-9]{1,9})"
    rb";state=(?P<state>typing|busy|done)\x1b\\"
)
_TOKEN = re.compile(rb"\x1b\[\?2026(?P<sync>[hl])|" + MARKER)
_LONGEST = 80


class Mark(NamedTuple):
    """A frame's marker. `end` is its offset in the read that completed it; `whole` says no update was still open."""

    submit: int
    frame: int
    state: str
    end: int
    whole: bool


class Marks:
    """Follows one UI process, read by read."""

    def __init__(self) -> None:
        self._tail = b""
        self.updating = False

    def feed(self, data: bytes) -> list[Mark]:
        """The markers that `data` completes."""
        joined, offset = self._tail + data, len(self._tail)
        marks: list[Mark] = []
        used = 0
        for token in _TOKEN.finditer(joined):
            used = token.end()
            if token["sync"]:
                self.updating = token["sync"] == b"h"
                continue
            state = token["state"].decode()
            marks.append(Mark(int(token["submit"]), int(token["frame"]), state, used - offset, not self.updating))
        self._tail = joined[used:][-_LONGEST:]
        return marks
