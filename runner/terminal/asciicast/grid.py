"""What the screen of the web player shows after each output of a recording, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from avt import Color, Line, Pen, Vt  # type: ignore[attr-defined]

from runner.terminal.asciicast.events import Event
from runner.terminal.asciicast.reading import Recording

_FLAGS = (
    ("bold", "1"), ("faint", "2"), ("italic", "3"), ("underline", "4"), ("blink", "5"), ("inverse", "7"),
    ("strikethrough", "9"),
)  # fmt: skip


class Glyph(NamedTuple):
    """A cell with its place: column from 0, character, columns covered, and its looks as a sequence."""

    column: int
    char: str
    width: int
    looks: str


Row = tuple[Glyph, ...]


class Grid(NamedTuple):
    """A screen: its rows, and where the cursor is (column, row) and whether it shows. A row that did not change since
    the screen before is the same object."""

    rows: tuple[Row, ...]
    cursor: tuple[int, int, bool]

    @property
    def text(self) -> str:
        """All rows in one, a character a glyph, so that what wraps is one word."""
        return "".join(glyph.char for row in self.rows for glyph in row)


def grids(read: Recording) -> Iterator[tuple[Event, Grid]]:
    """The screen after each output and resize."""
    if read.header is None:
        return
    terminal = Vt(read.header.columns, read.header.rows, 0)
    rows = [_row(line) for line in terminal.view()]
    for event in read.events:
        if event.code == "o":
            changed, _ = terminal.feed_str(event.text)
            lines = terminal.view()
            for number in changed:
                rows[number] = _row(lines[number])
        elif event.code == "r":
            columns, _, height = event.text.partition("x")
            terminal.resize(int(columns), int(height))
            rows = [_row(line) for line in terminal.view()]
        else:
            continue
        at = terminal.cursor
        yield event, Grid(tuple(rows), (at.col, at.row, at.visible))


def _row(line: Line) -> Row:
    """The second cell of a wide character holds nothing, and is left out."""
    glyphs, column = [], 0
    for cell in line.cells:
        if cell.width:
            glyphs.append(Glyph(column, cell.char, cell.width, looks(cell.pen)))
        column += cell.width
    return tuple(glyphs)


def looks(pen: Pen) -> str:
    """The sequence that sets the looks of a cell, from whatever was set before."""
    if pen.is_default():
        return "\x1b[0m"
    parts = ["0", *(code for name, code in _FLAGS if getattr(pen, name)), *_colour(pen.foreground, 38)]
    return f"\x1b[{';'.join([*parts, *_colour(pen.background, 48)])}m"


def _colour(named: Color | None, base: int) -> list[str]:
    match named:
        case Color.Indexed(number):  # type: ignore[misc]
            return [f"{base}", "5", f"{number}"]
        case Color.RGB(red, green, blue):  # type: ignore[misc]
            return [f"{base}", "2", f"{red}", f"{green}", f"{blue}"]
        case _:
            return []
