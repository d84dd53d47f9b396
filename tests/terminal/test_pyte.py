"""What the pinned pyte misreads, fault by fault as docs/review.md lists them; the two that must agree read it right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from runner.terminal.screens import AvtScreen, GhosttyScreen, PyteScreen
from runner.terminal.shown import compared_form
from tests.terminal.tape import frame, list_screen

REVIEW = (Path(__file__).parents[2] / "docs/review.md").read_text()


class Fault(NamedTuple):
    """Something written, and the first row that it must give; what pyte has there (null: it fails, all is empty)."""

    written: str
    right: str
    wrong: str | None


FAULTS = {
    "alternate screen": Fault("before\x1b[?1049hin\x1b[?1049l", "before", "beforein"),
    "zero width joiner": Fault("👩\u200d🚀 and more", "👩🚀 and more", "👩"),
    "variation selector": Fault("❤\ufe0f and more", "❤ and more", "❤"),
    "vowel sign": Fault("मो and more", "मो and more", "म"),
    "CSI <": Fault("\x1b[<uand more", "and more", "uand more"),
    "DCS": Fault("\x1bP>|x\x1b\\and more", "and more", ">|xand more"),
    "APC": Fault("\x1b_Gi=1\x1b\\and more", "and more", "Gi=1and more"),
    "colons in SGR": Fault("\x1b[38:5:1mand more", "and more", "5:1mand more"),
    "private status report": Fault("\x1b[?6nand more", "and more", None),
    "half of a wide character": Fault("日本\x1b[1;1Hx", "x 本", None),
    "erased half": Fault("日本\x1b[1;2H\x1b[1X", "  本", "日本"),
    "wide character at the edge": Fault(f"{79 * '.'}日", 79 * ".", f"{79 * '.'}日"),
    "REP": Fault("ab\x1b[3b", "abbbb", "ab"),
    "tab sequences": Fault("abc\x1b[Ix", "abc     x", "abcx"),
}


def first_row(screen: GhosttyScreen | AvtScreen | PyteScreen, written: str) -> str:
    screen.feed(written.encode())
    return screen.rows()[0]


@pytest.mark.parametrize("name", FAULTS)
def test_pyte_has_the_fault_and_the_others_do_not(name: str) -> None:
    written, right, wrong = FAULTS[name]
    for screen in (GhosttyScreen(), AvtScreen()):
        assert _plain(first_row(screen, written)) == _plain(right)
    pyte = PyteScreen()
    assert first_row(pyte, written) == (wrong or "")
    assert (wrong is None) is (pyte.rows() == ("",) * 24)


def _plain(row: str) -> str:
    """Without what emulators keep or drop in ways of their own, but with the blanks inside."""
    return re.sub("[\u200d\ufe0f]", "", row)


def test_the_review_page_lists_exactly_these() -> None:
    table = REVIEW.partition("## The third opinion")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE) == list(FAULTS)


def test_what_the_interface_needs_it_reads_right() -> None:
    """Absolute positions, marks of synchronized output, frame markers, cut anywhere."""
    data = frame(list_screen("日本 é", ["m001", "m002"], "#1 2 results"), 1, 1, "done")
    pyte, ghostty = PyteScreen(), GhosttyScreen()
    for byte in data:
        pyte.feed(bytes([byte]))
    ghostty.feed(data)
    assert [compared_form(row) for row in pyte.rows()] == [compared_form(row) for row in ghostty.rows()]


def test_once_failed_it_has_no_opinion_any_more() -> None:
    pyte = PyteScreen()
    pyte.feed(b"\x1b[?6n")
    pyte.feed(b"\x1b[1;1Hand more")
    assert pyte.rows() == ("",) * 24
