"""Reads one event of a recording, and keeps of it what can be kept."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, NamedTuple

from runner.counts import counted
from runner.terminal.asciicast.findings import (
    LEFT_OUT,
    MOST_COLUMNS,
    MOST_ROWS,
    MOST_SECONDS,
    Finding,
    Rule,
    excerpt,
)
from runner.terminal.asciicast.lines import Lost, Value
from runner.terminal.asciicast.numbers import HALF, to_ns

CODES = {2: "oimr", 3: "oimrx"}
_WORDS = {"output": "o", "input": "i", "marker": "m", "resize": "r", "exit": "x"}
_SIZE = re.compile(r"([0-9]{1,9})x([0-9]{1,9})")
AT_THE_LAST = "kept, at the time of the event before it"


class Event(NamedTuple):
    """One event: line, nanoseconds from the start of the recording, code, text."""

    line: int
    ns: int
    code: str
    text: str


class Raw(NamedTuple):
    """An event whose time is still as its file counts, in nanoseconds; null where it says none. Without a code it is
    left out, but its time may count."""

    line: int
    ns: int | None
    code: str
    text: str


def read_event(found: Value, version: int) -> tuple[Raw, list[Finding]]:
    """The event in a value, without a code where its text or code cannot be kept, with all that is wrong."""
    line, value = found
    if isinstance(value, Lost):
        return Raw(line, _ns(value.seconds), "", ""), []
    if not isinstance(value, list) or len(value) < 3:
        what = (
            f"{counted(len(value), 'part')} where 3 belong" if isinstance(value, list) else "neither event nor header"
        )
        return Raw(line, None, "", ""), [Finding(line, Rule.EVENT, f"{what}: {excerpt(_spelled(value))}", LEFT_OUT)]
    said: list[Finding] = []
    if len(value) > 3:
        more = excerpt(_spelled(value[3:]))
        said.append(Finding(line, Rule.EVENT, f"{counted(len(value), 'part')} where 3 belong", f"kept, without {more}"))
    code = _code(value[1], version, line, said)
    text = _text(code, value[2], line, said) if code else None
    if code is None or text is None:
        return Raw(line, _ns(value[0]), "", ""), said
    ns = _ns(value[0])
    if ns is None:
        what = f"{excerpt(_spelled(value[0]))} is not a number of seconds from 0 to {MOST_SECONDS}"
        said.append(Finding(line, Rule.TIME, what, AT_THE_LAST))
    return Raw(line, ns, code, text), said


def _code(given: Any, version: int, line: int, said: list[Finding]) -> str | None:
    code = _WORDS.get(given, given) if isinstance(given, str) else ""
    if code and code in CODES[version] and len(code) == 1:
        if code != given:
            said.append(Finding(line, Rule.CODE, f"{given!r} is no code", f"read as {code!r}"))
        return code
    known = ", ".join(CODES[version])
    shown = excerpt(_spelled(given))
    said.append(Finding(line, Rule.CODE, f"{shown} is none of {known}, the codes of version {version}", LEFT_OUT))
    return None


def _text(code: str, given: Any, line: int, said: list[Finding]) -> str | None:
    if not isinstance(given, str):
        said.append(Finding(line, Rule.EVENT, f"its data is no text: {excerpt(_spelled(given))}", LEFT_OUT))
        return None
    if code == "r":
        size = _SIZE.fullmatch(given)
        if not size or not 1 <= int(size[1]) <= MOST_COLUMNS or not 1 <= int(size[2]) <= MOST_ROWS:
            what = f"{excerpt(given)} is no size from 1x1 to {MOST_COLUMNS}x{MOST_ROWS}"
            said.append(Finding(line, Rule.SIZE, what, LEFT_OUT))
            return None
    if code == "x" and not re.fullmatch(r"-?[0-9]{1,10}", given):
        said.append(Finding(line, Rule.EVENT, f"{excerpt(given)} is no exit status", LEFT_OUT))
        return None
    if HALF.search(given):
        said.append(Finding(line, Rule.TEXT, "holds half of a surrogate pair", "kept, with U+FFFD in its place"))
        return HALF.sub("\ufffd", given)
    return given


def _ns(given: Any) -> int | None:
    sound = isinstance(given, Decimal) and not given.is_nan() and 0 <= given <= MOST_SECONDS
    return to_ns(given) if sound else None


def _spelled(value: Any) -> str:
    """A parsed value much as it stood."""
    if isinstance(value, list):
        return f"[{', '.join(map(_spelled, value))}]"
    return repr(value) if isinstance(value, str) else str(value)
