"""The preview: the corpus's own picture, in whatever the terminal can draw, and never unasked."""

from __future__ import annotations

import base64
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from images.mambomeme.mambomeme.tui.graphics import QUESTIONS, sixels
from images.mambomeme.mambomeme.tui.halfblocks import Palette, half_blocks, scaled
from images.mambomeme.mambomeme.tui.png import BadPictureError, Raster, read_png
from tests.system.tui_engine import SmallEngine, item
from tests.system.tui_terminal import Tui

DOWN, F3 = "\x1b[B", "\x1bOR"
RED, BLUE = (200, 0, 0), (0, 0, 200)
NAMES = ("m1", "m2", "m3", "m4", "m5")
TOLD = {"quote": "SO FINE", "attribution": "A painter", "license": "CC0-1.0"}
KITTY = re.compile(rb"\x1b_G([^;\x1b]*);([A-Za-z0-9+/=]*)\x1b\\")
SIXEL = re.compile(rb'\x1bPq"1;1;(\d+);(\d+)((?:#\d+;2;\d+;\d+;\d+)*)([^\x1b]*)\x1b\\')


def png(image: Image.Image) -> bytes:
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


def red_over_blue() -> Image.Image:
    image = Image.new("RGB", (480, 360), RED)
    image.paste(BLUE, (0, 180, 480, 360))
    return image


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "previews").mkdir()
    for name in ("m1", "m2"):
        (tmp_path / f"previews/{name}.png").write_bytes(png(red_over_blue()))
    (tmp_path / "previews/m3.png").write_bytes(b"\x89PNG\r\n\x1a\nnonsense")
    os.mkfifo(tmp_path / "previews/m5.png")
    return tmp_path


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SmallEngine]:
    found = [item(name, f"Title {name}", preview=f"previews/{name}.png", **TOLD) for name in NAMES]
    with SmallEngine(tmp_path / "s", answer=lambda _: {"items": found}) as engine:
        yield engine


def opened(engine: SmallEngine, corpus: Path, columns: int = 80, rows: int = 24, **environment: str) -> Tui:
    more = {"COLORTERM": "truecolor", **environment}
    tui = Tui({"MAMBO_SOCKET": str(engine.path), "MAMBO_CORPUS": str(corpus), **more}, columns=columns, rows=rows)
    tui.next_frame()
    tui.search("x")
    return tui


def test_at_80x24_the_picture_stands_beside_its_words_and_credit(engine: SmallEngine, corpus: Path) -> None:
    with opened(engine, corpus) as tui:
        listed = tui.rows()
        tui.press(F3)
        rows = tui.rows()
        assert [row[2:58] for row in rows[2:23]] == ["▀" * 56] * 21
        assert [tui.ghostty.style(2, row)["fg"][1] for row in (2, 11)] == [RED, RED]
        assert [tui.ghostty.style(57, row)["bg"][1] for row in (2, 13, 22)] == [RED, BLUE, BLUE]
        side = " ".join(" ".join(row[58:] for row in rows[2:23]).split())
        assert side == "Title m1 “SO FINE” A painter CC0-1.0"
        tui.press(F3)
        assert tui.rows()[:23] == listed[:23]


@pytest.mark.parametrize(("columns", "rows"), [(24, 6), (40, 12), (60, 18), (79, 23), (120, 40), (200, 60)])
def test_at_any_size_it_fits_and_names_its_licence(engine: SmallEngine, corpus: Path, columns: int, rows: int) -> None:
    with opened(engine, corpus, columns, rows) as tui:
        tui.press(F3)
        screen = tui.rows()
        assert len(screen) == rows
        assert any("▀▀▀▀" in row for row in screen)
        assert columns < 40 or any("CC0-1.0" in row for row in screen)
        assert screen[0] == "> x"
        tui.resize(80, 24)
        tui.next_frame()
        assert tui.rows()[2][2:58] == "▀" * 56


