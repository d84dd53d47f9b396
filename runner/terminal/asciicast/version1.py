"""Reads a recording of version 1, which is one JSON object with a list of pauses and outputs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

from runner.terminal.asciicast.findings import LEFT_OUT, Finding, Rule, excerpt
from runner.terminal.asciicast.lines import Broken, Taken, Value, lost, one

_LIST = re.compile(r'"stdout"\s*:\s*\[')
_PAIR = re.compile(r'\[\s*-?(?:[0-9][0-9.eE+-]*|NaN|Infinity)\s*,\s*"')
_BETWEEN = re.compile(r"[\s,]*")
_LATER = re.compile(rb'\{[^\n]*"version"\s*:\s*[2-9]')
_HEAD = 65_536
_MOST_BREAKS = 1000


class Version1(NamedTuple):
    """The fields beside the list, the outputs as events (pause, `o`, text), and what is wrong with the file."""

    fields: dict[str, Any]
    outputs: tuple[Value, ...]
    findings: tuple[Finding, ...]


def is_version_1(data: bytes) -> bool:
    """Whether a file is one, however damaged."""
    first = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:_HEAD]
    return first.startswith(b"{") and b'"stdout"' in first and not _LATER.match(first)


def read_version_1(data: bytes) -> Version1:
    """All that can be read of one."""
    text, found = data.decode(errors="replace").lstrip("\ufeff"), []
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found.append(Finding(line, Rule.TEXT, "holds bytes that are no UTF-8", "kept, with U+FFFD in their place"))
    opening = _LIST.search(text)
    if opening is None:
        return Version1({}, (), (*found, Finding(1, Rule.FILE, "has no list of output", LEFT_OUT)))
    walk = _Walk(text, opening.end())
    outputs = tuple(walk.outputs())
    fields = _fields(text[: opening.start()], text[walk.at :])
    if fields is None:
        found.append(Finding(1, Rule.HEADER, "cannot be read around the list of output", LEFT_OUT))
    elif fields.get("version") != Decimal(1):
        found.append(Finding(1, Rule.HEADER, "version: is not 1", "read as 1, by its list of output"))
    return Version1(fields or {}, outputs, (*found, *walk.findings))


def _fields(before: str, after: str) -> dict[str, Any] | None:
    """The object without its list; a file that was cut inside the list has no end of the object."""
    for rest in (after, "}"):
        found, _ = one(f'{before}"stdout": []{rest}', 0)
        if not isinstance(found, Broken) and isinstance(found.value, dict):
            return {name: value for name, value in found.value.items() if name != "stdout"}
    return None


class _Walk:
    """Goes through the list, output by output."""

    def __init__(self, text: str, at: int) -> None:
        self._text, self.at = text, at
        self._counted, self._line = 0, 1
        self.findings: list[Finding] = []

    def outputs(self) -> Iterator[Value]:
        """Each output; what is none is told, and left out."""
        breaks = 0
        while (closed := self._pass()) is None:
            found, end = one(self._text, self.at)
            line = self._line_here()
            if not isinstance(found, Broken):
                self.at = end
                yield from self._output(line, found)
                continue
            breaks += 1
            ahead = _PAIR.search(self._text, self.at + 1) if breaks < _MOST_BREAKS else None
            end = ahead.start() if ahead else len(self._text)
            self.findings.append(
                Finding(line, Rule.LINE, f"{found.why}: {excerpt(self._text[self.at : end])}", LEFT_OUT)
            )
            yield from lost(line, self._text[self.at : end])
            self.at = end
        if not closed:
            self.findings.append(
                Finding(self._line_here(), Rule.FILE, "is cut: the list of output does not end", "closed")
            )

    def _pass(self) -> bool | None:
        """Go past blanks and commas: true at the end of the list, false at that of the file."""
        between = _BETWEEN.match(self._text, self.at)
        self.at = between.end() if between else self.at
        if self.at >= len(self._text):
            return False
        if self._text[self.at] != "]":
            return None
        self.at += 1
        return True

    def _output(self, line: int, found: Taken) -> Iterator[Value]:
        value = found.value
        if found.lenient:
            what = "holds a control character that is not escaped"
            self.findings.append(Finding(line, Rule.TEXT, what, "kept, escaped"))
        if isinstance(value, list) and len(value) >= 2:
            yield Value(line, [value[0], "o", *value[1:]])
        else:
            self.findings.append(Finding(line, Rule.EVENT, f"no pause and text: {excerpt(str(value))}", LEFT_OUT))

    def _line_here(self) -> int:
        self._line += self._text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line
