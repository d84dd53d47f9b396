"""What a program has left of a terminal: two emulators follow its bytes, then are looked at and written to."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from avt import Vt  # type: ignore[attr-defined]
from pyghostty import Terminal

from runner.terminal.profile import COLUMNS, ROWS

#: DEC private modes by what they are for; all but line wrap are off in a terminal that nobody has changed.
MOUSE = (9, 1000, 1002, 1003, 1005, 1006, 1015, 1016)
ALTERNATE = (47, 1047, 1049)
#: Letters that look otherwise in a terminal left in its line-drawing characters or in an unfinished sequence.
_PLAIN = "plain text lqx"
_SET = re.compile("\x1b\\[\\?([0-9;]+)h")
_RESET = re.compile("\x1b\\[\\?([0-9;]+)l")


class Aftermath(NamedTuple):
    """A terminal as found: its rows, cursor (column and row from 0, whether it shows), and what is set.

    `modes` are DEC private modes that are set, of those asked for; `keyboard` the flags of the kitty protocol. `plain`:
    text written now comes out as it is; `colours`: in another look than before anything was written.
    """

    rows: tuple[str, ...]
    column: int
    row: int
    visible: bool
    alternate: bool
    wrap: bool
    modes: frozenset[int]
    keyboard: int
    plain: bool
    colours: bool


def by_ghostty(data: bytes) -> Aftermath:
    """What the emulator of Ghostty makes of `data`."""
    terminal = Terminal(COLUMNS, ROWS, scrollback=0)
    terminal.feed(data)
    rows = _ghostty_rows(terminal)
    (column, row), visible = terminal.cursor, bool(terminal.get("CURSOR_VISIBLE", "bool"))
    modes = frozenset(mode for mode in (1, 66, 1004, 2004, 2026, *MOUSE, *ALTERNATE) if terminal.mode(mode))
    alternate = bool(terminal.get("ACTIVE_SCREEN", "int")) or bool(modes & set(ALTERNATE))
    wrap, keyboard = bool(terminal.mode(7)), int(terminal.get("KITTY_KEYBOARD_FLAGS", "uint8_t"))
    inserting = terminal.mode(4, ansi=True)
    terminal.feed(f"\r\n\x1b[2K{_PLAIN}")
    place = _place(_ghostty_rows(terminal))
    look = terminal.style(0, place) if place is not None else {}
    terminal.close()
    plain, coloured = place is not None and not inserting, any(map(bool, look.values()))
    return Aftermath(rows, column, row, visible, alternate, wrap, modes, keyboard, plain, coloured)


def by_avt(data: bytes) -> Aftermath:
    """What the emulator of the asciinema player makes of `data`; it knows neither of mouse, paste nor keyboard."""
    terminal = Vt(COLUMNS, ROWS, 0)
    terminal.feed_str(codecs.getincrementaldecoder("utf-8")("replace").decode(data, final=True))
    rows, cursor = _avt_rows(terminal), terminal.cursor
    dump = str(terminal.dump()).replace("\x9b", "\x1b[")
    set_, reset = (set(";".join(found.findall(dump)).split(";")) for found in (_SET, _RESET))
    terminal.feed_str(f"\r\n\x1b[2K{_PLAIN}")
    place = _place(_avt_rows(terminal))
    coloured = place is not None and not terminal.view()[place].cells[0].pen.is_default()
    return Aftermath(
        rows, cursor.col, cursor.row, cursor.visible, bool(set_ & {"47", "1047", "1049"}), "7" not in reset,
        frozenset(), 0, place is not None, coloured,
    )  # fmt: skip


def _ghostty_rows(terminal: Terminal) -> tuple[str, ...]:
    rows = [row.rstrip() for row in terminal.text().split("\n")]
    return tuple(rows[:ROWS] + [""] * (ROWS - len(rows)))


def _avt_rows(terminal: Vt) -> tuple[str, ...]:
    return tuple(line.text.rstrip() for line in terminal.view())


def _place(rows: tuple[str, ...]) -> int | None:
    """The last row that holds the plain text alone."""
    return next((number for number in reversed(range(ROWS)) if rows[number] == _PLAIN), None)
