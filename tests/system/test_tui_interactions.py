"""Interaction events: nothing unless asked for, then whole lines that say no more than the page says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from images.mambomeme.mambomeme.interactions import EventFile
from tests.system.tui_engine import HELLO, SmallEngine, ten_items
from tests.system.tui_terminal import SYSTEM, Tui

DOWN, F3, F4, F5, F6 = "\x1b[B", "\x1bOR", "\x1bOS", "\x1b[15~", "\x1b[17~"
VERSIONS = {"corpus": "sha256:c", "index": "sha256:i", "model": None, "configuration": "sha256:f"}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SmallEngine]:
    with SmallEngine(tmp_path / "s", hello={**HELLO, **VERSIONS}) as engine:
        yield engine


def opened(engine: SmallEngine, *, columns: int = 80, rows: int = 24, **environment: str) -> Tui:
    tui = Tui({"MAMBO_SOCKET": str(engine.path), **environment}, columns=columns, rows=rows)
    tui.next_frame()
    return tui


def left(tui: Tui) -> None:
    tui.write("\x15\x04")
    assert tui.end() == 0


def events(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    assert data.endswith(b"\n")
    return [json.loads(line) for line in data.splitlines()]


def one_of_each(tui: Tui) -> None:
    tui.search("secret words")
    tui.press(DOWN + DOWN)
    for key in (F3, F4, F5, F6):
        tui.press(key)
    tui.search("secret again")
    tui.search("secret others")
    left(tui)


def test_off_unless_turned_on(engine: SmallEngine, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with opened(engine, HOME=str(home), TMPDIR=str(home), MAMBO_INTERACTIONS_TEXT="1") as tui:
        assert "recording" not in tui.rows()[1]
        one_of_each(tui)
    assert list(home.iterdir()) == []


def test_each_deed_is_a_line_with_rank_exposure_and_versions(engine: SmallEngine, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with opened(engine, MAMBO_INTERACTIONS=str(path), MAMBO_INTERACTIONS_SLICE="entity") as tui:
        assert tui.rows()[1].endswith("● recording ──")
        one_of_each(tui)
    told = events(path)
    assert [(event["event"], event["render"]) for event in told] == [
        ("render", 1), ("preview", 1), ("open", 1), ("copy", 1), ("choose", 1),
        ("render", 2), ("reformulate", 2), ("render", 3), ("abandon", 3),
    ]  # fmt: skip
    assert {event["session"] for event in told} == {told[0]["session"]}
    assert {event["format"] for event in told} == {"mambo-interactions/v1"}
    assert {event["slice"] for event in told} == {"entity"}
    assert [event["ms"] for event in told] == sorted(event["ms"] for event in told)
    hello = {key: value for key, value in HELLO.items() if key != "status"}
    assert all(event["versions"] == {**hello, **VERSIONS} for event in told)
    assert told[4] | {"ms": 0} == {
        "format": "mambo-interactions/v1", "session": told[0]["session"], "event": "choose", "render": 1, "ms": 0,
        "slice": "entity", "versions": told[0]["versions"], "other": None, "lost": 0,
        "doc_id": "m0002", "rank": 2, "exposure": 1.0, "team": None, "lists": None,
    }  # fmt: skip
    render = told[0]
    assert (render["outcome"], render["visible"], render["columns"], render["rows"]) == ("results", 10, 80, 24)
    assert [(result["rank"], result["doc_id"]) for result in render["results"]] == [
        (n, f"m{n:04}") for n in range(1, 11)
    ]
    assert render["text"] is None
    assert path.stat().st_mode & 0o777 == 0o600


def test_no_query_text_without_the_second_switch(engine: SmallEngine, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with opened(engine, MAMBO_INTERACTIONS=str(path)) as tui:
        one_of_each(tui)
    assert b"secret" not in path.read_bytes()
    with opened(engine, MAMBO_INTERACTIONS=str(path), MAMBO_INTERACTIONS_TEXT="1") as tui:
        tui.search("secret words")
        left(tui)
    told = events(path)
    assert told[-2]["text"] == "secret words"
    assert len({event["session"] for event in told}) == 2


def test_empty_failed_and_repeated_searches(engine: SmallEngine, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with opened(engine, MAMBO_INTERACTIONS=str(path), columns=40, rows=12) as tui:
        engine.answer = lambda _: {"items": []}
        tui.search("cat")
        tui.search("  CAT ")
        engine.answer = lambda _: {"status": "error", "error": "internal", "message": "x"}
        tui.search("dog")
        engine.answer = ten_items
        tui.search("cow")
        left(tui)
    told = events(path)
    assert [(event["event"], event.get("outcome")) for event in told] == [
        ("render", "empty"), ("render", "empty"), ("reformulate", None), ("render", "error"), ("reformulate", None),
        ("render", "results"), ("abandon", None),
    ]  # fmt: skip
    assert told[5]["visible"] == 9


def test_a_choice_that_is_taken_back_is_told_and_leaves_its_list_open(engine: SmallEngine, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with opened(engine, MAMBO_INTERACTIONS=str(path)) as tui:
        tui.search("cat")
        tui.press(F6)
        tui.press(F6)
        tui.search("dog")
        tui.press(F6)
        tui.search("cow")
        tui.press(F6)
        left(tui)
    assert [(event["event"], event["render"]) for event in events(path)] == [
        ("render", 1), ("choose", 1), ("unchoose", 1), ("reformulate", 1), ("render", 2), ("choose", 2),
        ("render", 3), ("unchoose", 3), ("abandon", 3),
    ]  # fmt: skip


UNWRITABLE: dict[str, Callable[[Path], Path]] = {
    "no folder": lambda place: place / "none/events.jsonl",
    "a folder": lambda place: place,
    "a device": lambda _: Path("/dev/full"),
    "a pipe that nobody reads": lambda place: (os.mkfifo(place / "pipe"), place / "pipe")[1],
    "a letter": lambda place: (place.joinpath("letter").write_text("Dear reader\n"), place / "letter")[1],
}


@pytest.mark.parametrize("path", UNWRITABLE.values(), ids=UNWRITABLE.keys())
def test_a_file_that_nothing_can_be_recorded_in_is_refused_before_the_screen(
    tmp_path: Path, path: Callable[[Path], Path]
) -> None:
    file = path(tmp_path)
    with Tui({"MAMBO_SOCKET": "nobody", "MAMBO_INTERACTIONS": str(file)}) as tui:
        assert tui.end() == 69
        assert tui.output.startswith(f"mambomeme: {file}: ".encode())
        assert tui.output.count(b"\n") == 1
    assert not file.is_file() or file.read_text() == "Dear reader\n"


def test_a_disk_that_is_full_is_told_and_breaks_nothing(engine: SmallEngine, tmp_path: Path) -> None:
    environment = {"MAMBO_SOCKET": str(engine.path), "MAMBO_INTERACTIONS": str(tmp_path / "events.jsonl")}
    full = ("sh", "-c", 'ulimit -f 0; exec "$@"', "sh", sys.executable, "-m", "mambomeme.tui")
    with Tui(environment, command=full) as tui:
        tui.next_frame()
        tui.search("cat")
        while "not recorded: " not in tui.rows()[1]:
            tui.press("x")
        assert tui.search("cat").state == "done"
        assert tui.rows()[23].startswith("#2 10 results")
        left(tui)


def test_a_line_that_does_not_fit_leaves_no_part_behind(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    command = [sys.executable, "-c", WRITES_WITHOUT_ROOM, str(path)]
    assert subprocess.run(command, cwd=SYSTEM, check=False).returncode == 0
    assert path.read_bytes() == b"a" * 60 + b"\n"


WRITES_WITHOUT_ROOM = """
import resource, signal, sys
from mambomeme.interactions import EventFile
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
file = EventFile(sys.argv[1])
file.add(b"a" * 60)
file.add(b"b" * 60)
file.close()
sys.exit(0 if file.lost == 1 and file.trouble else 1)
"""


def test_two_sessions_at_once_mix_no_lines(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    files = [EventFile(str(path)) for _ in range(2)]
    for number in range(300):
        files[number % 2].add(b"%d" % number * 200)
    for file in files:
        file.close()
    lines = path.read_bytes().splitlines()
    assert sorted(lines) == sorted(b"%d" % number * 200 for number in range(300))


def run_delete(path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mambomeme.interactions", "delete", str(path)]
    return subprocess.run(command, cwd=SYSTEM, capture_output=True, text=True, check=False)


def test_one_command_deletes_the_file_and_nothing_else(tmp_path: Path) -> None:
    path, other = tmp_path / "events.jsonl", tmp_path / "letter.txt"
    path.write_text('{"format":"mambo-interactions/v1"}\nrest')
    other.write_text("Dear reader")
    assert run_delete(path).returncode == 0
    assert not path.exists()
    refused = run_delete(other)
    assert (refused.returncode, refused.stderr.count("\n")) == (65, 1)
    assert other.exists()
    assert run_delete(path).returncode == 65
