"""Terminal emulators behind one interface, the two that must agree and a third: bytes in, 24 rows of text out."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from typing import Protocol

import pyte
from avt import Line, Vt  # type: ignore[attr-defined]
from pyghostty import Terminal

from runner.terminal.profile import COLUMNS, ROWS

#: What pyte raises on input that others take.
_PYTE_FAILS = (AssertionError, IndexError, KeyError, TypeError, ValueError)


class Screen(Protocol):
    """An emulator that follows one UI process from its first byte."""

    def feed(self, data: bytes) -> None:
        """Take bytes as they came; they may end inside a sequence or a character."""
        ...

    def rows(self) -> tuple[str, ...]:
        """The 24 rows shown, top first, each without trailing blanks. A wide character is one character here."""
        ...


class GhosttyScreen:
    """The emulator of the Ghostty terminal."""

    def __init__(self) -> None:
        self._terminal = Terminal(COLUMNS, ROWS, scrollback=0)

    def feed(self, data: bytes) -> None:
        """See Screen."""
        self._terminal.feed(data)

    def rows(self) -> tuple[str, ...]:
        """See Screen. The emulator leaves out empty rows at the end."""
        rows = [row.rstrip() for row in self._terminal.text().split("\n")]
        return tuple(rows[:ROWS] + [""] * (ROWS - len(rows)))


class PyteScreen:
    """pyte, the third opinion on a done frame, which decides nothing: docs/review.md lists what it misreads."""

    def __init__(self) -> None:
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._failed = False

    def feed(self, data: bytes) -> None:
        """See Screen. What it cannot take ends its opinion."""
        if not self._failed:
            try:
                self._stream.feed(data)
            except _PYTE_FAILS:
                self._failed = True

    def rows(self) -> tuple[str, ...]:
        """See Screen. All rows are empty once it has failed."""
        try:
            shown = [] if self._failed else self._screen.display
        except _PYTE_FAILS:
            shown = []
        return tuple(row.rstrip() for row in shown) or ("",) * ROWS


class AvtScreen:
    """The emulator of the asciinema web player: what a reviewer of the cast sees."""

    def __init__(self) -> None:
        self._terminal = Vt(COLUMNS, ROWS, 0)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data: bytes) -> None:
        """See Screen. The emulator takes text, so a character cut by a read waits for its rest."""
        self._terminal.feed_str(self._decoder.decode(data))

    def rows(self) -> tuple[str, ...]:
        """See Screen."""
        return tuple(line.text.rstrip() for line in self._terminal.view())

    def lines(self) -> Sequence[Line]:
        """The 24 rows as cells with their looks."""
        return list(self._terminal.view())

    def dump(self) -> str:
        """Output that brings a fresh terminal to the state of this one."""
        # U+009B is the one-character CSI, which not every terminal takes in UTF-8; no cell can hold it.
        return str(self._terminal.dump()).replace("\x9b", "\x1b[")
