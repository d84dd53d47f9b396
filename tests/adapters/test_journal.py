"""Many may append to the steward's log; none overwrites another."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from runner.adapters.journal import Journal
from runner.documents import Source
from runner.errors import Findings
from runner.provenance.journal import Attempt, Entry, Outcome, RunLog, read_log
from runner.shell import ROOT

RUN = {"lock": "sha256:" + "0" * 64, "partition": "sha256:" + "1" * 64, "manifest": "sha256:" + "2" * 64}


def begun(index: int, run_id: str) -> Entry:
    run = Attempt(run_id=run_id, **RUN)
    return Entry(index=index, outcome=Outcome.BEGUN, at="2026-12-01T10:00:00Z", run=run, statement=None)


def append(path: Path, run_id: str) -> None:
    with Journal(path).turn() as journal:
        journal.append(begun(journal.log.size, run_id))


def read(path: Path) -> RunLog:
    return read_log(Source("log", path.read_bytes()))


def test_appenders_take_turns(tmp_path: Path) -> None:
    path = tmp_path / "results" / "log.jsonl"
    names = [f"run-{number}" for number in range(24)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda name: append(path, name), names))
    entries = read(path).entries
    assert sorted(entry.run.run_id for entry in entries) == sorted(names)
    assert [entry.index for entry in entries] == list(range(24))


def test_a_turn_that_appends_nothing_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    append(path, "run-1")
    before = path.read_bytes()
    with pytest.raises(ZeroDivisionError), Journal(path).turn():
        raise ZeroDivisionError
    assert path.read_bytes() == before


def test_an_altered_log_is_refused_and_not_mended(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    append(path, "run-1")
    path.write_bytes(path.read_bytes().replace(b"run-1", b"run-2"))
    before = path.read_bytes()
    with pytest.raises(Findings, match="The log of runs was altered"):
        append(path, "run-3")
    assert path.read_bytes() == before


def test_what_a_killed_writer_had_begun_of_an_entry_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    append(path, "run-1")
    before = path.read_bytes()
    path.write_bytes(before + b'{"index":1,"outcome":"beg')
    append(path, "run-2")
    assert path.read_bytes().startswith(before)
    assert [entry.run.run_id for entry in read(path).entries] == ["run-1", "run-2"]


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda whole: whole.rstrip(b"\n"), id="its last newline lost"),
        pytest.param(lambda _: b"another file, without a newline", id="no log"),
        pytest.param(lambda whole: whole + b"another line", id="another line begun"),
        pytest.param(lambda whole: whole.replace(b"run-1", b"run-2") + b'{"index":1', id="altered, and half an entry"),
    ],
)
def test_whatever_else_its_end_is_the_log_is_refused_and_left_as_it_is(
    spoil: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "log.jsonl"
    append(path, "run-1")
    spoilt = spoil(path.read_bytes())
    path.write_bytes(spoilt)
    with pytest.raises(Findings):
        append(path, "run-2")
    assert path.read_bytes() == spoilt


def test_an_entry_that_finds_no_room_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    """The limit on the size of a file stands for a full disk, in a process of its own."""
    path = tmp_path / "log.jsonl"
    append(path, "run-1")
    before = path.read_bytes()
    program = f"""
import resource, signal
from pathlib import Path
from tests.adapters.test_journal import append
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before) + 40}, {len(before) + 40}))
append(Path({str(path)!r}), "run-2")
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "Unavailable: " in done.stderr
    assert "only part of an entry could be written" in done.stderr
    assert path.read_bytes() == before
    append(path, "run-2")
    assert read(path).size == 2
