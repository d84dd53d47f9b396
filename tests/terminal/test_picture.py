"""The picture of a screen shows its text where it stands, in its colours, and nothing that has to be fetched."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from avt import Color

from runner.terminal.picture import HEIGHT, INK, PAPER, WIDTH, colour, picture
from runner.terminal.screens import AvtScreen

SVG = "{http://www.w3.org/2000/svg}"


def drawn(output: bytes) -> list[ElementTree.Element]:
    screen = AvtScreen()
    screen.feed(output)
    return list(ElementTree.fromstring(picture(screen.lines())).iter(f"{SVG}text"))


def test_text_stands_at_its_row_and_column() -> None:
    (word,) = drawn(b"\x1b[3;6Hm0001")
    assert word.text == "m0001"
    assert float(word.get("x", "")) == pytest.approx(5 * WIDTH)
    assert 2 * HEIGHT < float(word.get("y", "")) < 3 * HEIGHT
    assert float(word.get("textLength", "")) == pytest.approx(5 * WIDTH)


def test_looks_are_kept_apart() -> None:
    plain, bold, red = drawn(b"a\x1b[1mb\x1b[0;31mc")
    assert (plain.text, bold.text, red.text) == ("a", "b", "c")
    assert plain.get("fill") == INK
    assert bold.get("font-weight") == "bold"
    assert red.get("fill") == "#e06c75"


def test_a_wide_character_takes_two_columns_and_pushes_nobody() -> None:
    wide, after = drawn("猫x".encode())
    assert float(wide.get("textLength", "")) == pytest.approx(2 * WIDTH)
    assert float(after.get("x", "")) == pytest.approx(2 * WIDTH)


def test_markup_in_data_stays_text() -> None:
    (word,) = drawn(b"<script>&amp;</script>")
    assert word.text == "<script>&amp;</script>"


def test_reversed_cells_swap_ink_and_paper() -> None:
    screen = AvtScreen()
    screen.feed(b"\x1b[7mon")
    root = ElementTree.fromstring(picture(screen.lines()))
    behind = list(root.iter(f"{SVG}rect"))[-1]
    (word,) = root.iter(f"{SVG}text")
    assert (behind.get("fill"), word.get("fill")) == (INK, PAPER)


@pytest.mark.parametrize(
    ("named", "hex_"),
    [
        (Color.Indexed(16), "#000000"),
        (Color.Indexed(196), "#ff0000"),
        (Color.Indexed(231), "#ffffff"),
        (Color.Indexed(232), "#080808"),
        (Color.Indexed(255), "#eeeeee"),
        (Color.RGB(1, 2, 255), "#0102ff"),
        (None, "#123456"),
    ],
)
def test_colours_are_xterms(named: object, hex_: str) -> None:
    assert colour(named, "#123456") == hex_
