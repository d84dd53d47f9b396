"""What stands on the terminal now; emulated only when somebody asks."""

from __future__ import annotations

import unicodedata

from pyghostty import Terminal

from runner.terminal.profile import COLUMNS, ROWS

PROMPT = ">"
CUT = "…"
_UNSEEN = frozenset("\u200d\ufffd") | {chr(code) for code in range(0xFE00, 0xFE10)}


class Screen:
    """An 80x24 screen; `queue` costs nothing, the other methods emulate what was queued."""

    def __init__(self) -> None:
        self._terminal = Terminal(COLUMNS, ROWS)
        self._queue: list[bytes] = []

    def queue(self, data: bytes) -> None:
        """Take output, without emulating it yet."""
        self._queue.append(data)

    def query_line(self) -> str:
        """Row 1 as text."""
        self._catch_up()
        text: str = self._terminal.text()
        return text.split("\n", 1)[0]

    def cursor(self) -> tuple[int, int]:
        """Row and column, both from 1."""
        self._catch_up()
        column, row = self._terminal.cursor
        return row + 1, column + 1

    def mode(self, number: int) -> bool:
        """Whether a DEC private mode is set."""
        self._catch_up()
        return bool(self._terminal.mode(number))

    def close(self) -> None:
        """Free the emulator."""
        self._terminal.close()

    def _catch_up(self) -> None:
        if self._queue:
            self._terminal.feed(b"".join(self._queue))
            self._queue.clear()


def shows(row: str, text: str) -> bool:
    """Whether a query line shows `text` (images/README.md, Screen); blanks and format characters do not count."""
    if not row.startswith(PROMPT):
        return False
    drawn, wanted = row[len(PROMPT) :].strip(), _folded(text)
    if _folded(drawn) == wanted:
        return True
    end = _folded(drawn[1:])
    return drawn.startswith(CUT) and bool(end) and wanted.endswith(end)


def is_empty(row: str) -> bool:
    """Whether a query line is empty."""
    return row.strip() == PROMPT


def _folded(text: str) -> str:
    return "".join(
        character
        for character in unicodedata.normalize("NFC", text)
        if not character.isspace() and character not in _UNSEEN and unicodedata.category(character) != "Cf"
    )
