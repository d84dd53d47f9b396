"""The verbs on recordings: what they print, write and end in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.asciicast.test_damaged import FOLDER
from tests.conftest import Said


@pytest.fixture
def cast(bench: Callable[..., Said]) -> Callable[..., Said]:
    """A verb on recordings."""
    return lambda *words: bench("cast", *words)


def test_a_clean_file_ends_in_0(cast: Callable[..., Said]) -> None:
    file = FOLDER / "00_good_v3.cast"
    assert cast("lint", file) == (0, f"{file}: nothing found\n", "")


def test_findings_end_in_1_and_have_their_lines(cast: Callable[..., Said]) -> None:
    file = FOLDER / "27_missing_size.cast"
    status, out, err = cast("lint", file)
    assert (status, out.splitlines()) == (
        1,
        [f"{file}:1: header: width: missing", f"{file}:1: header: height: missing"],
    )
    assert err.count("\n") == 1
    found = json.loads(cast("lint", "--json", file)[1])
    assert [(one["line"], one["rule"]) for one in found] == [(1, "header")] * 2


def test_salvage_writes_the_file_once_and_says_what_it_did(cast: Callable[..., Said], tmp_path: Path) -> None:
    file, to = FOLDER / "01_truncated_last_line.cast", tmp_path / "saved.cast"
    status, out, _ = cast("salvage", file, "--to", to)
    assert status == 1
    assert out.splitlines() == [f'{file}:3: line: is cut in its middle: [0.2,"o","hel -> left out', f"{to}: 1 event"]
    assert cast("lint", to)[0] == 0
    assert cast("salvage", file, "--to", to)[0] == 65
    assert cast("salvage", to, "--to", tmp_path / "again.cast")[0] == 0
    assert (tmp_path / "again.cast").read_bytes() == to.read_bytes()


def test_of_a_file_with_many_faults_each_has_its_line(cast: Callable[..., Said], tmp_path: Path) -> None:
    file = tmp_path / "a.cast"
    file.write_text('{"version": 2, "width": 80, "height": 24}\n[0, "o", "a"]\n' + "[]\n" * 1500)
    for verb in (["lint", file], ["salvage", file, "--to", tmp_path / "b.cast"]):
        assert sum(": event: " in line for line in cast(*verb)[1].splitlines()) == 1500
    assert cast("redact", file, "--to", tmp_path / "c.cast")[1].count(": event: ") == 1500


def test_nothing_is_written_where_nothing_can_be_kept(cast: Callable[..., Said], tmp_path: Path) -> None:
    for verb in ("salvage", "redact"):
        status, _, err = cast(verb, FOLDER / "03_empty_file.cast", "--to", tmp_path / "new.cast")
        assert (status, err.count("\n")) == (1, 1)
        assert "1: file: is empty" in err
    assert list(tmp_path.iterdir()) == []


def test_redact_and_still(cast: Callable[..., Said], tmp_path: Path) -> None:
    file, hidden, svg = tmp_path / "a.cast", tmp_path / "b.cast", tmp_path / "c.svg"
    file.write_text('{"version": 2, "width": 80, "height": 24}\n[1,"o","hello cena"]\n[2,"o","\\u001b[2Jlater"]\n')
    assert cast("redact", file, "--word", "cena", "--to", hidden)[0] == 0
    assert cast("still", hidden, "--at", "1.5", "--to", svg)[0] == 0
    assert "hello" in svg.read_text()
    assert "████" in svg.read_text()
    assert "later" not in svg.read_text()


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["lint", "none.cast"], 65),
        (["lint", "."], 65),
        (["lint"], 64),
        (["redact", FOLDER / "00_good_v2.cast", "--word", "a", "--to", "x.cast"], 65),
        (["still", FOLDER / "00_good_v2.cast", "--at", "nan", "--to", "x.svg"], 65),
        (["still", FOLDER / "00_good_v2.cast", "--at", "1e99999999", "--to", "x.svg"], 65),
        (["still", FOLDER / "03_empty_file.cast", "--at", "1", "--to", "x.svg"], 65),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(cast: Callable[..., Said], words: list[object], status: int) -> None:
    found, out, err = cast(*words)
    assert (found, out, err.count("\n")) == (status, "", 1)
    assert err.startswith("bench: ")
