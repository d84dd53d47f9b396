"""What can be wrong with a recording of a terminal, by line, and what becomes of it when the rest is saved."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from runner.terminal.shown import shown_form

#: Larger files, longer lines, larger screens and later times are refused: no recording here needs them.
MOST_BYTES, MOST_LINE = 64 << 20, 4 << 20
MOST_COLUMNS, MOST_ROWS = 1000, 500
MOST_SECONDS = 7 * 24 * 3600

LEFT_OUT = "left out"
_LONGEST = 160


class Rule(StrEnum):
    """What a finding is about. Those of the form stop players; those of the content are for a person to judge."""

    FILE = "file"
    LINE = "line"
    HEADER = "header"
    EVENT = "event"
    TIME = "time"
    CODE = "code"
    SIZE = "size"
    TEXT = "text"
    CLOCK = "clock"
    SECRET = "secret"
    CLIPBOARD = "clipboard"
    LINK = "link"
    BURDEN = "burden"

    @property
    def form(self) -> bool:
        """Whether it is about the form, which saving mends."""
        return self not in {Rule.CLOCK, Rule.SECRET, Rule.CLIPBOARD, Rule.LINK, Rule.BURDEN}


class Finding(NamedTuple):
    """One thing found on a line (from 1). `deed` is what saving does about it; empty where it does nothing."""

    line: int
    rule: Rule
    what: str
    deed: str = ""

    def __str__(self) -> str:
        return f"{self.line}: {self.rule}: {self.what}"


def excerpt(text: str) -> str:
    """What stood there, on one line; cut where it is long, with its length."""
    shown = shown_form(text[:_LONGEST]) or "nothing"
    return shown if len(text) <= _LONGEST else f"{shown}… ({len(text)} characters)"
