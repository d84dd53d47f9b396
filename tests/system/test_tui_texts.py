"""The shown form, widths and visible characters: values by hand, laws, and the emulators as the measure."""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path

import pytest
from avt import Vt
from hypothesis import given
from hypothesis import strategies as st
from pyghostty import Terminal

from images.mambomeme.mambomeme.tui.clusters import following, preceding
from images.mambomeme.mambomeme.tui.editor import Editor
from images.mambomeme.mambomeme.tui.shown import shown
from images.mambomeme.mambomeme.tui.widths import cut, width, wrap
from runner.terminal.shown import shown_form

VECTORS = json.loads((Path(__file__).parents[1] / "golden/shown_form.json").read_text())["vectors"]
TEXTS = st.text(st.characters(codec=None) | st.sampled_from("e\u0301\u200d\ufe0f👨👩🇩🇪日 \x1b\u202e"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["case"])
def test_the_published_vectors_of_the_shown_form(vector: dict[str, str]) -> None:
    assert shown(vector["text"]) == vector["shown"]


def test_every_character_is_shown_as_the_reader_of_the_screen_expects() -> None:
    for code in range(sys.maxunicode + 1):
        assert shown(f"a{chr(code)}b") == shown_form(f"a{chr(code)}b")


@given(TEXTS)
def test_what_is_shown_cannot_steer_a_terminal(text: str) -> None:
    assert all(unicodedata.category(c) not in {"Cc", "Cs", "Zl", "Zp"} for c in shown(text))
    assert all(c == "\u200d" for c in shown(text) if unicodedata.category(c) == "Cf")


@given(TEXTS, st.integers(2, 90))
def test_a_cut_text_fits_and_is_a_prefix_that_shows_something(text: str, columns: int) -> None:
    whole = shown(text)
    found = cut(whole, columns)
    assert width(found) <= columns
    assert found == whole or (found.endswith("…") and whole.startswith(found[:-1]))


@given(TEXTS, st.integers(4, 90), st.integers(1, 6))
def test_wrapped_lines_fit_and_lose_nothing_but_blanks_where_none_is_cut(text: str, columns: int, lines: int) -> None:
    whole = shown(text)
    found = wrap(whole, columns, lines)
    assert len(found) <= lines
    assert all(width(line) <= columns for line in found)
    if found and not found[-1].endswith("…"):
        assert "".join("".join(found).split()) == "".join(whole.split())


def test_wrapping_by_hand() -> None:
    assert wrap("the quick brown fox jumps", 10, 9) == ["the quick", "brown fox", "jumps"]
    assert wrap("the quick brown fox jumps", 10, 2) == ["the quick", "brown fox…"]
    assert wrap("incomprehensibilities", 10, 9) == ["incomprehe", "nsibilitie", "s"]
    assert wrap("", 10, 3) == []


@given(TEXTS)
def test_no_emulator_draws_a_text_wider_than_its_width(text: str) -> None:
    piece = shown(text)[:30]
    with Terminal(100, 2) as ghostty:
        ghostty.feed("\x1b[?7l" + piece)
        assert ghostty.cursor[0] <= width(piece)
    avt = Vt(100, 2, 0)
    avt.feed_str("\x1b[?7l" + piece)
    assert avt.cursor.col <= width(piece)


def test_no_emulator_draws_any_assigned_character_wider_than_its_width() -> None:
    avt = Vt(10, 1, 0)
    with Terminal(10, 2) as ghostty:
        for code in [*range(0xA0, 0x3400), *range(0x1F000, 0x20000), *range(0xA000, 0x1F000, 7)]:
            character = shown(chr(code))
            ghostty.feed("\x1b[1;1H\x1b[2K" + character)
            avt.feed_str("\x1b[1;1H\x1b[2K" + character)
            assert max(ghostty.cursor[0], avt.cursor.col) <= width(character), hex(code)


@given(TEXTS)
def test_boundaries_are_the_same_from_both_ends(text: str) -> None:
    forwards, index = [0], 0
    while index < len(text):
        index = following(text, index)
        forwards.append(index)
    backwards, index = [len(text)], len(text)
    while index > 0:
        index = preceding(text, index)
        backwards.append(index)
    assert forwards == backwards[::-1]


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("abc", ["a", "b", "c"]),
        ("e\u0301a", ["e\u0301", "a"]),
        ("👨\u200d👩\u200d👧x", ["👨\u200d👩\u200d👧", "x"]),
        ("👍\U0001f3fd!", ["👍\U0001f3fd", "!"]),
        ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
        ("❤\ufe0f1\ufe0f\u20e3", ["❤\ufe0f", "1\ufe0f\u20e3"]),
        ("नि", ["नि"]),
    ],
)
def test_visible_characters_by_hand(text: str, visible: list[str]) -> None:
    found, index = [], 0
    while index < len(text):
        end = following(text, index)
        found.append(text[index:end])
        index = end
    assert found == visible


@given(st.lists(st.tuples(st.sampled_from(sorted(vars(Editor).keys() - {"full"})), TEXTS)))
def test_the_cursor_stays_in_the_line_whatever_is_done(steps: list[tuple[str, str]]) -> None:
    editor = Editor()
    for name, text in steps:
        if name.startswith("_"):
            continue
        method = getattr(editor, name)
        method(text) if name in {"insert", "paste", "replace"} else method()
        assert 0 <= editor.cursor <= len(editor.text)
