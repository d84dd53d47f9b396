"""The published terminal profile answers what crossterm asks, and the second UI leaves the terminal as it was."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from runner.terminal.profile import QUERY, answer
from tests.system.test_tui_endings import ENDINGS, assert_restored
from tests.system.tui_terminal import Tui

AFTER_A_PROMPT = ("sh", "-c", 'printf "earlier screen\\n\\033[4;7H"; exec ./second tui')


class Profiled(Tui):
    """A terminal that answers as the profile says, and nothing else."""

    asked = 0

    def cursor(self) -> tuple[int, int]:
        column, row = self.ghostty.cursor
        return row + 1, column + 1

    def mode(self, number: int) -> bool:
        return bool(self.ghostty.mode(number))

    def _take(self, data: bytes) -> None:
        super()._take(data)
        for query in re.finditer(QUERY, data):
            self.asked += 1
            self.write(answer(query[0], self) or b"")


@pytest.fixture
def tui(second: Path) -> Iterator[Profiled]:
    with Profiled({"MAMBO_SOCKET": "/nonexistent"}, command=AFTER_A_PROMPT, folder=second) as tui:
        yield tui


# The runtime of Rust takes the first SIGSEGV for a stack that is full, and waits for the fault to come again.
OURS = {name: ending for name, ending in ENDINGS.items() if name != "sigsegv of the child"}


@pytest.mark.parametrize(("end", "status"), OURS.values(), ids=OURS.keys())
def test_the_terminal_is_as_before(tui: Profiled, end: Callable[[Tui], None], status: int) -> None:
    tui.next_frame()
    assert tui.ghostty.mode(1049)
    assert tui.asked == 1, "where the cursor is"
    end(tui)
    assert tui.end() == status
    assert_restored(tui)


def test_a_fault_is_told_in_one_line_after_all_is_put_back(tui: Profiled) -> None:
    tui.next_frame()
    end, status = ENDINGS["exception"]
    end(tui)
    assert tui.end() == status
    said = tui.output[tui.output.rfind(b"\x1b[?25h") :]
    assert b"SIGUSR1 asked for a fault" in said
    assert said.count(b"\n") == 1


def test_a_search_without_an_engine_is_an_error_on_the_screen(tui: Profiled) -> None:
    tui.next_frame()
    frame = tui.search("cat")
    assert frame.submit == 1
    assert tui.rows()[0] == "> cat"
    assert tui.rows()[23].startswith("#1 error: ")


def test_no_text_is_obeyed(tui: Profiled) -> None:
    tui.next_frame()
    tui.press("\u202ea\u0301\u2028b\u200b")
    assert tui.rows_apart()[1][0] == "> \ufffd\u00e1 b\ufffd"


def test_the_end_of_a_long_query_is_shown(tui: Profiled) -> None:
    tui.next_frame()
    tui.press("x" * 70 + "abcdefgh")
    assert tui.rows()[0] == "> …" + "x" * 67 + "abcdefgh"
