"""`python3 -m mambomeme` opens the whole system for a person, and leaves nothing behind."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.system.tui_terminal import LIMIT_SECONDS, SYSTEM, Tui

CORPUS = SYSTEM.parent / "corpus"
COMMAND = (sys.executable, "-m", "mambomeme")
ENDINGS: dict[str, tuple[Callable[[Tui], None], int]] = {
    "ctrl-d": (lambda tui: tui.write("\x15\x04"), 0),
    "ctrl-c": (lambda tui: tui.write("\x03"), 130),
    "sigterm": (lambda tui: os.kill(tui.pid, signal.SIGTERM), 143),
    "sighup": (lambda tui: os.kill(tui.pid, signal.SIGHUP), 129),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the system without an index; the first test makes it one."""
    place = tmp_path_factory.mktemp("system") / "mambomeme"
    return Path(shutil.copytree(SYSTEM, place, ignore=shutil.ignore_patterns("index", "__pycache__")))


@pytest.fixture
def tui(folder: Path, tmp_path: Path) -> Iterator[Tui]:
    environment = {"MAMBO_CORPUS": str(CORPUS), "TMPDIR": str(tmp_path)}
    with Tui(environment, command=COMMAND, folder=folder) as tui:
        yield tui


def assert_gone(processes: list[int]) -> None:
    """Each of `processes` ends, if it has not already; an orphan is reaped by whoever reaps here."""
    for process in processes:
        try:
            watched = os.pidfd_open(process)
        except ProcessLookupError:
            continue
        assert select.select([watched], [], [], LIMIT_SECONDS)[0], f"process {process} lives on"
        os.close(watched)


@pytest.mark.parametrize(("end", "status"), ENDINGS.values(), ids=ENDINGS.keys())
def test_it_finds_john_cena_and_leaves_nothing_behind(
    tui: Tui, tmp_path: Path, end: Callable[[Tui], None], status: int
) -> None:
    assert tui.next_frame().state == "typing"
    tui.search("john cena")
    rows = tui.rows()
    assert any("john cena" in row.lower() for row in rows[2:12])
    processes = tui.children
    assert len(processes) == 2
    end(tui)
    assert tui.end() == status
    assert_gone(processes)
    assert list(tmp_path.iterdir()) == []
    assert tui.termios == tui.before
    assert not tui.ghostty.mode(1049)


def test_a_killed_launcher_takes_engine_and_screen_along(tui: Tui) -> None:
    tui.next_frame()
    processes = tui.children
    os.kill(tui.pid, signal.SIGKILL)
    assert tui.end() == -9
    assert_gone(processes)
    tui.wait_for(b"\x1b[?1049l")
    assert tui.termios == tui.before


def test_an_engine_that_does_not_start_is_told_with_its_own_words(folder: Path, tmp_path: Path) -> None:
    environment = {"MAMBO_CORPUS": str(CORPUS), "TMPDIR": str(tmp_path), "MAMBO_CONFIGURATION": "nonsense"}
    with Tui(environment, command=COMMAND, folder=folder) as tui:
        assert tui.end() == 69
        assert b"did not start" in tui.output
        assert b"MAMBO_CONFIGURATION" in tui.output
        assert b"Traceback" not in tui.output
    assert list(tmp_path.iterdir()) == []


def test_a_missing_corpus_is_refused_in_one_line(folder: Path) -> None:
    with Tui({}, command=COMMAND, folder=folder) as tui:
        assert tui.end() == 64
        assert b"MAMBO_CORPUS" in tui.output
        assert tui.output.count(b"\n") == 1
