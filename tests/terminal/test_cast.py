"""A cast is what passed the terminal, loses nothing, and is one that players take."""

from __future__ import annotations

import json
import re

import pytest
from avt import Vt
from hypothesis import given
from hypothesis import strategies as st
from pyghostty import Terminal

from runner.terminal.cast import RESTORE, cast
from tests.terminal.tape import Tape


def lines_of(tape: Tape, opening: str = "") -> list[list[object]]:
    """The events of the cast but for the last, which puts the terminal back."""
    text = cast(tape.file(), opening).decode()
    assert text.endswith("\n")
    header, *events = text[:-1].split("\n")
    assert json.loads(header)["version"] == 2
    *told, last = [json.loads(line) for line in events]
    assert last[1] == "o"
    assert last[2].endswith(RESTORE)
    rest = last[2].removesuffix(RESTORE)
    return [*told, [last[0], "o", rest]] if rest else told


def test_the_header_says_80_by_24() -> None:
    header = json.loads(cast(Tape(block=3).file(), "").split(b"\n")[0])
    assert header == {
        "version": 2,
        "width": 80,
        "height": 24,
        "title": "bm25, block 3",
        "env": {"TERM": "xterm-256color"},
    }


def test_time_is_seconds_with_six_decimals_cut_not_rounded() -> None:
    tape = Tape()
    tape.out(b"a", after=1_999)
    tape.out(b"b", after=61_000_000_000)
    lines = cast(tape.file(), "").decode().split("\n")[1:-2]
    assert lines == ['[0.000001, "o", "a"]', '[61.000001, "o", "b"]']


def test_each_query_has_a_marker_with_its_text_and_keys_are_input() -> None:
    tape = Tape()
    tape.spawn()
    tape.search("q1", "john cena", ["m001"])
    tape.search("q2", "naïve", [])
    events = lines_of(tape)
    assert [text for _, code, text in events if code == "m"] == ["UI process 1", "q1  john cena", "q2  naïve"]
    assert [text for _, code, text in events if code == "i"] == ["\x15", "john cena", "\r", "\x15", "naïve", "\r"]


def test_a_character_cut_by_a_read_comes_whole_with_the_next() -> None:
    tape = Tape()
    one, two = "日é👩".encode()[:4], "日é👩".encode()[4:]
    tape.out(one)
    tape.out(two)
    assert [text for _, _, text in lines_of(tape)] == ["日", "é👩"]


def test_bytes_that_are_no_character_show_as_a_terminal_shows_them() -> None:
    tape = Tape()
    tape.out(b"a\xffb")
    tape.out(b"\xe6\x97")
    assert [text for _, _, text in lines_of(tape)] == ["a\ufffdb", "\ufffd"]


def test_a_marker_holds_nothing_that_could_steer_a_terminal_or_end_its_line() -> None:
    tape = Tape()
    tape.begin("q1", "a\x1b[2J\u202e\u2028\x9b\x7fb")
    ((_, _, label),) = lines_of(tape)
    assert label == "q1  a␛[2J\ufffd \ufffd␡b"


def test_a_new_ui_process_starts_on_an_empty_terminal() -> None:
    tape = Tape()
    tape.spawn(1)
    tape.out(b"\x1b[1;1Hold\x1b[31;7m\x1b[2;5r\xe6")
    tape.spawn(2)
    texts = [str(text) for _, code, text in lines_of(tape) if code == "o"]
    assert texts[2].startswith("\ufffd")
    for rows, pen in after("".join(texts) + "new"):
        assert [row for row in rows if row] == ["new"]
        assert pen == "plain"


def test_the_first_ui_process_finds_the_terminal_untouched() -> None:
    tape = Tape()
    tape.spawn(1)
    assert next(text for _, code, text in lines_of(tape) if code == "o").startswith("\x1b[?2026h")


def after(output: str) -> list[tuple[list[str], str]]:
    """The rows in both emulators, and whether what would be written next is plain."""
    ghostty, avt = Terminal(80, 24), Vt(80, 24, 0)
    ghostty.feed(output)
    avt.feed_str(output)
    column, row = ghostty.cursor
    ghostty_pen = "plain" if not ghostty.style(column - 1, row)["inverse"] else "inverse"
    cell = avt.view()[avt.cursor.row].cells[max(avt.cursor.col - 1, 0)]
    avt_pen = "inverse" if cell.pen.inverse else "plain"
    ghostty_rows = [line.rstrip() for line in ghostty.text().split("\n")]
    return [(ghostty_rows, ghostty_pen), ([line.text.rstrip() for line in avt.view()], avt_pen)]


def test_the_state_it_begins_in_comes_first() -> None:
    tape = Tape(block=2)
    tape.out(b"x")
    assert lines_of(tape, "before") == [[0.0, "o", "before"], [0.000001, "o", "x"]]


def test_repeated_characters_of_the_opening_come_in_full() -> None:
    tape = Tape(block=2)
    ((_, _, opening),) = lines_of(tape, "a\x1b[3b\x1b[m日\x1b[b \x1b[0b\x1b[2;3H")
    assert opening == "aaaa\x1b[m日日  \x1b[2;3H"


TOUCHED = "\x1b[?1047h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[?2026h\x1b[?1003h\x1b[?1004h\x1b[?1h\x1b[31;7m"


@pytest.mark.parametrize("cut", ["", "\x1b[", "\x1b]0;title", "\x1bP1$"])
def test_whoever_plays_it_has_the_terminal_back_as_it_was(cut: str) -> None:
    tape = Tape(block=2)
    tape.out(f"\x1b[12;40Hdrawn{cut}".encode())
    ghostty, avt = Terminal(80, 24), Vt(80, 24, 0)
    for event in [
        "$ play\r\n",
        *(json.loads(line)[2] for line in cast(tape.file(), TOUCHED).decode().split("\n")[1:-1]),
    ]:
        ghostty.feed(event)
        avt.feed_str(event)
    assert [mode for mode in (1, 1003, 1004, 1049, 2004, 2026) if ghostty.mode(mode)] == []
    assert [mode for mode in (7, 25) if not ghostty.mode(mode)] == []
    assert ghostty.text().split() == ["$", "play"]
    assert avt.view()[0].text.rstrip() == "$ play"
    assert (ghostty.cursor, avt.cursor.col, avt.cursor.row, avt.cursor.visible) == ((0, 1), 0, 1, True)
    ghostty.feed("x")
    assert ghostty.style(0, 1)["fg"] is None


@given(st.text(), st.lists(st.integers(1, 5), max_size=30))
def test_nothing_is_lost_however_reads_fall(text: str, cuts: list[int]) -> None:
    tape, rest = Tape(), text.encode()
    for cut in cuts:
        tape.out(rest[:cut])
        rest = rest[cut:]
    tape.out(rest)
    assert "".join(str(text) for _, code, text in lines_of(tape) if code == "o") == text


@given(st.lists(st.tuples(st.binary(max_size=8), st.integers(0, 10**12)), max_size=20))
def test_time_never_runs_backwards_and_no_line_is_blank(reads: list[tuple[bytes, int]]) -> None:
    tape = Tape()
    for data, after in reads:
        tape.out(data, after=after)
    lines = cast(tape.file(), "").decode().split("\n")[:-1]
    assert all(lines)
    times = [json.loads(line)[0] for line in lines[1:]]
    assert times == sorted(times)
    assert all(re.match(r"\[\d+\.\d{6}, ", line) for line in lines[1:])
