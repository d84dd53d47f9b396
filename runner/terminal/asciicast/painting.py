"""Draws screens as output of a terminal again: from one to the next, the rows that changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from runner.terminal.asciicast.grid import Grid, Row


class Painter:
    """Remembers what is drawn already."""

    def __init__(self) -> None:
        self._drawn: Sequence[Row] = ()
        self._cursor: tuple[int, int, bool] | None = None

    def forget(self) -> None:
        """All must be drawn again, as after a change of size."""
        self._drawn, self._cursor = (), None

    def draw(self, grid: Grid) -> str:
        """The output that brings the screen to `grid`; empty where it shows that already."""
        anew = "" if self._drawn else "\x1b[0m\x1b[2J"
        before = self._drawn or ((),) * len(grid.rows)
        drawing = "".join(_row(number, row) for number, row in enumerate(grid.rows) if row != before[number])
        if not (anew or drawing) and grid.cursor == self._cursor:
            return ""
        self._drawn, self._cursor = grid.rows, grid.cursor
        column, row, visible = grid.cursor
        place = f"\x1b[{row + 1};{column + 1}H\x1b[?25{'h' if visible else 'l'}"
        return f"\x1b[?2026h{anew}{drawing}{place}\x1b[?2026l"


def _row(number: int, row: Row) -> str:
    """A row from empty. Each run is placed, so that no opinion on widths can push it."""
    return f"\x1b[{number + 1};1H\x1b[0m\x1b[2K" + "".join(_runs(number, row)) + "\x1b[0m"


def _runs(number: int, row: Row) -> Iterator[str]:
    # Plain characters of one look go together; any other stands alone.
    for (looks, _), group in groupby(row, key=lambda glyph: (glyph.looks, "" if glyph.char.isascii() else glyph)):
        run = list(group)
        text = "".join(glyph.char for glyph in run)
        if text.strip(" ") or looks != "\x1b[0m":
            yield f"\x1b[{number + 1};{run[0].column + 1}H{looks}{text}"
