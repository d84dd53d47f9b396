"""A result is written once, whole, and carries its final name only when it is finished."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.adapters.store import FinishedResult, ResultStore
from runner.errors import BadInput


def test_a_finished_result_has_its_name_and_files(tmp_path: Path) -> None:
    result = ResultStore(tmp_path).begin("run-1")
    result.keep("raw/bm25/block-000.jsonl", b"one\n")
    result.keep("scorecard.json", b"{}")
    assert list(result.files()) == ["raw/bm25/block-000.jsonl", "scorecard.json"]
    final = result.finish()
    assert final == tmp_path / "run-1"
    assert (final / "raw/bm25/block-000.jsonl").read_bytes() == b"one\n"


def test_an_unfinished_result_cannot_be_taken_for_a_whole_one(tmp_path: Path) -> None:
    result = ResultStore(tmp_path).begin("run-1")
    result.keep("manifest.json", b"{}")
    assert [path.name for path in tmp_path.iterdir()] == ["run-1.unfinished"]


def test_a_result_that_broke_off_while_it_was_sealed_is_not_sealed(tmp_path: Path) -> None:
    result = ResultStore(tmp_path).begin("run-1")
    result.keep("statement.dsse.json", b"{}")
    assert FinishedResult(result.path).names() == ()
    assert FinishedResult(result.finish()).names() == ("statement.dsse.json",)


def test_nothing_is_written_twice(tmp_path: Path) -> None:
    result = ResultStore(tmp_path).begin("run-1")
    result.keep("manifest.json", b"first")
    with pytest.raises(BadInput, match="exists already"):
        result.keep("manifest.json", b"second")
    assert (result.path / "manifest.json").read_bytes() == b"first"
    assert [path.name for path in result.path.iterdir()] == ["manifest.json"]
    with pytest.raises(BadInput, match="exists already"):
        ResultStore(tmp_path).begin("run-1")
    result.finish()
    with pytest.raises(BadInput, match="exists already"):
        ResultStore(tmp_path).begin("run-1")
