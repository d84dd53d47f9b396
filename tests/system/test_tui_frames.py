"""The stream a terminal gets: whole frames only, few bytes, and at any size a screen of sense."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from images.mambomeme.mambomeme.tui.frames import Frames, Mark
from images.mambomeme.mambomeme.tui.screen import Picture
from images.mambomeme.mambomeme.tui.session import Phase
from tests.system.tui_engine import SmallEngine, item
from tests.system.tui_terminal import Tui

FRAME = re.compile(
    rb"\x1b\[\?2026h(?:(?!\x1b\[\?2026|\x1b\]).)*\x1b\[\?2026l"
    rb"\x1b\]7777;mambo;submit=[1-9][0-9]*;frame=([1-9][0-9]*);state=(?:typing|busy|done)\x1b\\",
    re.DOTALL,
)
SIZES = [(40, 12), (40, 24), (60, 15), (79, 23), (80, 12), (80, 24), (81, 25), (100, 30), (132, 43), (200, 60)]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SmallEngine]:
    with SmallEngine(tmp_path / "s") as engine:
        yield engine


def test_the_whole_stream_is_setup_then_frames_then_restoration(engine: SmallEngine) -> None:
    with Tui({"MAMBO_SOCKET": str(engine.path)}) as tui:
        tui.next_frame()
        for text in ("cat", "dog"):
            tui.search(text)
            tui.press("\t")
            tui.press("\x1b[B")
        tui.write("\x03")
        tui.end()
        start = tui.output.index(b"\x1b[?2026h")
        end = tui.output.rindex(b"\x18")
        assert tui.output[:start] == b"\x1b[?1049h\x1b[?7l\x1b[?2004h"
        numbers = [int(frame[1]) for frame in FRAME.finditer(tui.output)]
        assert FRAME.sub(b"", tui.output[start:end]) == b""
        assert numbers == list(range(1, len(numbers) + 1))


def test_each_frame_is_one_write() -> None:
    writes: list[bytes] = []
    frames = Frames(writes.append)
    picture = Picture({2: "two", 3: "three"}, "line", "")
    for _ in range(3):
        frames.draw(picture, Mark(1, Phase.TYPING), ())
    assert len(writes) == 3
    assert all(FRAME.fullmatch(write) for write in writes)


def test_rows_that_did_not_change_are_not_drawn_again_unless_asked_for() -> None:
    writes: list[bytes] = []
    frames = Frames(writes.append)
    frames.draw(Picture({2: "two", 3: "three"}, "line", ""), Mark(1, Phase.TYPING), ())
    frames.draw(Picture({2: "two", 3: "four"}, "line", ""), Mark(1, Phase.TYPING), ())
    frames.draw(Picture({2: "two", 3: "four"}, "line", ""), Mark(1, Phase.DONE), (2,))
    assert (b"two" in writes[0], b"three" in writes[0]) == (True, True)
    assert (b"two" in writes[1], b"four" in writes[1]) == (False, True)
    assert (b"two" in writes[2], b"four" in writes[2]) == (True, False)


def test_frames_are_small(engine: SmallEngine) -> None:
    with Tui({"MAMBO_SOCKET": str(engine.path)}) as tui:
        tui.next_frame()
        tui.search("cat")
        assert len(tui.press("\x15").data) < 300
        assert len(tui.press("john cena").data) < 300
        tui.write("\r")
        assert len(tui.wait("done").data) < 3000


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_every_size_shows_query_list_and_status_without_overflow(engine: SmallEngine, columns: int, rows: int) -> None:
    engine.answer = lambda _: {"items": [item(f"m{n}", f"{n} " + "日本 title " * 30) for n in range(1, 11)]}
    with Tui({"MAMBO_SOCKET": str(engine.path)}, columns=columns, rows=rows) as tui:
        tui.next_frame()
        tui.search("cat")
        screen = tui.rows()
        assert len(screen) == rows
        assert screen[0] == "> cat"
        each = 1 if rows < 38 else 2 if rows < 48 else 3
        listed = min(10, rows - 3)
        heads = screen[2 : 2 + each * listed : each]
        assert heads[0].startswith("▸  1 ")
        assert [int(row[1:4]) for row in heads] == list(range(1, listed + 1))
        assert screen[rows - 1].startswith("#1 10 results")
        tui.press("\x1b[B")
        tui.press("\x1b[F")
        assert any(row.startswith("▸ 10 ") for row in tui.rows())
        tui.press("\x1bOP")
        assert any("search" in row for row in tui.rows())


def test_a_screen_without_room_for_details_gives_them_the_list_s_place(engine: SmallEngine) -> None:
    engine.answer = lambda _: {"items": [item("a", "First", meaning="what it means")]}
    with Tui({"MAMBO_SOCKET": str(engine.path)}, columns=40, rows=12) as tui:
        tui.next_frame()
        tui.search("cat")
        assert not any("what it means" in row for row in tui.rows())
        tui.press("\t")
        tui.press("\r")
        assert any("what it means" in row for row in tui.rows())
        tui.press("\x1b")
        assert tui.rows()[2].startswith("▸  1 First")


def test_a_resize_at_any_time_draws_all_anew(engine: SmallEngine) -> None:
    with Tui({"MAMBO_SOCKET": str(engine.path)}) as tui:
        tui.next_frame()
        tui.search("cat")
        for columns, rows in [*SIZES, (20, 5), (3, 2), (80, 24)]:
            tui.resize(columns, rows)
            tui.next_frame()
            screen = tui.rows()
            assert len(screen) == rows
            if columns >= 40:
                assert screen[0] == "> cat"
                assert screen[rows - 1].startswith("#1 10 results")
        assert screen[11] == "  10 m0010            cat 10"


def test_a_resize_during_a_search_loses_nothing(engine: SmallEngine) -> None:
    engine.answer = lambda _: None
    with Tui({"MAMBO_SOCKET": str(engine.path)}) as tui:
        tui.next_frame()
        tui.write("cat\r")
        tui.wait("busy")
        tui.resize(100, 30)
        while not tui.rows()[29].endswith("Ctrl-C quit"):
            assert tui.next_frame().state == "busy"
        engine.send(b'{"id":2,"status":"ok","items":[{"doc_id":"a","title":"late"}]}\n')
        assert tui.wait("done").submit == 1
        assert tui.rows()[2].endswith("late")
