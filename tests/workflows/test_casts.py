"""The casts of a run play in the program that people use, and show what the screens showed."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pexpect
import pytest

from runner.terminal.rawlog import RawFile
from runner.terminal.screens import AvtScreen, GhosttyScreen
from runner.workflows.casts import casts
from tests.terminal.tape import MS, Tape


@pytest.fixture
def run() -> list[RawFile]:
    """A warm-up and a block that redraws only what changes."""
    warm = Tape(block=0)
    warm.spawn()
    warm.search("w1", "日本 é", ["m001", "m002"], phase="warmup")
    block = Tape(block=1, start=warm.now + MS)
    block.submit, block.frame = warm.submit, warm.frame
    block.begin("q1", "x")
    block.out(b"\x1b[3;6Hm009")
    block.search("q2", "john \u2028 cena", ["m003"])
    return [warm.file(), block.file()]


def output(cast: bytes) -> str:
    events = [json.loads(line) for line in cast.decode().split("\n")[1:-1]]
    return "".join(text for _, code, text in events if code == "o")


def test_one_cast_a_file_named_like_it(run: list[RawFile]) -> None:
    assert [name for name, _ in casts(run)] == ["block-000.cast", "block-001.cast"]


def test_a_block_s_cast_starts_from_the_screen_that_the_block_found(run: list[RawFile]) -> None:
    _, (_, block) = casts(run)
    first = json.loads(block.decode().split("\n")[1])
    assert first[:2] == [0.0, "o"]
    assert re.search(r"\x1b\[[0-9]*b", first[2]) is None
    for screen in (AvtScreen(), GhosttyScreen()):
        screen.feed(first[2].encode())
        assert screen.rows()[0] == "> 日本 é"
        assert screen.rows()[3] == "   2 m002             Title number 2"
        assert screen.rows()[23] == "#1 2 results"


def test_the_same_log_gives_the_same_bytes(run: list[RawFile]) -> None:
    assert list(casts(run)) == list(casts(run))


@pytest.mark.parametrize("words", [["cat"], ["play", "--speed", "1000", "--idle-time-limit", "0.001"]])
def test_asciinema_reads_every_byte(run: list[RawFile], words: list[str], tmp_path: Path) -> None:
    for name, data in casts(run):
        path = tmp_path / name
        path.write_bytes(data)
        child = pexpect.spawn(
            sys.executable,
            ["-m", "asciinema", *words, str(path)],
            dimensions=(24, 80),
            timeout=60,
            env={"HOME": str(tmp_path), "LANG": "C.UTF-8", "TERM": "xterm-256color", "PATH": "/usr/bin:/bin"},
        )
        played = child.read()
        child.close()
        assert child.exitstatus == 0
        assert played.decode() == output(data)
