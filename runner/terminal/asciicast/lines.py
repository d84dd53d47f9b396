"""Takes the JSON values out of a file of lines, whatever else lies between them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from runner.counts import counted
from runner.terminal.asciicast.findings import LEFT_OUT, MOST_LINE, Finding, Rule, excerpt
from runner.terminal.asciicast.numbers import number

# Inside a string no quote stands bare, so this cannot be text of an event: one starts here, or a header does.
_START = re.compile(r'\[\s*-?(?:[0-9][0-9.eE+-]*|NaN|Infinity)\s*,\s*"|\{\s*"(?:version|width|term)"')
_BLANK = re.compile(r"[ \t\r\n]*")
_TIME = re.compile(r"\[\s*(-?[0-9][0-9.eE+-]*)\s*,")
_MOST_BREAKS = 1000
_MOST_DEPTH = 16
_STRICT, _LOOSE = (
    json.JSONDecoder(strict=strict, parse_float=number, parse_int=number, parse_constant=number)
    for strict in (True, False)
)


class Value(NamedTuple):
    """A JSON value, or what is left of one, and the line that it starts on; numbers are decimals."""

    line: int
    value: Any


class Lost(NamedTuple):
    """What is left of an event that cannot be read: the seconds it starts with."""

    seconds: Decimal


class Comment(NamedTuple):
    """A line that starts with `#`, as it stands."""

    line: int
    text: str


class Taken(NamedTuple):
    """A value, and whether it took leniency to read it."""

    value: Any
    lenient: bool


class Broken(NamedTuple):
    """Text that is no value, and why. `open`: a string in it does not end."""

    text: str
    why: str
    open: bool


Piece = Value | Comment | Finding


def pieces(data: bytes) -> Iterator[Piece]:
    """Values, comments and findings in the order of the file."""
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
        yield Finding(1, Rule.FILE, "starts with a byte order mark", LEFT_OUT)
    rows = data.split(b"\n")
    if rows[-1] == b"":
        rows.pop()
    returns = [number_ for number_, row in enumerate(rows, 1) if row.endswith(b"\r")]
    if returns:
        yield Finding(
            returns[0],
            Rule.LINE,
            counted(len(returns), "line ends in CR LF", "lines end in CR LF"),
            "written with LF",
        )
    at = 0
    while at < len(rows):
        taken, found = _row(rows, at)
        yield from found
        at += taken


def _row(rows: Sequence[bytes], at: int) -> tuple[int, list[Piece]]:
    """How many rows were used, and what is in them."""
    row, line = rows[at].removesuffix(b"\r"), at + 1
    if len(row) > MOST_LINE:
        return 1, [Finding(line, Rule.SIZE, f"{len(row)} bytes, more than {MOST_LINE}", LEFT_OUT)]
    text, found = _decoded(row, line)
    if not text.strip():
        return 1, [*found, Finding(line, Rule.LINE, "is blank, which ends the replay in some players", LEFT_OUT)]
    if text.startswith("#"):
        return 1, [*found, Comment(line, text)]
    parts = list(take(text))
    last = parts[-1]
    if isinstance(last, Broken) and last.open:
        more = _rest(rows, at + 1)
        joined = list(take("\n".join([text, *more]))) if more else []
        if joined and not any(isinstance(part, Broken) for part in joined):
            return 1 + len(more), [*found, *_told(line, joined)]
    return 1, [*found, *_told(line, parts)]


def _decoded(row: bytes, line: int) -> tuple[str, list[Piece]]:
    try:
        return row.decode(), []
    except UnicodeDecodeError as error:
        why = f"byte {error.start + 1} is not UTF-8"
        return row.decode(errors="replace"), [Finding(line, Rule.TEXT, why, "kept, with U+FFFD in its place")]


def _rest(rows: Sequence[bytes], at: int) -> list[str]:
    """The rows over which a string may go on that a bare line end has cut: those up to the next quote."""
    found, size = [], 0
    for place in range(at, len(rows)):
        row = rows[place]
        size += len(row) + 1
        if size > MOST_LINE:
            return []
        try:
            found.append(row.decode())
        except UnicodeDecodeError:
            return []
        if b'"' in row:
            return found
    return []


def _told(line: int, parts: Sequence[Taken | Broken]) -> Iterator[Piece]:
    """The values of a line with what is to be said of it."""
    values = 0
    for part in parts:
        if isinstance(part, Broken):
            yield Finding(line, Rule.LINE, f"{part.why}: {excerpt(part.text)}", LEFT_OUT)
            yield from lost(line, part.text)
            continue
        if part.lenient:
            yield Finding(line, Rule.TEXT, "holds a control character that is not escaped", "kept, escaped")
        values += 1
        if values == 2:
            yield Finding(line, Rule.LINE, "holds more than one value", "read as lines of their own")
        yield Value(line, part.value)


def lost(line: int, text: str) -> Iterator[Value]:
    """The time of an event that cannot be read: where times are pauses, all that follows rests on it."""
    said = _TIME.match(text)
    if said:
        yield Value(line, Lost(number(said[1])))


def take(text: str) -> Iterator[Taken | Broken]:
    """Every value in `text`; between them, what is none."""
    at, breaks = _past(text, 0), 0
    while at < len(text):
        found, end = one(text, at)
        if isinstance(found, Broken):
            breaks += 1
            ahead = _START.search(text, at + 1) if breaks < _MOST_BREAKS else None
            end = ahead.start() if ahead else len(text)
            found = found._replace(text=text[at:end])
        yield found
        at = _past(text, end)


def one(text: str, at: int) -> tuple[Taken | Broken, int]:
    """The value that starts at `at`, and where it ends."""
    try:
        value, end = _STRICT.raw_decode(text, at)
    except RecursionError:
        return Broken("", "is nested too deeply", False), at
    except json.JSONDecodeError:
        return _leniently(text, at)
    return _shallow(Taken(value, False), text[at:end]), end


def _leniently(text: str, at: int) -> tuple[Taken | Broken, int]:
    try:
        value, end = _LOOSE.raw_decode(text, at)
    except RecursionError:
        return Broken("", "is nested too deeply", False), at
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        why = "is cut in its middle" if cut else f"is not JSON ({error.msg} at column {error.pos + 1})"
        return Broken("", why, error.msg.startswith("Unterminated string")), at
    return _shallow(Taken(value, True), text[at:end]), end


def _shallow(found: Taken, text: str) -> Taken | Broken:
    """The value, unless it is nested so deeply that nobody could have meant it."""
    if text.count("[") + text.count("{") > _MOST_DEPTH:
        level = [found.value]
        for _ in range(_MOST_DEPTH):
            level = [each for one_ in level for each in _children(one_)]
        if level:
            return Broken("", "is nested too deeply", False)
    return found


def _children(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _past(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
