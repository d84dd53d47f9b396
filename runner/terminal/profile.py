"""The published terminal profiles: what the measured terminal answers when a program asks it."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Protocol

NAME = "mambo-80x24-v1"
ROWS, COLUMNS = 24, 80

#: A question that the profile knows. Each is answered in one write; anything else is left unanswered.
QUERY = (
    rb"\x1b\[(?P<csi>0?c|>0?c|5n|\??6n|>0?q|\?u)"
    rb"|\x1b\[(?P<private>\??)(?P<mode>[0-9]{1,5})\$p"
    rb"|\x1b\](?P<colour>1[01]);\?(?P<end>\x07|\x1b\\)"
)
_QUERY = re.compile(QUERY)

#: DEC private modes whose state is told; 2048 (resize reports) is denied like every unknown mode.
KNOWN_MODES = frozenset({1, 6, 7, 12, 25, 47, 1000, 1002, 1003, 1004, 1006, 1047, 1049, 2004, 2026})

_FIXED = {
    b"c": b"\x1b[?62;22c",
    b">c": b"\x1b[>1;10;0c",
    b"5n": b"\x1b[0n",
    b">q": b"\x1bP>|mambo-80x24-v1\x1b\\",
    b"?u": b"\x1b[?0u",
}
_COLOURS = {b"10": b"rgb:d0d0/d0d0/d0d0", b"11": b"rgb:1010/1010/1010"}


class Profile(StrEnum):
    """Which terminal a run is on. All draw the same; `full` answers every question above, `no-sync` does not know mode
    2026 (synchronized output), `mute` answers nothing."""

    FULL = "full"
    NO_SYNC = "no-sync"
    MUTE = "mute"


#: Modes that a profile does not know, beside those that none knows.
_UNKNOWN = {Profile.FULL: frozenset[int](), Profile.NO_SYNC: frozenset({2026}), Profile.MUTE: KNOWN_MODES}


class ScreenState(Protocol):
    """What an answer may depend on."""

    def cursor(self) -> tuple[int, int]:
        """Row and column, both from 1."""
        ...

    def mode(self, number: int) -> bool:
        """Whether a DEC private mode is set."""
        ...


def answer(query: bytes, screen: ScreenState, profile: Profile = Profile.FULL) -> bytes | None:
    """The bytes that answer `query` (one whole sequence), or None where the profile keeps silent."""
    asked = _QUERY.fullmatch(query)
    if asked is None or profile is Profile.MUTE:
        return None
    if asked["mode"]:
        return _mode_report(asked["private"], int(asked["mode"]), screen, profile)
    if asked["colour"]:
        return b"\x1b]" + asked["colour"] + b";" + _COLOURS[asked["colour"]] + asked["end"]
    form: bytes = asked["csi"].replace(b"0", b"")
    if form.endswith(b"6n"):
        row, column = screen.cursor()
        return b"\x1b[%s%d;%dR" % (form[:-2], row, column)
    return _FIXED[form]


def _mode_report(private: bytes, number: int, screen: ScreenState, profile: Profile) -> bytes:
    value = 0
    if private and number in KNOWN_MODES - _UNKNOWN[profile]:
        value = 1 if screen.mode(number) else 2
    return b"\x1b[%s%d;%d$y" % (private, number, value)
