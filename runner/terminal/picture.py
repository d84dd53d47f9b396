"""Draws a screen as an SVG picture, cell by cell, in the colours of a dark terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from avt import Cell, Color, Line, Pen  # type: ignore[attr-defined]

WIDTH, HEIGHT = 8.4, 18.0
INK, PAPER = "#d4d8e0", "#16181d"
_SIXTEEN = (
    "#3b4048", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4",
    "#5c6370", "#ff7a85", "#b5e890", "#ffd68a", "#7fc1ff", "#dd8ff5", "#6fd3de", "#ffffff",
)  # fmt: skip
_STEPS = (0, 95, 135, 175, 215, 255)


class Run(NamedTuple):
    """Neighbouring cells of one look: first column (from 0), columns covered, text."""

    column: int
    columns: int
    text: str
    pen: Pen


def picture(lines: Sequence[Line]) -> str:
    """The SVG of the screen whose rows are `lines`, with nothing in it that has to be fetched."""
    columns = max(sum(cell.width for cell in line.cells) for line in lines)
    width, height = columns * WIDTH + 24, len(lines) * HEIGHT + 24
    body = "\n".join(_run(row, run) for row, line in enumerate(lines) for run in runs(line))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}">\n'
        f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>\n'
        f'<g transform="translate(12 12)" font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" '
        f'font-size="14" xml:space="preserve">\n{body}\n</g>\n</svg>\n'
    )


def runs(line: Line) -> Iterator[Run]:
    """The cells of a row, those of one look together; blanks that nobody would see are left out."""
    placed = []
    column = 0
    for cell in line.cells:
        placed.append((column, cell))
        column += cell.width
    for _, group in groupby((pair for pair in placed if pair[1].width), key=lambda pair: _look(pair[1])):
        members = list(group)
        if not _shows(members[0][1].pen):
            members = _stripped(members)
        if members:
            text = "".join(cell.char for _, cell in members)
            yield Run(members[0][0], sum(cell.width for _, cell in members), text, members[0][1].pen)


def _shows(pen: Pen) -> bool:
    """Whether a blank of this look can be seen."""
    return bool(pen.inverse or pen.underline or pen.background is not None)


def _stripped(members: list[tuple[int, Cell]]) -> list[tuple[int, Cell]]:
    """Without the blanks at both ends."""
    inked = [number for number, (_, cell) in enumerate(members) if cell.char.strip()]
    return members[inked[0] : inked[-1] + 1] if inked else []


def _look(cell: Cell) -> tuple[str, ...]:
    """Wide cells stand alone, so that no font can push their neighbours."""
    pen = cell.pen
    alone = cell.char if cell.width > 1 else ""
    names = (pen.foreground, pen.background, pen.bold, pen.faint, pen.italic, pen.underline, pen.inverse)
    return (*(repr(name) for name in names), alone)


def _run(row: int, run: Run) -> str:
    pen = run.pen
    ink, paper = colour(pen.foreground, INK), colour(pen.background, PAPER)
    if pen.inverse:
        ink, paper = paper, ink
    x, y, width = run.column * WIDTH, row * HEIGHT, run.columns * WIDTH
    back = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{HEIGHT:g}" fill="{paper}"/>' if paper != PAPER else ""
    style = "".join(
        f' {attribute}="{value}"'
        for on, attribute, value in (
            (pen.bold, "font-weight", "bold"),
            (pen.italic, "font-style", "italic"),
            (pen.underline, "text-decoration", "underline"),
            (pen.faint, "opacity", "0.6"),
        )
        if on
    )
    words = escape(run.text, quote=False)
    return (
        f'{back}<text x="{x:g}" y="{y + 0.75 * HEIGHT:g}" textLength="{width:g}" lengthAdjust="spacingAndGlyphs" '
        f'fill="{ink}"{style}>{words}</text>'
    )


def colour(named: Color | None, default: str) -> str:
    """The hex colour of a terminal colour: the sixteen above, xterm's cube and greys, or as given."""
    # The package's stubs do not say that its colours can be matched by position, as they can.
    match named:
        case Color.Indexed(number):  # type: ignore[misc]
            return _indexed(number)
        case Color.RGB(red, green, blue):  # type: ignore[misc]
            return _hex(red, green, blue)
        case _:
            return default


def _indexed(number: int) -> str:
    if number < 16:
        return _SIXTEEN[number]
    if number < 232:
        cube = number - 16
        return _hex(*(_STEPS[part] for part in (cube // 36, cube // 6 % 6, cube % 6)))
    return _hex(*[8 + 10 * (number - 232)] * 3)


def _hex(red: int, green: int, blue: int) -> str:
    return f"#{red:02x}{green:02x}{blue:02x}"
