"""Many may append to the steward's log; none overwrites another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from runner.adapters.journal import Journal
from runner.errors import Findings
from runner.provenance.journal import Entry, read_journal


def append(path: Path, run_id: str) -> None:
    with Journal(path).turn() as log:
        log.append(
            Entry(
                index=log.place.index,
                run_id=run_id,
                signed_at="2026-12-01T10:00:00Z",
                statement="sha256:" + "0" * 64,
            )
        )


def test_appenders_take_turns(tmp_path: Path) -> None:
    path = tmp_path / "results" / "log.jsonl"
    names = [f"run-{number}" for number in range(24)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda name: append(path, name), names))
    entries, _ = read_journal(path.read_bytes(), "log")
    assert sorted(entry.run_id for entry in entries) == sorted(names)
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
