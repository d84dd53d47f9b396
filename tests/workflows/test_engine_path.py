"""The engine path and the floors are read from files of their own, and set beside the UI path."""

from __future__ import annotations

import json

import pytest

from runner.errors import BadInput
from runner.retrieval.runs import Outcome
from runner.terminal.probes import read_engine_path, read_floors
from runner.terminal.rawlog import RawFile
from runner.workflows.engine_path import differing, engine_requests
from runner.workflows.observe import Bounds, observe
from tests.terminal.tape import TITLES, Tape

BOUNDS = Bounds(2000, 250)


def asked(*replies: tuple[str, object]) -> RawFile:
    """An engine.jsonl: a hello, then each query with its reply (null: none came)."""
    tape = Tape(block=0)
    for query_id, reply in (("", {"status": "ok"}), *replies):
        tape.data("ask", b'{"op":"search"}\n', query_id=query_id)
        tape.data("reply", b"" if reply is None else json.dumps(reply).encode() + b"\n", query_id=query_id, ns=700)
    return tape.file()


def ok(*ids: str) -> dict[str, object]:
    return {"id": 1, "status": "ok", "items": [{"doc_id": i, "title": "t", "routes": ["lexical"]} for i in ids]}


def test_each_reply_has_its_outcome_and_failures_are_charged() -> None:
    file = asked(("q1", ok("m001")), ("q2", ok()), ("q3", {"status": "error", "error": "internal"}), ("q4", None))
    found = engine_requests("bm25", read_engine_path(file), BOUNDS)
    assert [(one.query_id, one.outcome, one.latency_ns) for one in found] == [
        ("q1", Outcome.ANSWERED, 700),
        ("q2", Outcome.EMPTY, 700),
        ("q3", Outcome.ERROR, 2_000_000_000),
        ("q4", Outcome.TIMEOUT, 2_000_000_000),
    ]


def test_queries_with_another_list_are_named_and_silence_is_no_other_list() -> None:
    tape = Tape()
    tape.spawn()
    for query_id in ("q1", "q2", "q3", "q4"):
        tape.search(query_id, "x", ["m001", "m002"])
    seen = observe([tape.file()], TITLES, BOUNDS)
    replies = read_engine_path(asked(("q1", ok("m001", "m002")), ("q2", ok("m002", "m001")), ("q3", None)))
    assert differing(seen, replies) == ("q2",)


def test_other_queries_than_the_blocks_are_refused() -> None:
    tape = Tape()
    tape.spawn()
    tape.search("q1", "x", ["m001"])
    seen = observe([tape.file()], TITLES, BOUNDS)
    for replies in (asked(("q2", ok())), asked(("q1", ok()), ("q1", ok()))):
        with pytest.raises(BadInput, match="asks other queries than the blocks"):
            differing(seen, read_engine_path(replies))


def test_an_ask_without_a_reply_is_refused() -> None:
    tape = Tape(block=0)
    tape.data("ask", b"{}\n", query_id="q1")
    with pytest.raises(BadInput, match="the last ask has no reply"):
        read_engine_path(tape.file())


def test_floors_are_kept_probe_by_probe() -> None:
    tape = Tape(block=0)
    tape.write("probe", probe="echo", ns=17_000)
    tape.write("probe", probe="null_ui", ns=90_000, error_ns=40_000)
    tape.write("probe", probe="echo", ns=16_000)
    assert read_floors(tape.file()) == ((17_000, 16_000), (90_000,), (40_000,))
