"""What stands where at 80x24: the interface's rows and columns, in both emulators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.terminal.interface import read_screen, same_list
from runner.terminal.shown import shows_title
from tests.system.tui_engine import SmallEngine, item
from tests.system.tui_terminal import Tui


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SmallEngine]:
    with SmallEngine(tmp_path / "s") as engine:
        yield engine


@pytest.fixture
def tui(engine: SmallEngine) -> Iterator[Tui]:
    with Tui({"MAMBO_SOCKET": str(engine.path)}) as tui:
        yield tui


def items(*found: dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda _request: {"items": list(found)}


def test_the_first_frame_is_a_typing_frame_for_submit_1_with_a_hint(tui: Tui) -> None:
    frame = tui.next_frame()
    assert (frame.submit, frame.number, frame.state) == (1, 1, "typing")
    rows = tui.rows()
    assert rows[0] == ">"
    assert any("john cena" in row for row in rows)
    assert tui.ghostty.cursor == (2, 0)


def test_the_system_that_answers_stands_above_the_list_where_it_is_named(engine: SmallEngine, tui: Tui) -> None:
    tui.next_frame()
    assert tui.rows()[1] == "─" * 80
    with Tui({"MAMBO_SOCKET": str(engine.path), "MAMBO_NAME": "hybrid\x1b"}) as named:
        named.next_frame()
        named.search("cat")
        assert named.rows()[1].startswith("── system: hybrid␛ ───")
        assert len(read_screen(named.rows()).lines) == 10


def test_typing_shows_the_text_behind_the_prompt(tui: Tui) -> None:
    tui.next_frame()
    frame = tui.press("john cena")
    assert (frame.submit, frame.number, frame.state) == (1, 2, "typing")
    assert tui.rows()[0] == "> john cena"


def test_ten_results_fill_rows_3_to_12_and_the_status_says_so(tui: Tui) -> None:
    tui.next_frame()
    frame = tui.search("cat")
    assert (frame.submit, frame.state) == (1, "done")
    rows = tui.rows()
    assert rows[0] == "> cat"
    assert rows[2] == "▸  1 m0001            cat 1"
    assert rows[3] == "   2 m0002            cat 2"
    assert rows[11] == "  10 m0010            cat 10"
    assert rows[23].startswith("#1 10 results  ")


def test_the_second_search_is_submit_2(tui: Tui) -> None:
    tui.next_frame()
    tui.search("cat")
    assert tui.press("\x15dog").submit == 2
    tui.write("\r")
    assert tui.wait("done").submit == 2
    rows = tui.rows()
    assert rows[2].endswith("dog 1")
    assert rows[23].startswith("#2 10 results  ")


def test_the_done_frame_alone_holds_list_and_status(tui: Tui) -> None:
    tui.next_frame()
    tui.search("cat")
    frame = tui.search("cat")
    for number in range(1, 11):
        assert f"m{number:04}".encode() in frame.data
        assert f"cat {number}".encode() in frame.data
    assert b"#2 10 results" in frame.data


def test_one_result_is_said_in_the_singular_and_rows_without_one_are_blank(engine: SmallEngine, tui: Tui) -> None:
    engine.answer = items(item("only-one", "The only one"))
    tui.next_frame()
    tui.search("x")
    rows = tui.rows()
    assert rows[2] == "▸  1 only-one         The only one"
    assert [row[:21].strip() for row in rows[3:12]] == [""] * 9
    assert rows[23].startswith("#1 1 result  ")


def test_no_results_says_what_to_do_beside_a_blank_list(engine: SmallEngine, tui: Tui) -> None:
    engine.answer = items()
    tui.next_frame()
    tui.search("nothing like it")
    rows = tui.rows()
    assert [row[:21].strip() for row in rows[2:12]] == [""] * 10
    assert any("“nothing like it”" in row for row in rows[2:12])
    assert rows[23].startswith("#1 no results  ")


def test_a_value_that_no_filter_knows_is_told_where_nothing_was_found(engine: SmallEngine, tui: Tui) -> None:
    engine.answer = items()
    tui.next_frame()
    for query, told in (
        ("cat safe:bogus", "safe: knows no bogus, but yes and no."),
        ("lang:klingon", "lang: knows no language klingon, but en or english."),
    ):
        tui.search(query)
        assert told in [row.strip() for row in tui.rows()[2:12]]
    for query in ("safe:yes", "lang:Italiano", 'who:"bogus"', "safe: bogus"):
        tui.search(query)
        assert not any(" knows no " in row for row in tui.rows())


def test_a_key_about_a_result_says_that_the_search_had_none(engine: SmallEngine, tui: Tui) -> None:
    engine.answer = items()
    tui.next_frame()
    tui.search("x")
    tui.press("\x1bOR")
    assert tui.rows()[23].startswith("this search has no result: change the query, then press Enter")


def test_an_error_stands_in_the_status_in_one_blank_words(engine: SmallEngine, tui: Tui) -> None:
    engine.answer = lambda _: {"status": "error", "error": "internal", "message": "disk  is\nfull"}
    tui.next_frame()
    assert tui.search("x").state == "done"
    rows = tui.rows()
    assert rows[23] == "#1 error: internal: disk is full" or rows[23].startswith("#1 error: internal: disk is full  ")
    assert [row[:21].strip() for row in rows[2:12]] == [""] * 10


def test_results_vanish_when_the_next_search_has_none(engine: SmallEngine, tui: Tui) -> None:
    tui.next_frame()
    tui.search("cat")
    engine.answer = items()
    tui.search("dog")
    assert [row[:21].strip() for row in tui.rows()[2:12]] == [""] * 10


@pytest.mark.parametrize("length", [75, 76])
def test_a_query_of_up_to_76_columns_is_shown_whole(tui: Tui, length: int) -> None:
    tui.next_frame()
    tui.press("q" * length)
    assert tui.rows()[0] == "> " + "q" * length


def test_a_wider_query_shows_its_end_behind_an_ellipsis(tui: Tui) -> None:
    tui.next_frame()
    tui.press("start" + "q" * 70 + "end")
    assert tui.rows()[0] == "> …rt" + "q" * 70 + "end"


def test_details_of_the_selected_item_stand_below_the_list(engine: SmallEngine, tui: Tui) -> None:
    told = {"template": "A Dog", "quote": "so fine", "meaning": "all is lost", "license": "CC0-1.0"}
    engine.answer = items(item("a", "One"), item("b", "Two", attribution="A painter", language="en", **told))
    tui.next_frame()
    tui.search("x")
    assert "One" in tui.rows()[13]
    tui.press("\x1b[B")
    tui.press("\x1b[B")
    below = "\n".join(tui.rows()[13:23])
    for words in ("Two", "“so fine”", "all is lost", "A Dog", "A painter · CC0-1.0", "en · found by lexical"):
        assert words in below


def test_details_of_an_interleaved_item_do_not_tell_which_system_found_it(engine: SmallEngine, tui: Tui) -> None:
    drafted = {"team": "A", "lists": "A", "exposure": 0.5}
    engine.answer = items(item("a", "One", language="en", draft=drafted), item("b", "Two", draft=drafted))
    tui.next_frame()
    tui.search("x")
    for _ in range(2):
        tui.press("\x1b[B")
        assert "ound by" not in "\n".join(tui.rows())


def test_a_title_is_cut_before_column_81_with_an_ellipsis(engine: SmallEngine, tui: Tui) -> None:
    engine.answer = items(item("a", "t" * 58), item("b", "t" * 59), item("c", "t" * 200))
    tui.next_frame()
    tui.search("x")
    rows = tui.rows()
    assert rows[2][22:] == "t" * 58
    assert rows[3][22:] == rows[4][22:] == "t" * 57 + "…"


HOSTILE = {
    "escape": ("\x1b[2J\x1b[31mred", "␛[2J␛[31mred"),
    "osc": ("\x1b]0;title\x07after", "␛]0;title␇after"),
    "c1": ("\x9b2Jafter", "\ufffd2Jafter"),
    "bidi": ("abc\u202edef", "abc\ufffddef"),
    "newline": ("one\ntwo\ttab\rcr", "one␊two␉tab␍cr"),
    "separators": ("one\u2028two\u2029three", "one two three"),
    "delete": ("a\x7fb", "a␡b"),
    "surrogate": ("a\ud800b", "a\ufffdb"),
}


@pytest.mark.parametrize(("title", "seen"), HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_titles_are_shown_never_obeyed(engine: SmallEngine, tui: Tui, title: str, seen: str) -> None:
    engine.answer = items(item("a", title, meaning=title, quote=title), item("b", "calm"))
    tui.next_frame()
    tui.search("x")
    rows = tui.rows()
    assert rows[2] == "▸  1 a                " + seen
    assert rows[3] == "   2 b                calm"
    assert rows[23].startswith("#1 2 results  ")


WIDE = {
    "family": "👨\u200d👩\u200d👧\u200d👦" * 20,
    "cjk": "日本語のタイトル" * 10,
    "hindi": "क्षत्रिय हिन्दी मीम " * 10,
    "flags": "🇩🇪🇫🇷" * 30,
    "keycaps": "1\ufe0f\u20e32\ufe0f\u20e3" * 30,
    "hearts": "❤\ufe0f" * 60,
    "jamo": "\u1112\u1161\u11ab" * 60,
    "marks": "e" + "\u0301\u0335" * 90,
    "bom": "\ufeff" * 100,
}


@pytest.mark.parametrize("title", WIDE.values(), ids=WIDE.keys())
def test_wide_titles_disturb_nothing_around_them(engine: SmallEngine, tui: Tui, title: str) -> None:
    engine.answer = items(item("a", title, meaning=title, quote=title, template=title), item("b", "calm"))
    tui.next_frame()
    tui.search("x")
    for rows in tui.rows_apart():
        assert len(rows) == 24
        assert rows[0] == "> x"
        assert rows[2].startswith("▸  1 a                ")
        assert rows[3] == "   2 b                calm"
        assert rows[23].startswith("#1 2 results  ")


@pytest.mark.parametrize(
    "title", [*WIDE.values(), *(title for title, _ in HOSTILE.values())], ids=[*WIDE.keys(), *HOSTILE.keys()]
)
def test_the_runner_reads_back_what_the_engine_sent(engine: SmallEngine, tui: Tui, title: str) -> None:
    engine.answer = items(item("a", title), item("b", "\u0301" + title), item("c", "x" + title))
    tui.next_frame()
    tui.search("x")
    one, other = map(read_screen, tui.rows_apart())
    assert same_list(one, other)
    assert one.doc_ids == ("a", "b", "c")
    for line, sent in zip(one.lines, (title, "\u0301" + title, "x" + title), strict=True):
        assert shows_title(line.title, sent)


def test_a_doc_id_of_16_characters_leaves_a_blank_before_the_title(engine: SmallEngine, tui: Tui) -> None:
    engine.answer = items(item("abcdefgh12345678", "Title"))
    tui.next_frame()
    tui.search("x")
    assert tui.rows()[2] == "▸  1 abcdefgh12345678 Title"


def test_a_title_that_begins_with_a_mark_stays_in_its_column(engine: SmallEngine, tui: Tui) -> None:
    engine.answer = items(item("a", "\u0301accent"))
    tui.next_frame()
    tui.search("x")
    for rows in tui.rows_apart():
        assert rows[2][:22] == "▸  1 a                "
        assert rows[2][22:].replace("\u00a0", "").replace(" ", "") == "\u0301accent"


def test_a_query_that_begins_with_a_mark_leaves_the_prompt_alone(tui: Tui) -> None:
    tui.next_frame()
    tui.press("\u0301accent")
    for rows in tui.rows_apart():
        assert rows[0] == "> \u00a0\u0301accent"


def test_selection_moves_and_the_list_stays(tui: Tui) -> None:
    tui.next_frame()
    tui.search("cat")
    tui.press("\t")
    assert tui.rows()[2].startswith("▸  1")
    assert tui.ghostty.style(0, 2)["inverse"]
    tui.press("\x1b[B")
    rows = tui.rows()
    assert rows[2].startswith("   1 m0001")
    assert rows[3].startswith("▸  2 m0002")
    assert not tui.ghostty.mode(25)
    tui.press("\x1b[A\x1b[A")
    assert tui.ghostty.mode(25)


def test_no_color_leaves_weight_and_inversion_only(engine: SmallEngine) -> None:
    with Tui({"MAMBO_SOCKET": str(engine.path), "NO_COLOR": "1"}) as tui:
        tui.next_frame()
        tui.search("cat")
        tui.press("\t")
        assert tui.ghostty.style(5, 3)["fg"] is None
        assert b"\x1b[0;35m" not in tui.output
        assert tui.ghostty.style(0, 2)["inverse"]


def test_an_empty_query_is_not_submitted(engine: SmallEngine, tui: Tui) -> None:
    tui.next_frame()
    frame = tui.press("  \r")
    assert (frame.submit, frame.state) == (1, "typing")
    assert "Enter" in tui.rows()[23]
    assert engine.asked == []
