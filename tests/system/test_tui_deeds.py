"""What can be done with a result: copied, opened, chosen; and that it harms neither terminal nor machine."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.terminal.interface import read_list
from tests.system.tui_engine import SmallEngine, item
from tests.system.tui_terminal import Tui

DOWN, F4, F5, F6 = "\x1b[B", "\x1bOS", "\x1b[15~", "\x1b[17~"
OSC_52 = re.compile(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)\x1b\\")
SHELL = "ls\nrm -rf ~\r\x1b[201~\x03"
TOLD = {"quote": "FIRST\nSECOND", "attribution": "A painter", "license": "CC0-1.0", "preview": "previews/m1.png"}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SmallEngine]:
    found = [item("m1", "One", **TOLD), item("m2", SHELL, quote=SHELL), item("m3", "Up", preview="../m3.png")]
    with SmallEngine(tmp_path / "s", answer=lambda _: {"items": found}) as engine:
        yield engine


def opened(engine: SmallEngine, **environment: str) -> Tui:
    tui = Tui({"MAMBO_SOCKET": str(engine.path), **environment})
    tui.next_frame()
    return tui


def copies(tui: Tui) -> list[str]:
    return [base64.b64decode(found, validate=True).decode() for found in OSC_52.findall(tui.output)]


@pytest.mark.parametrize("key", [F5, "\x1by", "\x1b[[E"])
def test_copy_puts_words_and_source_on_the_clipboard(engine: SmallEngine, key: str) -> None:
    with opened(engine) as tui:
        tui.search("x")
        tui.press(key)
        assert copies(tui) == ["One “FIRST / SECOND” (A painter, CC0-1.0, m1)"]
        assert tui.rows()[23].startswith("m1 sent to the clipboard")


def test_nothing_copied_runs_where_it_is_pasted(engine: SmallEngine) -> None:
    with opened(engine) as tui:
        tui.search("x")
        tui.press(DOWN + DOWN)
        tui.press(F5)
        (text,) = copies(tui)
        assert text.isprintable()
        assert "rm -rf" in text


@pytest.mark.parametrize("key", [F6, "\x1bc"])
def test_what_was_chosen_is_printed_once_the_terminal_is_as_before(engine: SmallEngine, key: str) -> None:
    with opened(engine) as tui:
        tui.search("x")
        tui.press(key)
        assert "chosen" in tui.rows()[23]
        tui.press(DOWN + DOWN)
        assert tui.rows()[2].startswith("✓  1 m1")
        tui.press(key)
        tui.write("\x15\x04")
        assert tui.end() == 0
        left = tui.output.rpartition(b"\x1b[?25h")[2].decode()
        assert left == "m1  One\r\nm2  ls rm -rf ~ ␛[201~␃\r\n"
        assert tui.termios == tui.before


def test_the_same_key_takes_a_choice_back_and_the_mark_with_it(engine: SmallEngine) -> None:
    with opened(engine) as tui:
        tui.search("x")
        assert tui.rows()[2].startswith("▸  1 m1")
        tui.press(F6)
        assert read_list(tui.rows()[2:12])[0].doc_id == "m1"
        assert tui.rows()[2].startswith("✓  1 m1")
        assert " ✓ m1 " in tui.rows()[12]
        tui.press(DOWN)
        assert tui.rows()[2].startswith("✓  1 m1")
        tui.press(F6)
        assert tui.rows()[2].startswith("▸  1 m1")
        assert "m1 no longer chosen" in tui.rows()[23]
        assert "✓" not in "".join(tui.rows())
        tui.write("\x15\x04")
        assert tui.end() == 0
        assert tui.output.endswith(b"\x1b[?25h")


def test_nothing_chosen_prints_nothing(engine: SmallEngine) -> None:
    with opened(engine) as tui:
        tui.search("x")
        tui.write("\x15\x04")
        assert tui.end() == 0
        assert tui.output.endswith(b"\x1b[?25h")


def test_a_choice_changes_no_later_done_frame_but_its_mark(engine: SmallEngine) -> None:
    with opened(engine) as tui:
        tui.search("x")
        before = tui.rows()
        tui.press(DOWN + DOWN + F6)
        tui.search("x")
        changed = [number for number, (old, new) in enumerate(zip(before, tui.rows(), strict=True)) if old != new]
        assert changed in ([3, 23], [3])
        assert tui.rows()[3].startswith("✓  2 m2")


def corpus_with_picture(tmp_path: Path) -> Path:
    folder = tmp_path / "a corpus; $(false)"
    (folder / "previews").mkdir(parents=True)
    (folder / "previews/m1.png").write_bytes(b"a picture")
    return folder


def test_open_hands_the_picture_to_the_named_program(engine: SmallEngine, tmp_path: Path) -> None:
    corpus, told = corpus_with_picture(tmp_path), tmp_path / "told"
    os.mkfifo(told)
    opener = f"""sh -c 'printf "%s|" "$@" >{told}' sh --view"""
    with opened(engine, MAMBO_CORPUS=str(corpus), MAMBO_OPENER=opener) as tui:
        tui.search("x")
        tui.press(F4)
        assert told.read_text() == f"--view|{corpus}/previews/m1.png|"
        assert tui.rows()[23].startswith("m1 handed to sh")


@pytest.mark.parametrize(
    ("opener", "words"),
    [
        ("", "MAMBO_OPENER to open previews/m1.png"),
        ("/no/such/program", "No such file"),
        ("'unclosed", "MAMBO_OPENER cannot be read"),
    ],
)
def test_without_a_program_that_starts_open_says_so(
    engine: SmallEngine, tmp_path: Path, opener: str, words: str
) -> None:
    corpus = corpus_with_picture(tmp_path)
    with opened(engine, MAMBO_CORPUS=str(corpus), MAMBO_OPENER=opener) as tui:
        tui.search("x")
        tui.press(F4)
        assert words in tui.rows()[23]


def test_where_a_picture_is_stands_among_its_details(engine: SmallEngine, tmp_path: Path) -> None:
    corpus = corpus_with_picture(tmp_path)
    with opened(engine, MAMBO_CORPUS=str(corpus)) as tui:
        tui.search("x")
        tui.press(DOWN + "\r")
        assert f"{corpus}/previews/m1.png".replace(" ", "") in "".join("".join(tui.rows()[3:23]).split())


def test_no_picture_outside_the_corpus_is_opened(engine: SmallEngine, tmp_path: Path) -> None:
    corpus = corpus_with_picture(tmp_path)
    (tmp_path / "m3.png").write_bytes(b"not ours")
    with opened(engine, MAMBO_CORPUS=str(corpus), MAMBO_OPENER="cat") as tui:
        tui.search("x")
        tui.press(DOWN + DOWN + DOWN)
        tui.press(F4)
        assert tui.rows()[23].startswith("there is no picture of m3 here")


@pytest.mark.parametrize("key", [F4, F5, F6, "\x1bOR"])
def test_before_any_result_each_key_says_what_to_do(engine: SmallEngine, key: str) -> None:
    with opened(engine) as tui:
        tui.press(key)
        assert "press Enter" in tui.rows()[23]
        assert copies(tui) == []
