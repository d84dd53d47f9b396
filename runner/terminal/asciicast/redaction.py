"""Takes words out of a recording: from what the screen showed, and so from every byte that made it show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from runner.terminal.asciicast.burden import burden
from runner.terminal.asciicast.events import Event
from runner.terminal.asciicast.findings import Finding
from runner.terminal.asciicast.grid import Grid, Row, grids
from runner.terminal.asciicast.lines import Comment
from runner.terminal.asciicast.painting import Painter
from runner.terminal.asciicast.reading import Recording, read_recording
from runner.terminal.asciicast.sought import MASK, Sought
from runner.terminal.asciicast.writing import write_recording
from runner.terminal.cast import FRESH, RESTORE

#: Row and column of a cell.
Place = tuple[int, int]


class Redacted(NamedTuple):
    """The file without the words, null where nothing could be read or too much is drawn. `screens`: how many showed
    one. `findings`: of the form, as for saving; why there is no file is the first."""

    data: bytes | None
    screens: int
    findings: tuple[Finding, ...]


def redact(data: bytes, words: Sequence[str]) -> Redacted:
    """`data` without `words` (whatever their case, and the blanks between them) and what looks like a secret.

    The output is drawn anew from the emulated screens, with a block in place of each column of a word, from the moment
    on at which the first of its characters was drawn. What was typed is left out: editing keys could hide a word in it.
    """
    read = read_recording(data)
    form = tuple(finding for finding in read.findings if finding.rule.form)
    if read.header is None:
        return Redacted(None, 0, form)
    if heavy := burden(read):
        return Redacted(None, 0, (heavy, *form))
    sought = Sought(words)
    hidden, screens = _hidden(read, sought)
    header = read.header._replace(fields=sought.header(read.header.fields))
    return Redacted(write_recording(header, _entries(read, sought, hidden)), screens, form)


#: From which step to which a cell is hidden, by the step from which it held its character.
Hidden = dict[int, dict[Place, int]]


def _hidden(read: Recording, sought: Sought) -> tuple[Hidden, int]:
    """The cells of words, but for blanks, and how many screens showed one."""
    found: Hidden = {}
    since: dict[Place, tuple[str, int]] = {}
    before: Sequence[Row] = ()
    screens = 0
    for step, (_, grid) in enumerate(grids(read)):
        for number, row in enumerate(grid.rows):
            if number >= len(before) or row is not before[number]:
                _note(since, number, row, step)
        before = grid.rows
        spans = sought.spans(grid.text)
        screens += bool(spans)
        places = [(number, glyph.column) for number, row in enumerate(grid.rows) for glyph in row] if spans else []
        for char, drawn, place in ((*since[place], place) for first, end in spans for place in places[first:end]):
            if not char.isspace():
                found.setdefault(drawn, {})[place] = step
    return found, screens


def _note(since: dict[Place, tuple[str, int]], number: int, row: Row, step: int) -> None:
    """Which character each cell of a row holds, and since when."""
    for glyph in row:
        place = (number, glyph.column)
        if since.get(place, ("", 0))[0] != glyph.char:
            since[place] = (glyph.char, step)


def _entries(read: Recording, sought: Sought, hidden: Hidden) -> Iterator[Event | Comment]:
    """The recording drawn anew: an output for each screen that differs from the one before."""
    painter, active = Painter(), dict[Place, int]()
    screens = enumerate(grids(read))
    last = 0
    yield Event(1, 0, "o", f"{FRESH}\x1b[?7l")
    for entry in read.entries:
        if isinstance(entry, Comment):
            yield Comment(entry.line, sought.masked(entry.text))
            continue
        last = entry.ns
        if entry.code == "r":
            yield entry
            painter.forget()
        if entry.code in "or":
            step, (_, grid) = next(screens)
            active = {place: end for place, end in (active | hidden.get(step, {})).items() if end >= step}
            drawing = painter.draw(_covered(grid, active))
            if drawing:
                yield entry._replace(code="o", text=drawing)
        elif entry.code != "i":
            yield entry._replace(text=sought.masked(entry.text))
    yield Event(0, last, "o", RESTORE)


def _covered(grid: Grid, hidden: dict[Place, int]) -> Grid:
    """The screen with a block in place of each column of what is hidden."""
    touched = {row for row, _ in hidden}
    rows = [_masked_row(number, row, hidden) if number in touched else row for number, row in enumerate(grid.rows)]
    return grid._replace(rows=tuple(rows))


def _masked_row(number: int, row: Row, hidden: dict[Place, int]) -> Row:
    return tuple(
        glyph._replace(char=MASK * glyph.width) if (number, glyph.column) in hidden else glyph for glyph in row
    )
