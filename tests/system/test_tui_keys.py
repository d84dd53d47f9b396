"""What a person types arrives at the engine as meant, however the terminal sends it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from images.mambomeme.mambomeme.tui.keys import Key, KeyReader, Paste, Report
from tests.system.tui_engine import SmallEngine
from tests.system.tui_terminal import Tui

LEFT, RIGHT, UP, DOWN = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B"
FAMILY = "👨\u200d👩\u200d👧"

EDITS = {
    "plain": ("john cena", "john cena"),
    "utf-8": ("Pokémon 日本 🎺", "Pokémon 日本 🎺"),
    "left inserts before": (f"ac{LEFT}b", "abc"),
    "application cursor keys": ("ac\x1bODb", "abc"),
    "right": (f"abd{LEFT}{LEFT}{RIGHT}c", "abcd"),
    "home": ("bc\x1b[Ha", "abc"),
    "home of rxvt": ("bc\x1b[7~a", "abc"),
    "end": (f"ab{LEFT}{LEFT}\x1b[Fc", "abc"),
    "ctrl-a": ("bc\x01a", "abc"),
    "ctrl-e": ("ab\x01\x05c", "abc"),
    "ctrl-b": ("ac\x02b", "abc"),
    "ctrl-f": ("abd\x02\x02\x06c", "abcd"),
    "backspace": ("abx\x7fc", "abc"),
    "ctrl-h": ("abx\x08c", "abc"),
    "backspace at the start": ("\x7fabc", "abc"),
    "backspace takes an accent along": ("ae\u0301\x7fb", "ab"),
    "backspace takes a joined emoji at once": (f"a{FAMILY}\x7fb", "ab"),
    "backspace takes a flag at once": ("🇩🇪🇫🇷\x7fx", "🇩🇪x"),
    "left goes over a joined emoji at once": (f"{FAMILY}{LEFT}a", f"a{FAMILY}"),
    "delete": ("xabc\x01\x1b[3~", "abc"),
    "delete takes a joined emoji at once": (f"{FAMILY}abc\x01\x1b[3~", "abc"),
    "ctrl-d on text": ("xabc\x01\x04", "abc"),
    "ctrl-w": ("one two\x17three", "one three"),
    "ctrl-w takes blanks too": ("one two  \x17x", "one x"),
    "ctrl-w takes punctuation": ("who:john\x17abc", "abc"),
    "alt-backspace": ("who:john\x1b\x7fcena", "who:cena"),
    "alt-b": ("one three\x1bbtwo ", "one two three"),
    "ctrl-left": ("one three\x1b[1;5Dtwo ", "one two three"),
    "alt-f": ("one three\x01\x1bf two", "one two three"),
    "alt-d": ("xx one\x01\x1bd", " one"),
    "ctrl-u": ("wrong\x15right", "right"),
    "ctrl-k": ("rightwrong\x02\x02\x02\x02\x02\x0b", "right"),
    "ctrl-y": ("b\x15a\x19", "ab"),
    "paste": ("a\x1b[200~b c\x1b[201~d", "ab cd"),
    "paste of lines": ("\x1b[200~one\r\ntwo\nthree\tfour\x1b[201~", "one two three four"),
    "paste of controls": ("\x1b[200~a\x03\x15\x1b[31mb\x1b[201~", "a[31mb"),
    "paste of format characters": ("\x1b[200~a\u202eb\x1b[201~", "a\u202eb"),
    "a reply of the terminal": ("a\x1b[?62;22c\x1b[3;1Rb\x1b]11;rgb:0/0/0\x1b\\c\x1bP>|x\x1b\\d", "abcd"),
    "a focus report": ("a\x1b[Ib\x1b[Oc", "abc"),
    "unknown keys": ("a\x1b[24~\x1b[1;2Sb\x1bzc\x00d", "abcd"),
    "a broken sequence": ("a\x1b[12\x7fb", "b"),
    "bad utf-8": (b"a\xff\xc3(b", "a\ufffd\ufffd(b"),
    "history back": ("first\r\x15second\r\x15\x10\x10", "first"),
    "history forward": ("first\r\x15second\r\x15third\x10\x10\x0e", "second"),
    "history keeps the draft": ("first\r\x15draft\x10\x0e", "draft"),
}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SmallEngine]:
    with SmallEngine(tmp_path / "s") as engine:
        yield engine


@pytest.fixture
def tui(engine: SmallEngine) -> Iterator[Tui]:
    with Tui({"MAMBO_SOCKET": str(engine.path)}) as tui:
        tui.next_frame()
        yield tui


def last_asked(tui: Tui, engine: SmallEngine, submits: int) -> str:
    """What the engine was asked last, once the done frame of the last submit has come."""
    while tui.wait("done").submit < submits:
        pass
    return engine.asked[-1]


@pytest.mark.parametrize(("typed", "text"), EDITS.values(), ids=EDITS.keys())
def test_edits(engine: SmallEngine, tui: Tui, typed: str | bytes, text: str) -> None:
    keys = typed.encode() if isinstance(typed, str) else typed
    tui.write(keys + b"\r")
    assert last_asked(tui, engine, keys.count(b"\r\x15") + 1) == text


def test_bytes_that_come_one_by_one_are_the_same_keys(engine: SmallEngine, tui: Tui) -> None:
    for byte in f"aé日{LEFT}\x1b[200~🎺\x1b[201~{FAMILY}\x7fx\x1bby\r".encode():
        tui.write(bytes([byte]))
    assert last_asked(tui, engine, 1) == "aé🎺yx日"


def test_a_write_may_hold_many_keys_and_gives_one_frame(tui: Tui) -> None:
    tui.press(f"abc{LEFT}\x7fx")
    assert tui.rows()[0] == "> axc"
    assert tui.ghostty.cursor == (4, 0)
    assert tui.frames == []


def test_enter_inside_a_write_submits_there_and_the_rest_is_typed(engine: SmallEngine, tui: Tui) -> None:
    tui.write("abc\rdef")
    assert last_asked(tui, engine, 1) == "abc"
    assert tui.rows()[0] == "> abcdef"


def test_a_pasted_line_end_does_not_submit(engine: SmallEngine, tui: Tui) -> None:
    assert tui.press("\x1b[200~abc\r\n\x1b[201~").state == "typing"
    assert tui.press("d").state == "typing"
    assert engine.asked == []


def test_a_huge_paste_is_cut_and_says_so(engine: SmallEngine, tui: Tui) -> None:
    tui.write("\x1b[200~")
    for _ in range(50):
        tui.press("x" * 1000)
    tui.press("\x1b[201~")
    assert "full" in tui.rows()[23]
    tui.write("\r")
    assert last_asked(tui, engine, 1) == "x" * 1000


def test_ctrl_c_alone_ends_a_paste_that_never_ended(tui: Tui) -> None:
    tui.press("\x1b[200~abc")
    tui.write("\x03")
    assert tui.end() == 130


@pytest.mark.parametrize(
    ("key", "line"), [("x", "abcx"), ("?", "abc?"), (" .", "abc ."), ("\x1b[200~é\x1b[201~", "abcé")]
)
def test_text_goes_to_the_line_wherever_the_focus_is(tui: Tui, key: str, line: str) -> None:
    tui.search("abc")
    tui.press(DOWN)
    assert not tui.ghostty.mode(25)
    tui.press(key)
    assert tui.rows()[0] == f"> {line}"
    assert tui.ghostty.mode(25)


def test_list_keys_type_nothing(tui: Tui) -> None:
    tui.search("abc")
    for key in (DOWN, DOWN, UP, "\x1b[6~", "\x1b[5~", "\x1b[H", "\x1b[F", "\t"):
        tui.press(key)
    rows = tui.rows()
    assert rows[0] == "> abc"
    assert rows[11].startswith("▸ 10 m0010")


def test_escape_alone_goes_back_to_the_line(tui: Tui) -> None:
    tui.search("abc")
    tui.press(DOWN)
    tui.press("\x1b")
    assert tui.ghostty.mode(25)
    tui.press(LEFT)
    tui.press("x")
    assert tui.rows()[0] == "> abxc"


def test_enter_in_the_list_opens_and_closes_the_result_and_submits_nothing(engine: SmallEngine, tui: Tui) -> None:
    tui.search("abc")
    tui.press(DOWN)
    before = tui.rows()
    tui.press("\r")
    assert tui.rows()[2] == "  abc 1"
    tui.press("\r")
    assert tui.rows() == before
    assert engine.asked == ["abc"]


@pytest.mark.parametrize("f1", ["\x1bOP", "\x1b[11~", "\x1b[[A"])
def test_f1_shows_the_keys_and_takes_them_away(tui: Tui, f1: str) -> None:
    tui.search("abc")
    tui.press(f1)
    assert any("Ctrl-C" in row and "quit" in row for row in tui.rows()[2:23])
    tui.press(f1)
    assert "abc 1" in tui.rows()[13]


def test_escape_takes_the_keys_away_and_nothing_else(tui: Tui) -> None:
    tui.search("abc")
    tui.press(DOWN)
    before = tui.rows()
    tui.press("\x1bOP")
    assert tui.rows() != before
    tui.press("\x1b")
    assert tui.rows() == before


def test_ctrl_l_draws_all_again(tui: Tui) -> None:
    tui.search("abc")
    before = tui.rows()
    tui.ghostty.feed("\x1b[2Jgarbage")
    tui.avt.feed_str("\x1b[2Jgarbage")
    tui.press("\x0c")
    assert tui.rows()[:23] == before[:23]


@given(st.lists(st.sampled_from([*(key for key, _ in EDITS.values()), "\r", DOWN])), st.data())
def test_where_the_reads_are_cut_changes_nothing(pieces: list[str | bytes], data: st.DataObject) -> None:
    whole = b"".join(piece.encode() if isinstance(piece, str) else piece for piece in pieces)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    reader, parts = KeyReader(), []
    for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        if whole[start:end] != b"\x03":
            parts += reader.feed(whole[start:end])
        else:
            return
    assert joined(parts) == joined(list(KeyReader().feed(whole)))


def joined(parts: list[Key | Paste | Report | str]) -> list[Key | Report | tuple[type, str]]:
    """Neighbouring pieces of text as one, since reads may cut it anywhere."""
    found: list[Key | Report | tuple[type, str]] = []
    for part in parts:
        if isinstance(part, Key | Report):
            found.append(part)
            continue
        kind, text = type(part), part.text if isinstance(part, Paste) else part
        if found and type(found[-1]) is tuple and found[-1][0] is kind:
            text = found.pop()[1] + text
        if text:
            found.append((kind, text))
    return found
