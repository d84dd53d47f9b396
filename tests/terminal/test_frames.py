"""Markers are found wherever reads cut them, with what is still open at that moment."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from runner.terminal.frames import Mark, Marks
from tests.terminal.tape import frame


def test_a_marker_says_where_it_ends() -> None:
    data = frame(b"list", 3, 14, "done")
    assert Marks().feed(data + b"more") == [Mark(3, 14, "done", len(data), True)]


def test_a_marker_inside_an_open_update_is_not_whole() -> None:
    marker = b"\x1b]7777;mambo;submit=1;frame=2;state=done\x1b\\"
    assert [mark.whole for mark in Marks().feed(b"\x1b[?2026hlist" + marker)] == [False]


def test_other_words_are_no_marker() -> None:
    for text in (b"submit=x;frame=1;state=done", b"submit=1;frame=1;state=ended", b"submit=1;frame=1;state=done;x=1"):
        assert Marks().feed(b"\x1b]7777;mambo;" + text + b"\x1b\\") == []


@given(st.lists(st.integers(1, 90), max_size=20))
def test_cuts_change_nothing(cuts: list[int]) -> None:
    data = b"".join(frame(b"x" * n, n, n + 1, state) for n, state in ((1, "typing"), (2, "busy"), (3, "done")))
    marks, found, rest = Marks(), [], data
    for cut in [*cuts, len(data)]:
        part, rest = rest[:cut], rest[cut:]
        before = len(data) - len(rest) - len(part)
        found += [mark._replace(end=mark.end + before) for mark in marks.feed(part)]
    assert found == Marks().feed(data)
    assert [mark.state for mark in found] == ["typing", "busy", "done"]
