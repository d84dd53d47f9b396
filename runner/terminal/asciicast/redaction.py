"""Takes words out of a recording: from what the screen showed, and so from every byte that made it show them."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from runner.terminal.asciicast.events import Event
from runner.terminal.asciicast.findings import Finding
from runner.terminal.asciicast.grid import Grid, Row, grids
from runner.terminal.asciicast.lines import Comment
from runner.terminal.asciicast.painting import Painter
from runner.terminal.asciicast.payloads import SECRETS
from runner.terminal.asciicast.reading import Recording, read_recording
from runner.terminal.asciicast.writing import write_recording
from runner.terminal.cast import FRESH, RESTORE

MASK = "█"
#: The fields that players know; of any other nobody can say what it holds.
KNOWN = frozenset({"timestamp", "duration", "idle_time_limit", "command", "title", "env", "theme", "term", "tags"})
#: Emulators drop or keep these, each in a way of its own.
_LOOSE = re.compile("[\u200d\ufe00-\ufe0f]")
Patterns = Sequence[re.Pattern[str]]
#: Row and column of a cell.
Place = tuple[int, int]


class Redacted(NamedTuple):
    """The file without the words, null where nothing could be read. `screens`: how many showed one. `findings`: of
    the form, as for saving."""

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
    patterns = [*map(re.compile, SECRETS.values()), *_patterns(words)]
    hidden, screens = _hidden(read, patterns)
    known = {name: value for name, value in read.header.fields.items() if name in KNOWN}
    header = read.header._replace(fields=_masked(known, patterns))
    return Redacted(write_recording(header, _entries(read, patterns, hidden)), screens, form)


def _patterns(words: Sequence[str]) -> Iterator[re.Pattern[str]]:
    """Upper case is a form of its own where it has more letters; blanks may be many, or none at the end of a row."""
    for word in words:
        cases = {each for text in (word, _LOOSE.sub("", word)) for each in (text, text.upper(), text.casefold())}
        forms = {unicodedata.normalize(form, each) for form in ("NFC", "NFD") for each in cases}
        parts = {tuple(map(re.escape, each.split())) for each in forms}
        yield from (re.compile(r"\s*".join(each), re.IGNORECASE) for each in sorted(parts))


#: From which step to which a cell is hidden, by the step from which it held its character.
Hidden = dict[int, dict[Place, int]]


def _hidden(read: Recording, patterns: Patterns) -> tuple[Hidden, int]:
    """The cells of words, and how many screens showed one."""
    found: Hidden = {}
    since: dict[Place, tuple[str, int]] = {}
    before: Sequence[Row] = ()
    screens = 0
    for step, (_, grid) in enumerate(grids(read)):
        for number, row in enumerate(grid.rows):
            if number >= len(before) or row is not before[number]:
                _note(since, number, row, step)
        before = grid.rows
        spans = _spans(grid.text, patterns)
        screens += bool(spans)
        cells = [(number, glyph) for number, row in enumerate(grid.rows) for glyph in row] if spans else []
        covered = (cell for first, end in spans for cell in cells[first:end])
        for place in ((number, glyph.column) for number, glyph in covered if glyph.char != " "):
            found.setdefault(since[place][1], {})[place] = step
    return found, screens


def _note(since: dict[Place, tuple[str, int]], number: int, row: Row, step: int) -> None:
    """Which character each cell of a row holds, and since when."""
    for glyph in row:
        place = (number, glyph.column)
        if since.get(place, ("", 0))[0] != glyph.char:
            since[place] = (glyph.char, step)


def _spans(text: str, patterns: Patterns) -> list[tuple[int, int]]:
    return [found.span() for pattern in patterns for found in pattern.finditer(text) if found.group()]


def _entries(read: Recording, patterns: Patterns, hidden: Hidden) -> Iterator[Event | Comment]:
    """The recording drawn anew: an output for each screen that differs from the one before."""
    painter, active = Painter(), dict[Place, int]()
    screens = enumerate(grids(read))
    last = 0
    yield Event(1, 0, "o", f"{FRESH}\x1b[?7l")
    for entry in read.entries:
        if isinstance(entry, Comment):
            yield Comment(entry.line, str(_masked(entry.text, patterns)))
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
            yield entry._replace(text=str(_masked(entry.text, patterns)))
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


def _masked(value: Any, patterns: Patterns) -> Any:
    """A text, or all texts of a header, without the words; what is no text and says one is left out."""
    if isinstance(value, dict):
        kept = {name: each for name, each in value.items() if not _says(each, patterns)}
        return {_masked(name, patterns): _masked(each, patterns) for name, each in kept.items()}
    if isinstance(value, list):
        return [_masked(each, patterns) for each in value if not _says(each, patterns)]
    if isinstance(value, str):
        for pattern in patterns:
            value = pattern.sub(lambda found: MASK * len(found[0]), value)
    return value


def _says(value: Any, patterns: Patterns) -> bool:
    """Whether a number is a word that is to go."""
    return isinstance(value, int | float) and bool(_spans(json.dumps(value), patterns))
