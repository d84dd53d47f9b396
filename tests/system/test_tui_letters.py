"""Letters are keys only in a list entered with Esc; what a driver writes is always text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.tui_engine import SmallEngine
from tests.system.tui_terminal import Tui

ESC, UP, DOWN, TAB = "\x1b", "\x1b[A", "\x1b[B", "\t"
LETTERS = "jkgGlhqvoyc?ia/1234567890"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SmallEngine]:
    with SmallEngine(tmp_path / "s") as engine:
        yield engine


@pytest.fixture
def tui(engine: SmallEngine) -> Iterator[Tui]:
    """In the list of a search for `abc`, entered with Esc."""
    with Tui({"MAMBO_SOCKET": str(engine.path)}) as tui:
        tui.next_frame()
        tui.search("abc")
        tui.press(ESC)
        yield tui


def selected(tui: Tui) -> int:
    (row,) = (row for row in tui.rows()[2:12] if row.startswith("▸"))
    return int(row[1:4])


def test_letters_move_and_type_nothing(tui: Tui) -> None:
    for key, rank in (
        ("j", 2), ("jjj", 5), ("k", 4), ("G", 10), ("g", 1), ("k", 1), ("5", 5), ("0", 10), (UP, 9), ("1", 1),
    ):  # fmt: skip
        tui.press(key)
        assert selected(tui) == rank
        assert tui.rows()[0] == "> abc"
        assert not tui.ghostty.mode(25)


def test_other_characters_and_writes_of_several_are_text(tui: Tui) -> None:
    for text in ("x", "é", "日", "J", "john", "jk", "oo", "vi", "?!", "  .", "jjk", "j\u0301"):
        tui.press("\x15abc")
        tui.press(ESC)
        assert not tui.ghostty.mode(25)
        tui.press(text)
        assert tui.rows()[0] == f"> abc{text}"
        assert tui.ghostty.mode(25)


def test_what_the_driver_writes_is_never_swallowed(engine: SmallEngine, tui: Tui) -> None:
    for letter in LETTERS:
        tui.press("\x15")
        assert tui.press(letter).state == "typing"
        assert tui.rows()[0] == f"> {letter}"
        tui.write("\r")
        tui.wait("done")
        assert engine.asked[-1] == letter
        tui.press(ESC)


@pytest.mark.parametrize("way", [TAB, DOWN])
def test_in_a_list_entered_otherwise_letters_are_text(engine: SmallEngine, way: str) -> None:
    with Tui({"MAMBO_SOCKET": str(engine.path)}) as tui:
        tui.next_frame()
        tui.search("abc")
        tui.press(way)
        tui.press("j")
        assert tui.rows()[0] == "> abcj"


def test_escape_goes_to_the_letters_and_back(tui: Tui) -> None:
    tui.press(ESC)
    assert tui.ghostty.mode(25)
    tui.press("j")
    assert tui.rows()[0] == "> abcj"


def test_escape_without_a_list_leaves_letters_text(engine: SmallEngine) -> None:
    with Tui({"MAMBO_SOCKET": str(engine.path)}) as tui:
        tui.next_frame()
        tui.press(ESC)
        tui.press("q")
        assert tui.rows()[0] == "> q"


def test_i_goes_back_to_the_query_and_slash_to_a_new_one(tui: Tui) -> None:
    tui.press("i")
    tui.press("d")
    assert tui.rows()[0] == "> abcd"
    tui.press(ESC)
    tui.press("/")
    tui.press("n")
    assert tui.rows()[0] == "> n"


def test_l_reads_h_goes_back_and_q_leaves_step_by_step(tui: Tui) -> None:
    listed = tui.rows()
    tui.press("l")
    assert tui.rows()[2] == "  abc 1"
    tui.press("h")
    assert tui.rows() == listed
    tui.press("h")
    assert tui.rows() == listed
    tui.press("?")
    assert tui.rows()[1].startswith("── Keys ──")
    tui.press("q")
    assert tui.rows() == listed
    tui.write("q")
    assert tui.end() == 0


def test_the_status_names_the_letters(tui: Tui) -> None:
    assert tui.rows()[23].endswith("j k move  v view  o open  y copy  c choose  i query")


def test_up_on_the_query_line_walks_through_earlier_queries_and_down_comes_back(tui: Tui) -> None:
    tui.search("second")
    tui.press("\x15draft")
    for key, line in ((UP, "second"), (UP, "abc"), (UP, "abc"), (DOWN, "second"), (DOWN, "draft")):
        tui.press(key)
        assert tui.rows()[0] == f"> {line}"
    tui.press(DOWN)
    assert not tui.ghostty.mode(25)
    assert tui.rows()[0] == "> draft"


def test_a_filter_is_explained_while_it_is_typed(tui: Tui) -> None:
    for text, told in (
        ("cat who:", "who: a person or character"), ("LANG:e", "lang: a language"), ("?", "F1 shows the keys"),
        ("http:", "Enter searches"), ("xwho:a", "Enter searches"), ("who:a b", "Enter searches"),
        ("whoever", "Enter searches"),
    ):  # fmt: skip
        tui.press("\x15")
        tui.press(text)
        assert tui.rows()[23].startswith(told)
