"""Each damaged file: what is said of it, and what is kept of it; by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.terminal.asciicast.deeds import lint, salvage

FOLDER = Path(__file__).parents[1] / "vectors/casts"
V2, V3 = '{"version": 2, "width": 80, "height": 24}', '{"version": 3, "term": {"cols": 80, "rows": 24}}'
A = '[0.100000, "o", "a"]'
AT_ZERO = '[0.000000, "o", "a"]'
RANGE = "is not a number of seconds from 0 to 604800"
LAST = "kept, at the time of the event before it"

#: By file: findings with what becomes of each, and the lines of the saved file (null: none is written).
CASES: dict[str, tuple[list[tuple[str, str]], list[str] | None]] = {
    "01_truncated_last_line": ([('3: line: is cut in its middle: [0.2,"o","hel', "left out")], [V2, A]),
    "03_empty_file": ([("1: file: is empty", "nothing is kept")], None),
    "05_no_header": (
        [("1: header: missing, the file starts with something else", "read as version 2 of 80x24")],
        [V2, A],
    ),
    "07_crlf": ([("1: line: 3 lines end in CR LF", "written with LF")], [V2, A, '[0.200000, "o", "b"]']),
    "09_comment_in_v2": ([("2: line: a comment, which only version 3 knows: # c", "left out")], [V2, A]),
    "11_negative_v2": ([(f"2: time: -0.5 {RANGE}", LAST)], [V2, AT_ZERO, '[0.500000, "o", "b"]']),
    "15_time_NaN": ([(f"2: time: NaN {RANGE}", LAST)], [V2, AT_ZERO]),
    "17_four_element": ([("2: event: 4 parts where 3 belong", "kept, without [1]")], [V2, A]),
    "19_long_code": ([("2: code: 'output' is no code", "read as 'o'")], [V2, A]),
    "21_invalid_utf8": (
        [("2: text: byte 12 is not UTF-8", "kept, with U+FFFD in its place")],
        [V2, '[0.100000, "o", "a\ufffd b"]'],
    ),
    "23_nul_and_ctrl_raw": (
        [("2: text: holds a control character that is not escaped", "kept, escaped")],
        [V2, '[0.100000, "o", "a\\u001b[31mb"]'],
    ),
    "25_resize_huge": (
        [("2: size: 99999x99999 is no size from 1x1 to 1000x500", "left out")],
        [V2, '[0.200000, "o", "b"]'],
    ),
    "27_missing_size": (
        [("1: header: width: missing", "taken as 80"), ("1: header: height: missing", "taken as 24")],
        [V2, A],
    ),
    "29_version_4": (
        [("1: header: version: 4 is none that is known for such a file", "read as 2, by its other fields")],
        [V2, A],
    ),
    "31_env_null": ([("1: header: env.SHELL: is no text", "left out")], [V2[:-1] + ', "env": {}}', A]),
    "33_theme_bad": ([("1: header: theme: fg is no colour like #d0d0d0", "left out")], [V2, A]),
    "35_exit_not_number": ([("3: event: killed is no exit status", "left out")], [V3, A]),
    "37_concat_two_casts": (
        [("3: file: a second header: another recording begins", "put behind")],
        [V2, A, '[0.100000, "m", "another recording begins"]', '[0.200000, "o", "b"]'],
    ),
    "39_huge_time": ([(f"2: time: 1E+300 {RANGE}", LAST)], [V2, AT_ZERO]),
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_said_what_is_wrong_and_what_became_of_it(name: str) -> None:
    data = (FOLDER / f"{name}.cast").read_bytes()
    said, kept = CASES[name]
    saved = salvage(data)
    assert [str(one) for one in lint(data)] == [what for what, _ in said]
    assert [(str(one), one.deed) for one in saved.account] == said
    assert saved.data == (None if kept is None else ("\n".join(kept) + "\n").encode())


@pytest.mark.parametrize("name", ["00_good_v2", "00_good_v3"])
def test_a_good_file_stays_as_it_is(name: str) -> None:
    data = (FOLDER / f"{name}.cast").read_bytes()
    assert (lint(data), salvage(data)) == ((), (data, 4, ()))


def test_intervals_that_look_like_times_are_pointed_out_but_believed() -> None:
    """A form that no reader can refuse: only whoever made the file knows."""
    data = (FOLDER / "13_v3_with_absolute_times.cast").read_bytes()
    (said,) = lint(data)
    assert str(said).startswith("2: clock: every interval is longer than the one before")
    assert salvage(data).data == data


def test_every_file_there_has_its_case() -> None:
    named = {*CASES, "00_good_v2", "00_good_v3", "13_v3_with_absolute_times"}
    assert {path.stem for path in FOLDER.iterdir()} == named


def test_a_cut_interval_still_counts_for_what_follows() -> None:
    data = b'{"version":3,"term":{"cols":9,"rows":3}}\n[1,"o","a"]\n[2,"o","b\n[3,"r","0x0"]\n[4,"o","c"]\n'
    saved = salvage(data).data or b""
    assert [json.loads(line) for line in saved.splitlines()[1:]] == [[1.0, "o", "a"], [9.0, "o", "c"]]


def test_one_stray_time_does_not_take_the_others_with_it() -> None:
    rows = ['[1,"o","a"]', '[5000,"o","stray"]', '[2,"o","b"]', '[0.5,"o","late"]', '[3,"o","c"]']
    saved = salvage("\n".join([V2, *rows, ""]).encode())
    events = [json.loads(line) for line in (saved.data or b"").splitlines()[1:]]
    assert events == [[1.0, "o", "a"], [1.0, "o", "stray"], [2.0, "o", "b"], [2.0, "o", "late"], [3.0, "o", "c"]]
    assert [one.line for one in saved.account] == [3, 5]


def test_an_event_behind_a_cut_one_on_the_same_line_is_found() -> None:
    saved = salvage(f'{V2}\n[0.2,"o","hel[0.3,"o","x"][0.4,"m","y"]\n'.encode())
    assert [json.loads(line)[2] for line in (saved.data or b"").splitlines()[1:]] == ["x", "y"]


def test_a_bare_line_end_inside_a_text_is_taken_for_one() -> None:
    saved = salvage(f'{V2}\n[0.1,"o","one\ntwo"]\n[0.2,"o","b"]\n'.encode())
    assert [json.loads(line)[2] for line in (saved.data or b"").splitlines()[1:]] == ["one\ntwo", "b"]


VERSION_1 = '{"version": 1, "width": 80, "height": 24, "title": "t",\n "stdout": [[0.5, "a"],\n [0.25, "b"]]}\n'


def test_version_1_is_good_as_it_is() -> None:
    assert lint(VERSION_1.encode()) == ()
    assert salvage(VERSION_1.encode()).data == VERSION_1.encode()


def test_a_version_1_that_was_cut_becomes_a_version_2() -> None:
    saved = salvage(VERSION_1.encode()[:-9])
    assert [(one.line, one.deed) for one in saved.account] == [(3, "left out"), (3, "closed")]
    head, *events = [json.loads(line) for line in (saved.data or b"").splitlines()]
    assert head == {"version": 2, "width": 80, "height": 24, "title": "t"}
    assert events == [[0.5, "o", "a"]]