def test_the_preview_follows_the_selection_and_words_leave_it(engine: SmallEngine, corpus: Path) -> None:
    with opened(engine, corpus) as tui:
        tui.press(F3)
        tui.press(DOWN)
        assert tui.rows()[1].startswith("── m2 ──")
        assert tui.rows()[1].endswith(" 2 of 5 ──")
        tui.press(DOWN)
        assert tui.rows()[2] == "  Its picture cannot be shown: it is damaged."
        tui.press(DOWN)
        assert tui.rows()[2] == "  Its picture cannot be shown: No such file or directory."
        assert any("CC0-1.0" in row for row in tui.rows())
        tui.press(DOWN)
        assert tui.rows()[2] == "  Its picture cannot be shown: it is no file."
        tui.press("y")
        assert tui.rows()[0] == "> xy"
        assert tui.rows()[6].startswith("▸  5 m5")


def test_no_color_leaves_shapes(engine: SmallEngine, corpus: Path) -> None:
    white = Image.new("L", (480, 360), 255)
    white.paste(0, (0, 0, 480, 180))
    (corpus / "previews/m1.png").write_bytes(png(white))
    with opened(engine, corpus, NO_COLOR="1") as tui:
        tui.press(F3)
        assert tui.rows()[3][2:58].strip() == ""
        assert tui.rows()[22][2:58] == "█" * 56
        assert b"38;" not in tui.output
        tui.press("\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
        assert tui.rows()[3][2:58] == "█" * 56
        assert tui.rows()[22][2:58].strip() == ""


def test_the_terminal_is_asked_once_and_only_after_the_first_preview(engine: SmallEngine, corpus: Path) -> None:
    with opened(engine, corpus) as tui:
        tui.press(DOWN)
        assert QUESTIONS not in tui.output
        tui.press(F3)
        tui.wait_for(QUESTIONS)
        tui.press(F3)
        tui.press(F3)
        assert tui.output.count(QUESTIONS) == 1


def test_a_terminal_that_takes_kitty_graphics_gets_the_picture_itself(engine: SmallEngine, corpus: Path) -> None:
    with opened(engine, corpus) as tui:
        tui.press(F3)
        drawn = tui.press("\x1b_Gi=7777;OK\x1b\\").data.replace(QUESTIONS, b"")
        sent = KITTY.findall(drawn)
        assert sent[0][0] == b"a=T,f=100,q=2,C=1,c=56,r=21,m=0"
        assert base64.b64decode(b"".join(data for _, data in sent)) == (corpus / "previews/m1.png").read_bytes()
        assert b"\x1b[3;3H\x1b_G" in drawn
        assert "▀" not in "".join(tui.rows())
        gone = tui.press("\x1b")
        assert b"\x1b_Ga=d" in gone.data
        assert "▸  1 m1" in tui.rows()[2]
        assert b"\x1b_G" not in tui.press("x").data


def test_a_large_picture_goes_in_pieces_of_4096(engine: SmallEngine, corpus: Path) -> None:
    noise = Image.effect_noise((480, 360), 90)
    (corpus / "previews/m1.png").write_bytes(png(noise))
    with opened(engine, corpus) as tui:
        tui.press(F3)
        sent = KITTY.findall(tui.press("\x1b_Gi=7777;OK\x1b\\").data.replace(QUESTIONS, b""))
        assert {len(data) for _, data in sent[:-1]} == {4096}
        assert {control.rpartition(b",")[2] for control, _ in sent[:-1]} == {b"m=1"}
        assert sent[-1][0] == b"m=0"
        assert base64.b64decode(b"".join(data for _, data in sent)) == (corpus / "previews/m1.png").read_bytes()


def test_sixels_need_both_the_ability_and_a_cell_size(engine: SmallEngine, corpus: Path) -> None:
    with opened(engine, corpus) as tui:
        tui.press(F3)
        assert "▀" in "".join(tui.rows())
        tui.write("\x1b[?62;4;22c")
        frame = tui.press("\x1b[6;16;8t")
        found = SIXEL.search(frame.data)
        assert found
        image = from_sixels(found)
        assert image.size == (56 * 8, 21 * 16)
        assert [image.getpixel((9, y)) for y in (0, 160, 180, 335)] == [(204, 0, 0)] * 2 + [(0, 0, 204)] * 2


def test_without_answers_or_with_others_characters_stay(engine: SmallEngine, corpus: Path) -> None:
    with opened(engine, corpus) as tui:
        tui.press(F3)
        tui.write("\x1b_Gi=7777;ENOTSUPPORTED\x1b\\\x1b[?62;22c\x1b[6;0;0t\x1b]11;rgb:0/0/0\x1b\\")
        tui.press(DOWN)
        assert "▀" in tui.rows()[2]
        assert KITTY.search(tui.output.partition(QUESTIONS)[2]) is None


def from_sixels(found: re.Match[bytes]) -> Image.Image:
    """The picture, by DEC's description: bands of six lines, a bit a line from the top, `$` back, `-` down."""
    image = Image.new("RGB", (int(found[1]), int(found[2])), (1, 2, 3))
    colours = {
        int(number): tuple(round(int(part) * 255 / 100) for part in parts)
        for number, *parts in re.findall(rb"#(\d+);2;(\d+);(\d+);(\d+)", found[3])
    }
    x = y = 0
    for token in re.finditer(rb"#(\d+)|!(\d+)([?-~])|([?-~])|([$-])", found[4]):
        if token[1]:
            colour = colours[int(token[1])]
        elif token[5]:
            x, y = 0, y + (6 if token[5] == b"-" else 0)
        else:
            count, bits = int(token[2] or 1), (token[3] or token[4])[0] - 63
            for at in range(x, x + count):
                for bit in range(6):
                    if bits >> bit & 1:
                        image.putpixel((at, y + bit), colour)
            x += count
    return image


PIXELS = st.tuples(*[st.sampled_from([0, 51, 102, 255])] * 3)


@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.lists(PIXELS, min_size=n, max_size=n), min_size=1, max_size=14)))
@settings(max_examples=50)
def test_every_pixel_arrives_through_sixels_within_a_step_of_its_colour(grid: list[list[tuple[int, ...]]]) -> None:
    found = SIXEL.fullmatch(sixels(grid).encode())
    assert found
    image = from_sixels(found)
    for y, line in enumerate(grid):
        for x, pixel in enumerate(line):
            assert all(abs(a - b) <= 26 for a, b in zip(image.getpixel((x, y)), pixel, strict=True))


