"""The steward's log can only grow, and every run in it begins once and ends at most once."""

from __future__ import annotations

from typing import Any

import pytest

from runner.documents import Source
from runner.errors import Findings
from runner.provenance.chain import seal
from runner.provenance.journal import EMPTY, FIRST_HEAD, Attempt, Entry, Outcome, RunLog, place_of, read_log
from runner.provenance.tries import LogPlace, Tries

BEGUN, SEALED, VOID = Outcome.BEGUN, Outcome.SEALED, Outcome.VOID
THIS, OTHER = "sha256:" + "1" * 64, "sha256:" + "2" * 64


def attempt(run: str, **changes: Any) -> Attempt:
    fields = {"run_id": run, "lock": "sha256:" + "a" * 64, "partition": THIS, "manifest": THIS}
    return Attempt(**{**fields, **changes})


def entry(index: int, outcome: Outcome, run: Attempt) -> Entry:
    statement = "sha256:" + "c" * 64 if outcome is SEALED else None
    return Entry(index=index, outcome=outcome, at="2026-12-01T10:00:00Z", run=run, statement=statement)


def log(*steps: tuple[Outcome, Attempt]) -> bytes:
    """The file of a log, made line by line."""
    made, data = EMPTY, b""
    for outcome, run in steps:
        made, line = made.followed_by(entry(made.size, outcome, run))
        data += line
    return data


def read(data: bytes) -> RunLog:
    return read_log(Source("log", data))


A, B, C = attempt("a"), attempt("b"), attempt("c")
WHOLE = log((BEGUN, A), (BEGUN, B), (SEALED, A), (VOID, B), (BEGUN, C))


def test_an_empty_log_has_its_first_place() -> None:
    assert read(b"") == RunLog("log", (), (FIRST_HEAD,))


def test_entries_come_back_in_order_each_after_its_head() -> None:
    found = read(WHOLE)
    assert [(one.outcome, one.run.run_id) for one in found.entries] == [
        ("begun", "a"),
        ("begun", "b"),
        ("sealed", "a"),
        ("void", "b"),
        ("begun", "c"),
    ]
    for number in range(6):
        assert read(b"".join(WHOLE.splitlines(keepends=True)[:number])).head == found.heads[number]


@pytest.mark.parametrize("number", range(4))
def test_an_entry_taken_out_is_found(number: int) -> None:
    lines = WHOLE.splitlines(keepends=True)
    del lines[number]
    with pytest.raises(Findings, match=f"log: line {number + 1}: does not follow"):
        read(b"".join(lines))


def test_two_entries_in_another_order_are_found() -> None:
    lines = WHOLE.splitlines(keepends=True)
    lines[2:4] = lines[3], lines[2]
    with pytest.raises(Findings, match="log: line 3: does not follow"):
        read(b"".join(lines))


def test_a_changed_entry_is_found() -> None:
    with pytest.raises(Findings, match="line 2: does not follow"):
        read(WHOLE.replace(b'"run_id":"b"', b'"run_id":"d"', 1))


def test_a_cut_last_line_is_found() -> None:
    with pytest.raises(Findings, match="line 5: carries no chain digest"):
        read(WHOLE[:-20])


def test_what_the_chain_cannot_tell_is_that_the_end_was_cut() -> None:
    """That is why a witness keeps the head."""
    assert read(b"".join(WHOLE.splitlines(keepends=True)[:3])).size == 3


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ([entry(1, BEGUN, A)], "log:1: index: is not 0"),
        ([entry(0, SEALED, A)], "log:1: run: a ends, but did not begin like that"),
        ([entry(0, BEGUN, A), entry(1, BEGUN, A)], "log:2: run: a begins twice"),
        ([entry(0, BEGUN, A), entry(1, VOID, A), entry(2, SEALED, A)], "log:3: run: a ends, but"),
        ([entry(0, BEGUN, A), entry(1, VOID, A), entry(2, BEGUN, A)], "log:3: run: a begins twice"),
        ([entry(0, BEGUN, A), entry(1, SEALED, attempt("a", lock=OTHER))], "log:2: run: a ends, but"),
        ([entry(0, BEGUN, A), entry(1, VOID, A).model_copy(update={"statement": OTHER})], "log:2: statement"),
        ([entry(0, BEGUN, A), entry(1, SEALED, A).model_copy(update={"statement": None})], "log:2: statement"),
    ],
)
def test_a_log_that_is_chained_anew_still_has_to_make_sense(entries: list[Entry], why: str) -> None:
    data, head = b"", FIRST_HEAD
    for one in entries:
        line, head = seal(head, one.model_dump(mode="json"))
        data += line
    with pytest.raises(Findings, match=why):
        read(data)


def test_every_run_that_began_is_a_try() -> None:
    """Of partition THIS: a sealed, b void, c killed; d had another partition, e another manifest."""
    d, e = attempt("d", partition=OTHER), attempt("e", manifest=OTHER)
    found = read(log((BEGUN, A), (SEALED, A), (BEGUN, B), (VOID, B), (BEGUN, C), (BEGUN, d), (BEGUN, e)))
    assert place_of(found, THIS, THIS) == LogPlace(
        index=7, head=found.head, tries=Tries(partition=5, manifest=5, unsealed=3)
    )
    assert place_of(found, OTHER, OTHER).tries == Tries(partition=2, manifest=2, unsealed=1)


def test_the_first_try_says_so() -> None:
    assert place_of(EMPTY, THIS, THIS).tries.sentence == (
        "Run 1 of this partition and 1 of this manifest in the steward's log; 0 before it left no signed result."
    )


@pytest.mark.parametrize("name", ["", "a b", "a\x1b[2J", "a\nhead  0", "../a", "a\u202eb"])
def test_a_run_whose_name_would_steer_a_terminal_is_refused(name: str) -> None:
    """`log` prints it, and it names a folder."""
    strange = attempt("a").model_copy(update={"run_id": name})
    with pytest.raises(Findings, match="run_id"):
        read(log((BEGUN, strange)))
