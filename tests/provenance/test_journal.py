"""The steward's log can only grow."""

from __future__ import annotations

import pytest

from runner.errors import Findings
from runner.provenance.journal import FIRST_HEAD, Entry, Place, journal_line, read_journal


def entry(index: int) -> Entry:
    return Entry(
        index=index, run_id=f"run-{index}", signed_at="2026-12-01T10:00:00Z", statement="sha256:" + f"{index:064}"
    )


def log(*indices: int) -> bytes:
    data, place = b"", Place(0, FIRST_HEAD)
    for index in indices:
        data += journal_line(entry(index), place)
        _, place = read_journal(data, "log") if index == place.index else (None, place)
    return data


def test_an_empty_log_has_its_first_place() -> None:
    assert read_journal(b"", "log") == ((), Place(0, FIRST_HEAD))


def test_entries_come_back_in_order() -> None:
    entries, place = read_journal(log(0, 1, 2), "log")
    assert entries == (entry(0), entry(1), entry(2))
    assert place.index == 3


@pytest.mark.parametrize("number", [0, 1])
def test_an_entry_taken_out_is_found(number: int) -> None:
    lines = log(0, 1, 2).splitlines(keepends=True)
    del lines[number]
    with pytest.raises(Findings, match=f"log: line {number + 1}: does not follow"):
        read_journal(b"".join(lines), "log")


def test_a_changed_entry_is_found() -> None:
    with pytest.raises(Findings, match="line 2: does not follow"):
        read_journal(log(0, 1, 2).replace(b"run-1", b"run-7"), "log")


def test_an_entry_under_another_index_is_found() -> None:
    with pytest.raises(Findings, match="log:1: index: is not 0"):
        read_journal(log(4), "log")


def test_a_cut_last_line_is_found() -> None:
    with pytest.raises(Findings, match="line 2: carries no chain digest"):
        read_journal(log(0, 1)[:-20], "log")
