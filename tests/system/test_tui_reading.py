"""Whatever is told of a result, and of the keys, can be read in full at any size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from images.mambomeme.mambomeme.tui.notes import NOTHING, Note, read_note
from tests.system.tui_engine import SmallEngine, item, ten_items
from tests.system.tui_terminal import Tui

UP, DOWN, PAGE_UP, PAGE_DOWN, HOME, END, F1 = "\x1b[A", "\x1b[B", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1bOP"
MEANING = " ".join(f"word{number}" for number in range(60))
TOLD: dict[str, Any] = {
    "quote": "FIRST LINE\r\n\nsecond line\nTHIRD", "meaning": MEANING, "template": "A Dog", "attribution": "A painter",
    "license": "CC0-1.0", "language": "en",
}  # fmt: skip
SIZES = [(24, 6), (40, 12), (60, 18), (80, 24), (120, 40), (200, 60)]
KEYS = [
    "Enter",
    "Tab or ↓",
    "↑ ↓",
    "PgUp PgDn",
    "Esc",
    "F1",
    "Ctrl-C",
    "Ctrl-D",
    "Ctrl-P",
    "Ctrl-Z",
    "F3",
    "F6",
    "j k g G",
    "who:",
]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SmallEngine]:
    with SmallEngine(tmp_path / "s", answer=lambda _: {"items": [item("m1", "One", **TOLD), item("m2", "Two")]}) as it:
        yield it


def opened(engine: SmallEngine, columns: int, rows: int, **environment: str) -> Tui:
    tui = Tui({"MAMBO_SOCKET": str(engine.path), **environment}, columns=columns, rows=rows)
    tui.next_frame()
    return tui


def read_through(tui: Tui) -> list[str]:
    """All rows between the rule and the status, Down by Down until nothing moves."""
    seen = tui.rows()[2:-1]
    tui.press(DOWN)
    while tui.rows()[-2] != seen[-1]:
        seen.append(tui.rows()[-2])
        tui.press(DOWN)
    return seen


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_enter_shows_a_result_in_full(engine: SmallEngine, columns: int, rows: int) -> None:
    with opened(engine, columns, rows) as tui:
        tui.search("x")
        tui.press(DOWN)
        tui.press("\r")
        text = "\n".join(read_through(tui))
        assert "…" not in text
        words = text.split()
        for told in (MEANING, "“FIRST LINE", "second", "THIRD”", "A Dog", "CC0-1.0", "lexical"):
            assert all(word in words for word in told.split())


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_f1_shows_every_key_in_full(engine: SmallEngine, columns: int, rows: int) -> None:
    with opened(engine, columns, rows) as tui:
        tui.press(F1)
        text = "\n".join(read_through(tui))
        assert "…" not in text
        assert [key for key in KEYS if key not in text] == []
        assert "quit, on an" in text or {"quit,", "on", "an", "empty", "line"} <= set(text.split())


def test_pages_go_as_far_as_the_text_and_no_further(engine: SmallEngine) -> None:
    with opened(engine, 40, 12) as tui:
        tui.search("x")
        tui.press(DOWN)
        tui.press("\r")
        first = tui.rows()
        assert first[1].startswith("── m1 ───")
        assert " 1-9 of " in first[1]
        tui.press(PAGE_DOWN)
        assert tui.rows()[2] == first[10]
        for _ in range(9):
            tui.press(PAGE_DOWN)
        last = tui.rows()
        total = first[1].split()[-2]
        assert f"-{total} of {total} " in last[1]
        tui.press(UP)
        assert tui.rows()[3] == last[2]
        tui.press(END)
        assert tui.rows() == last
        tui.press(PAGE_UP)
        assert tui.rows()[10] == last[2]
        tui.press(HOME)
        tui.press(UP)
        assert tui.rows() == first


def test_scrolling_leaves_the_selection_alone_and_the_next_result_starts_at_its_top(engine: SmallEngine) -> None:
    with opened(engine, 40, 12) as tui:
        tui.search("x")
        tui.press(DOWN)
        tui.press("\r")
        tui.press(PAGE_DOWN)
        tui.press("\x1b")
        assert tui.rows()[2].startswith("▸  1 One")
        tui.press("\r")
        assert tui.rows()[2] == "  One"


def test_escape_goes_back_step_by_step_and_text_goes_to_the_line(engine: SmallEngine) -> None:
    with opened(engine, 80, 24) as tui:
        tui.search("x")
        listed = tui.rows()
        tui.press(DOWN)
        selected = tui.rows()
        tui.press("\r")
        tui.press("\x1b")
        assert tui.rows() == selected
        tui.press("\x1b")
        assert tui.rows() == listed
        tui.press(DOWN)
        tui.press("\r")
        tui.press("y")
        assert tui.rows()[0] == "> xy"
        assert tui.rows()[2:23] == listed[2:23]


def test_an_answer_that_comes_while_somebody_reads_shows_its_list(engine: SmallEngine) -> None:
    with opened(engine, 80, 24) as tui:
        tui.search("x")
        engine.answer = lambda _: None
        tui.write("\r")
        tui.wait("busy")
        tui.write(DOWN + "\r")
        while tui.rows()[2] != "  One":
            tui.next_frame()
        engine.send(json.dumps({"id": 3, "status": "ok", **ten_items({"text": "late"})}).encode() + b"\n")
        assert tui.wait("done").submit == 2
        assert tui.rows()[2:12] == [f"{'▸' if n == 1 else ' '}{n:>3} m{n:04}            late {n}" for n in range(1, 11)]


def test_a_quote_s_lines_are_rows_in_full_and_parted_by_a_slash_where_room_is_short(engine: SmallEngine) -> None:
    with opened(engine, 80, 24) as tui:
        tui.search("x")
        assert tui.rows()[15] == "  Quote       “FIRST LINE / second line / THIRD”"
        tui.press(DOWN)
        tui.press("\r")
        assert [row[14:] for row in tui.rows()[4:7]] == ["“FIRST LINE", "second line", "THIRD”"]
        assert "␊".encode() not in tui.output
        assert "␍".encode() not in tui.output


HINTS = [
    (24, 6, "F1 keys", "Esc back"),
    (40, 12, "F1 keys   Ctrl-C quit", "Enter read all   Esc back"),
    (
        80,
        24,
        "↓ browse   F3 preview   F1 keys   Ctrl-C quit",
        "↑↓ move   F3 preview   Enter read all   F1 keys   Esc back",
    ),
]


@pytest.mark.parametrize(("columns", "rows", "in_line", "in_list"), HINTS)
def test_the_status_says_what_the_next_key_does(
    engine: SmallEngine, columns: int, rows: int, in_line: str, in_list: str
) -> None:
    with opened(engine, columns, rows) as tui:
        tui.search("x")
        assert tui.rows()[-1].startswith("#1 2 results")
        assert tui.rows()[-1].endswith("  " + in_line)
        tui.press(DOWN)
        assert tui.rows()[-1].endswith("  " + in_list)


def test_a_long_error_leaves_room_for_the_way_out(engine: SmallEngine) -> None:
    engine.answer = lambda _: {"status": "error", "error": "internal", "message": "no " * 40}
    with opened(engine, 40, 12) as tui:
        tui.search("x")
        assert tui.rows()[-1] == "#1 error: internal: no no no…   F1 keys"


def test_the_opening_screen_is_whole_in_a_small_window(engine: SmallEngine) -> None:
    with opened(engine, 40, 12) as tui:
        text = " ".join(" ".join(tui.rows()).split())
        assert "Find a meme by what it says, shows or means." in text
        assert "then press Enter: john cena" in text
        assert text.endswith("everything is fine F1 keys Ctrl-C quit")
        assert "…" not in text


def test_a_window_too_small_says_so_in_full(engine: SmallEngine) -> None:
    with opened(engine, 12, 4) as tui:
        assert tui.rows() == ["Make the", "window", "larger;", "Ctrl-C quits"]


@pytest.mark.parametrize(("rows", "each"), [(37, 1), (38, 2), (47, 2), (48, 3)])
def test_a_high_screen_tells_more_of_each_result_and_of_the_selected_one(
    engine: SmallEngine, tmp_path: Path, rows: int, each: int
) -> None:
    (tmp_path / "items.jsonl").write_text('{"doc_id":"m1","tags":["one","two words"],"visual":"a dog on a chair"}\n')
    with opened(engine, 120, rows, MAMBO_CORPUS=str(tmp_path)) as tui:
        tui.search("x")
        screen = tui.rows()
        below = ["“FIRST LINE / second line / THIRD”", MEANING[:60]][: each - 1]
        assert screen[2] == "▸  1 m1               One"
        assert [row[:22].strip() for row in screen[3 : 2 + each]] == [""] * (each - 1)
        assert all(row[22:].startswith(words) for row, words in zip(screen[3 : 2 + each], below, strict=True))
        assert screen[2 + each] == "   2 m2               Two"
        assert screen[2 + 10 * each].startswith("── m1 ──")
        pane = screen[3 + 10 * each : -1]
        assert "  Shows       a dog on a chair" in pane
        assert "  Tags        one · two words" in pane
        tui.press(DOWN)
        assert "Enter" not in tui.rows()[-1]


NOTES = {
    "found": ('{"doc_id":"m1","tags":["a"],"visual":"v"}\n', Note("v", ("a",))),
    "last line without its end": ('{"doc_id":"m0"}\n{"doc_id":"m1","tags":["a"],"visual":"v"}', Note("v", ("a",))),
    "absent": ('{"doc_id":"m10","tags":["a"],"visual":"v"}\n', NOTHING),
    "named inside a text": ('{"doc_id":"m9","title":"\\"doc_id\\":\\"m1\\"","visual":"v"}\n', NOTHING),
    "named inside an object": ('{"doc_id":"m9","x":{"doc_id":"m1"},"visual":"v"}\n', NOTHING),
    "other types": ('{"doc_id":"m1","tags":"a","visual":["v"]}\n', NOTHING),
    "tags of other types": ('{"doc_id":"m1","tags":[1,"a",null],"visual":"v"}\n', Note("v", ("a",))),
    "not json": ('{"doc_id":"m1",\n', NOTHING),
    "empty": ("", NOTHING),
}


@pytest.mark.parametrize(("lines", "note"), NOTES.values(), ids=NOTES.keys())
def test_notes_are_read_where_the_corpus_has_them(tmp_path: Path, lines: str, note: Note) -> None:
    (tmp_path / "items.jsonl").write_text(lines)
    assert read_note(str(tmp_path), "m1") == note


def test_no_corpus_tells_nothing(tmp_path: Path) -> None:
    assert read_note("", "m1") == read_note(str(tmp_path / "none"), "m1") == NOTHING
