"""Frames as the interface wants them: one write each, only the rows that changed, closed by the marker."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from .graphics import FORGET_ALL
from .screen import Picture
from .session import Phase

_BEGIN, _END = "\x1b[?2026h", "\x1b[?2026l"


class Mark(NamedTuple):
    """What the marker says beside the frame's own number."""

    submit: int
    phase: Phase


class Frames:
    """Knows what stands on the terminal, so that a frame need not draw it again."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._count = 0
        self._rows: dict[int, str] = {}
        self._cursor_shown: bool | None = None
        self._overlay = ""

    @property
    def count(self) -> int:
        """Frames drawn so far."""
        return self._count

    def forget(self) -> None:
        """Whatever stands on the terminal is not ours any more: the next frame clears it and draws all."""
        self._rows = {}
        self._cursor_shown = None

    def draw(self, picture: Picture, mark: Mark, anyway: Collection[int]) -> None:
        """Draws `picture`: the rows that differ, those of `anyway`, and the query line, where the cursor ends."""
        if picture.overlay != self._overlay:
            self.forget()
        parts = [_BEGIN] if self._rows else [_BEGIN, FORGET_ALL if self._overlay else "", "\x1b[0m\x1b[2J"]
        parts += [row for number, row in picture.rows.items() if number in anyway or self._rows.get(number) != row]
        if not self._rows:
            parts.append(picture.overlay)
        parts.append(picture.line)
        parts.append(self._cursor(picture))
        self._count += 1
        marker = f"\x1b]7777;mambo;submit={mark.submit};frame={self._count};state={mark.phase.value}\x1b\\"
        self._write("".join((*parts, _END, marker)).encode("utf-8", "replace"))
        self._rows, self._overlay = picture.rows, picture.overlay

    def _cursor(self, picture: Picture) -> str:
        shows = picture.cursor is not None
        switch = "" if shows == self._cursor_shown else "\x1b[?25h" if shows else "\x1b[?25l"
        self._cursor_shown = shows
        return (picture.cursor or "") + switch