@pytest.mark.parametrize("mode", ["L", "LA", "RGB", "RGBA"])
def test_pngs_are_read_as_pillow_reads_them(mode: str) -> None:
    image = Image.effect_noise((61, 43), 60).convert(mode)
    image.paste(Image.radial_gradient("L").resize((40, 30)).convert(mode), (5, 5))
    raster = read_png(png(image))
    assert (raster.width, raster.height) == (61, 43)
    assert b"".join(raster.lines) == image.tobytes()


BAD = {
    "empty": b"",
    "another kind": b"GIF89a",
    "cut": png(red_over_blue())[:200],
    "sixteen bits": png(Image.new("I;16", (2, 2))),
    "palette": png(Image.new("P", (2, 2))),
    "a bomb": png(Image.new("1", (9000, 9000))).replace(b"\x01\x00\x00\x00\x00", b"\x08\x00\x00\x00\x00", 1),
}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(BadPictureError):
        read_png(data)


def test_scaling_takes_means_by_hand() -> None:
    raster = Raster(4, 2, 1, (bytes([0, 10, 100, 200]), bytes([20, 30, 100, 200])))
    assert scaled(raster, 2, 1) == [[(15, 15, 15), (150, 150, 150)]]
    assert scaled(raster, 4, 2)[1] == [(20, 20, 20), (30, 30, 30), (100, 100, 100), (200, 200, 200)]


def test_colours_of_256_by_hand() -> None:
    (row,) = half_blocks([[(255, 0, 0)], [(128, 128, 128)]], Palette.CUBE)
    assert row == "\x1b[0m\x1b[38;5;196;48;5;244m▀\x1b[0m"
