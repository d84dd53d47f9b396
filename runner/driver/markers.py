"""Finds in a terminal's output what the driver must react to: frame markers, and questions to the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from runner.terminal.frames import MARKER
from runner.terminal.profile import QUERY

#: No marker and no question is longer; a split one is kept this far.
LONGEST = 96
_TOKEN = re.compile(MARKER + rb"|" + QUERY)


class Marker(NamedTuple):
    """The end of one frame."""

    submit: int
    frame: int
    state: str


class Question(NamedTuple):
    """A sequence that the terminal answers; `end` is its end in the chunk that completed it."""

    sequence: bytes
    end: int


class Scanner:
    """Takes chunks as they were read and gives what they complete, in order."""

    def __init__(self) -> None:
        self._kept = b""

    def feed(self, chunk: bytes) -> Iterator[Marker | Question]:
        """What `chunk` completes."""
        data, offset, end = self._kept + chunk, len(self._kept), 0
        for token in _TOKEN.finditer(data):
            end = token.end()
            yield _read(token, end - offset)
        self._kept = data[max(end, len(data) - LONGEST) :]


def _read(token: re.Match[bytes], end: int) -> Marker | Question:
    if token["state"] is None:
        return Question(token[0], end)
    return Marker(int(token["submit"]), int(token["frame"]), token["state"].decode())
