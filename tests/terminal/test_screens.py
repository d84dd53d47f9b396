"""Both emulators give 24 rows of what was drawn, however the bytes are cut, and agree where the interface needs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.terminal.interface import read_list, read_status
from runner.terminal.screens import AvtScreen, GhosttyScreen, Screen
from runner.terminal.shown import compared_form, shown_form
from tests.terminal.tape import frame, list_screen

EMULATORS: tuple[Callable[[], Screen], ...] = (GhosttyScreen, AvtScreen)
VECTORS = json.loads((Path(__file__).parents[1] / "golden/shown_form.json").read_text())["vectors"]
HOSTILE = [vector["text"] for vector in VECTORS if vector["text"]] + [
    "🇩🇪 flags 🇧🇷", "👨‍👩‍👧‍👦 family", "1️⃣ keycap #️⃣", "क्षत्रिय", "Zalgo z̸̛̙̈́", "עברית and العربية", "ﷺ", "𝕱𝖗𝖆𝖐𝖙𝖚𝖗", "…",
]  # fmt: skip
PIECES = [
    b"\x1b[", b"?2026h", b"999", b";", b"H", b"\x1b]", b"7777;", b"\xf0\x9f", b"P", b"\x9b", "👨\u200d👩".encode(),
    b"\x1bP", b"\x1b\\", b"r", b"L", b"M", b"b", b"@", b"\r\n",
]  # fmt: skip


@pytest.mark.parametrize("emulator", EMULATORS)
def test_an_untouched_screen_is_24_empty_rows(emulator: Callable[[], Screen]) -> None:
    assert emulator().rows() == ("",) * 24


@pytest.mark.parametrize("emulator", EMULATORS)
def test_the_alternate_screen_is_what_is_shown(emulator: Callable[[], Screen]) -> None:
    screen = emulator()
    screen.feed(b"before\x1b[?1049h\x1b[24;1Hlast\x1b[1;78Hend")
    rows = screen.rows()
    assert (rows[0], rows[23]) == (" " * 77 + "end", "last")
    screen.feed(b"\x1b[?1049l")
    assert screen.rows()[0] == "before"


@pytest.mark.parametrize("emulator", EMULATORS)
def test_bytes_may_be_cut_anywhere(emulator: Callable[[], Screen]) -> None:
    data = frame(list_screen("日本 é 👩‍👧", ["m001", "m002"], "#1 2 results"), 1, 1, "done")
    whole, cut = emulator(), emulator()
    whole.feed(data)
    for byte in data:
        cut.feed(bytes([byte]))
    assert cut.rows() == whole.rows()
    assert whole.rows()[2] == "   1 m001             Title number 1"


@pytest.mark.parametrize("title", HOSTILE, ids=ascii)
def test_a_title_in_its_shown_form_reads_the_same_on_both(title: str) -> None:
    read = []
    for emulator in EMULATORS:
        screen = emulator()
        drawing = list_screen("x", ["m001"], "#1 1 result", {"m001": shown_form(title)})
        screen.feed(frame(b"\x1b[?1049h\x1b[?7l" + drawing, 1, 1, "done"))
        line = read_list(screen.rows()[2:12])[0]
        assert read_status(screen.rows()[23])[0] == 1
        assert line.doc_id == "m001"
        read.append(compared_form(line.title))
    assert read[0] == read[1] == compared_form(shown_form(title))


@given(st.binary(max_size=400))
@settings(max_examples=150, deadline=None)
def test_no_bytes_break_an_emulator(data: bytes) -> None:
    for emulator in EMULATORS:
        screen = emulator()
        screen.feed(b"\x1b[?1049h" + data)
        assert len(screen.rows()) == 24


@given(st.lists(st.sampled_from(PIECES), max_size=60))
@settings(max_examples=150, deadline=None)
def test_no_pieces_of_sequences_break_an_emulator(pieces: list[bytes]) -> None:
    for emulator in EMULATORS:
        screen = emulator()
        screen.feed(b"".join(pieces))
        assert len(screen.rows()) == 24


def test_a_dump_brings_a_fresh_terminal_to_the_same_screen() -> None:
    first, second = AvtScreen(), AvtScreen()
    first.feed(frame(b"\x1b[?1049h" + list_screen("日本", ["m001"], "#1 1 result"), 1, 1, "done"))
    second.feed(first.dump().encode())
    assert second.rows() == first.rows()
    ghostty = GhosttyScreen()
    ghostty.feed(first.dump().encode())
    assert ghostty.rows() == first.rows()
