"""A cast is what passed the terminal, loses nothing, and is one that players take."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from runner.terminal.cast import cast
from tests.terminal.tape import Tape


def lines_of(tape: Tape, opening: str = "") -> list[list[object]]:
    text = cast(tape.file(), opening).decode()
    assert text.endswith("\n")
    header, *events = text[:-1].split("\n")
    assert json.loads(header)["version"] == 2
    return [json.loads(line) for line in events]


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
    lines = cast(tape.file(), "").decode().split("\n")[1:-1]
    assert lines == ['[0.000001, "o", "a"]', '[61.000001, "o", "b"]']


def test_each_query_has_a_marker_and_keys_are_input() -> None:
    tape = Tape()
    tape.spawn()
    tape.search("q1", "john cena", ["m001"])
    tape.search("q2", "naïve", [])
    events = lines_of(tape)
    assert [text for _, code, text in events if code == "m"] == ["UI process 1", "q1", "q2"]
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


def test_a_new_ui_process_starts_on_an_empty_terminal() -> None:
    tape = Tape()
    tape.spawn(1)
    tape.out(b"\xe6")
    tape.spawn(2)
    texts = [text for _, code, text in lines_of(tape) if code == "o"]
    assert texts[0] == "\x1bc"
    assert texts[2] == "\ufffd\x1bc"


def test_the_state_it_begins_in_comes_first() -> None:
    tape = Tape(block=2)
    tape.out(b"x")
    assert lines_of(tape, "before") == [[0.0, "o", "before"], [0.000001, "o", "x"]]


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
