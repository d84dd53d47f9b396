"""Captions: no character lost, none outside its box, none that can act."""

from __future__ import annotations

import unicodedata

import pytest
from drawing.faces import Face
from drawing.layouts import parts
from drawing.typesetting import Box, Chain, Style, fit, shorten, spell, visible
from hypothesis import given
from hypothesis import strategies as st

# Every letter is half as wide as the type is large, except w, which is a whole; あ is in another face.
LATIN = Face("latin.ttf", "Latin", 700, dict.fromkeys(range(32, 383), 500.0) | {ord("w"): 1000.0, 0x2026: 500.0})
KANA = Face("kana.ttf", "Kana", 400, {0x3042: 1000.0, 0x25A1: 1000.0})
CHAIN = Chain((LATIN, KANA))
STYLE = Style(CHAIN, "#fff", 40, 10)
BOX = Box(0, 0, 200, 100)


def test_widths_worked_by_hand() -> None:
    assert CHAIN.width("now", 20) == 10 + 10 + 20
    assert CHAIN.width("aあ", 10) == 5 + 10
    assert CHAIN.width("", 10) == 0


def test_a_short_text_is_set_large() -> None:
    assert fit("it is fine", STYLE, BOX) == (("it is fine",), 40)


def test_a_longer_text_is_broken_at_a_blank() -> None:
    assert fit("it is fine here", STYLE, BOX).lines == ("it is fine", "here")


def test_a_line_break_of_the_caption_is_kept() -> None:
    assert fit("no\nno\n", STYLE, BOX).lines == ("no", "no")


def test_text_without_blanks_is_broken_anywhere_but_before_a_closing_mark() -> None:
    faces = Chain((Face("k", "K", 400, {0x3042: 1000.0, 0x3002: 1000.0}),))
    assert fit("ああああああ。ああ", Style(faces, "#fff", 34, 34), BOX).lines == ("あああああ", "あ。ああ")
    assert fit("あああああ。ああ", Style(faces, "#fff", 40, 10), BOX).lines[0].endswith("。")


@given(st.text(st.sampled_from("aw あ\n"), max_size=600))
def test_every_block_stays_inside_its_box(text: str) -> None:
    block = fit(text, STYLE, BOX)
    assert block.height <= BOX.height + 1e-9 or len(block.lines) == 1
    assert all(CHAIN.width(line, block.size) <= BOX.width + 1e-9 for line in block.lines)


@given(st.text(st.sampled_from("abw \n"), max_size=60))
def test_no_letter_is_lost_unless_the_text_says_so(text: str) -> None:
    joined = "".join(fit(text, STYLE, BOX).lines)
    if "…" not in joined:
        assert joined.replace(" ", "") == text.replace(" ", "").replace("\n", "")


@given(st.text(st.sampled_from("aw "), max_size=50), st.floats(10, 300))
def test_a_shortened_line_fits_and_is_a_prefix(text: str, width: float) -> None:
    short = shorten(text, CHAIN, 20, width)
    assert CHAIN.width(short, 20) <= width
    assert short == text or text.startswith(short.removesuffix("…"))


def test_what_could_act_is_shown_instead() -> None:
    assert visible("a\x1b[31m\u202eb\x7f") == "a␛[31m\ufffdb␡"


def test_the_bow_of_a_kaomoji_is_set_as_its_twin() -> None:
    assert visible("(╯°□°)╯\ufe35 ┻━┻") == "(╯°□°)╯\u23dc ┻━┻"


@given(st.text())
def test_nothing_that_acts_is_left(text: str) -> None:
    left = {unicodedata.category(char) for char in visible(text) if char not in "\n\u200c\u200d"}
    assert left.isdisjoint({"Cc", "Cf", "Cs", "Zl", "Zp"})


def test_markup_in_a_caption_is_text() -> None:
    assert "&lt;script&gt;&amp;" in spell("<script>&", STYLE, 20, (0, 0))


def test_a_character_that_no_face_has_becomes_a_box() -> None:
    assert ">□</tspan>" in spell("🎺", STYLE, 20, (0, 0))


def test_each_face_sets_its_own_characters() -> None:
    drawn = spell("aあ", STYLE, 20, (100, 0))
    assert '<tspan x="85.00" font-family="Latin" font-weight="700">a</tspan>' in drawn
    assert '<tspan x="95.00" font-family="Kana" font-weight="400">あ</tspan>' in drawn


@pytest.mark.parametrize(
    ("caption", "most", "expected"),
    [
        ("one\ntwo", 2, ["one", "two"]),
        ("one\n\ntwo\nthree\n", 2, ["one", "two\nthree"]),
        ("short", 2, ["short"]),
        ("shut up, and take my money", 2, ["shut up,", "and take my money"]),
        ("abcdefghi jklmnopq rstuvwxyz", 2, ["abcdefghi jklmnopq", "rstuvwxyz"]),
        ("  \n", 4, []),
    ],
)
def test_captions_are_divided_by_hand_worked_rules(caption: str, most: int, expected: list[str]) -> None:
    assert parts(caption, most) == expected
