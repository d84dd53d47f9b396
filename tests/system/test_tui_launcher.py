"""`python3 -m mambomeme` opens the whole system for a person, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from images.mambomeme.mambomeme.attendant import Attendant
from images.mambomeme.mambomeme.faults import StartError
from tests.system.engines import BM25
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
    with Tui(usual(tmp_path), command=COMMAND, folder=folder) as tui:
        yield tui


def usual(tmp_path: Path) -> dict[str, str]:
    """A configuration that needs no model, and a place for what it keeps while it runs."""
    configuration = json.dumps(BM25)
    return {"MAMBO_CORPUS": str(CORPUS), "TMPDIR": str(tmp_path), "MAMBO_CONFIGURATION": configuration}


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


def engine_of(tui: Tui) -> int:
    """The child that is no screen."""
    (engine,) = (pid for pid in tui.children if b"mambomeme.engine" in Path(f"/proc/{pid}/cmdline").read_bytes())
    return engine


def test_an_engine_that_dies_is_started_again_and_enter_tries_again(tui: Tui) -> None:
    tui.next_frame()
    tui.search("john cena")
    found = tui.rows()[2:12]
    dead = engine_of(tui)
    os.kill(dead, signal.SIGKILL)
    give_up = time.monotonic() + LIMIT_SECONDS
    tui.search("john cena")
    while " error: " in tui.rows()[23]:
        assert time.monotonic() < give_up
        assert any("Enter to try again" in row for row in tui.rows()[2:12])
        tui.write("\r")
        tui.wait("done")
    assert tui.rows()[2:12] == found
    reborn = engine_of(tui)
    assert reborn != dead
    tui.write("\x03")
    assert tui.end() == 130
    assert_gone([reborn])


def test_an_engine_that_cannot_live_is_started_again_with_growing_rests(folder: Path, tmp_path: Path) -> None:
    attendant = Attendant(os.environ, folder, tmp_path / "engine.sock", "mambomeme.nothing_of_this_name")
    try:
        assert attendant.tend() == float("inf")
        for _ in range(2):
            with pytest.raises(StartError, match="nothing_of_this_name"):
                attendant.wait()
            rest = attendant.tend()
        assert 0 < rest <= 1
    finally:
        attendant.stop()


def test_an_engine_that_does_not_start_is_told_with_its_own_words(folder: Path, tmp_path: Path) -> None:
    environment = {"MAMBO_CORPUS": str(CORPUS), "TMPDIR": str(tmp_path), "MAMBO_CONFIGURATION": "nonsense"}
    with Tui(environment, command=COMMAND, folder=folder) as tui:
        assert tui.end() == 69
        assert b"did not start" in tui.output
        assert b"MAMBO_CONFIGURATION" in tui.output
        assert b"Traceback" not in tui.output
    assert list(tmp_path.iterdir()) == []


def test_two_configurations_are_interleaved_and_leave_nothing_behind(folder: Path, tmp_path: Path) -> None:
    place, other, events = tmp_path / "place", tmp_path / "other.json", tmp_path / "events.jsonl"
    place.mkdir()
    changed = {**BM25, "shown": {**BM25["shown"], "bias": BM25["shown"]["bias"] + 1}}
    other.write_text(json.dumps({"name": "other", "configuration": changed}))
    environment = {**usual(place), "MAMBO_INTERLEAVE": str(other), "MAMBO_INTERACTIONS": str(events)}
    with Tui(environment, command=COMMAND, folder=folder) as tui:
        tui.next_frame()
        tui.search("john cena")
        assert any("john cena" in row.lower() for row in tui.rows()[2:12])
        processes = tui.children
        assert len(processes) == 4
        tui.write("\x15\x04")
        assert tui.end() == 0
        assert_gone(processes)
    render = json.loads(events.read_text().splitlines()[0])
    assert render["versions"]["configuration"] != render["other"]["configuration"]
    assert {result["lists"] for result in render["results"]} <= {"A", "B", "AB"}
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("content", ["{", None])
def test_another_configuration_that_cannot_be_read_is_refused(
    folder: Path, tmp_path: Path, content: str | None
) -> None:
    other = tmp_path / "other.json"
    if content is not None:
        other.write_text(content)
    environment = {**usual(tmp_path), "MAMBO_INTERLEAVE": str(other)}
    with Tui(environment, command=COMMAND, folder=folder) as tui:
        assert tui.end() == 65
        assert str(other).encode() in tui.output.replace(b"\r\n", b"")
        assert tui.output.count(b"\n") == 1


def test_a_missing_corpus_is_refused_in_one_line(folder: Path) -> None:
    with Tui({}, command=COMMAND, folder=folder) as tui:
        assert tui.end() == 64
        assert b"MAMBO_CORPUS" in tui.output
        assert tui.output.count(b"\n") == 1
