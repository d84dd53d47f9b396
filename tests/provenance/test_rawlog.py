"""A raw log opens only if its chain follows from the plan and it holds what was planned."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from runner.errors import BadInput, Findings
from runner.provenance.rawlog import open_raw_log, ordered, plan_digest
from tests.terminal.tape import MS, Tape

PLAN: dict[str, Any] = {
    "system": {"name": "bm25", "engine": ["e"], "tui": ["t"], "configuration": {}},
    "warmup": [{"query_id": "w1", "text": "warm"}],
    "blocks": [
        [{"query_id": "q1", "text": "a", "held": False}, {"query_id": "q2", "text": "b", "held": False}],
        [{"query_id": "q2", "text": "b", "held": False}, {"query_id": "q1", "text": "a", "held": False}],
    ],
    "limits": {"time_limit_ms": 2000, "late_ms": 2000, "hold_ms": 250, "restarts": 3, "wall_limit_s": 600},
    "paths": {"system": "/s", "corpus": "/c", "models": "/m", "run": "/r"},
    "isolation": "users",
    "terminal": "full",
    "engine_path": False,
    "floors": {"echo": 0, "null_ui": 0},
    "lock": "sha256:" + "1" * 64,
}
PLAN_BYTES = json.dumps(PLAN).encode() + b"\n"

REST = ["repeat.jsonl", "engine.jsonl", "floors.jsonl", "instrument.jsonl", "after.jsonl"]


def recorded(plan: bytes = PLAN_BYTES, order: str = "a b b a") -> dict[str, bytes]:
    """A run of the plan, searching in `order`."""
    tape = Tape(block=0, previous=hashlib.sha256(plan.rstrip(b"\n")).hexdigest())
    tape.spawn()
    tape.search("w1", "warm", ["m001"], phase="warmup")
    files = {"block-000.jsonl": tape.close()}
    texts = order.split()
    for block in (1, 2):
        following = Tape(block=block, start=tape.now + MS, previous=tape.head)
        following.submit, following.frame, following.request = tape.submit, tape.frame, tape.request
        for text in texts[2 * block - 2 : 2 * block]:
            following.search({"a": "q1", "b": "q2"}[text], text, ["m001"])
        files[f"block-{block:03}.jsonl"] = following.close()
        tape = following
    return files | rest(tape)


def rest(tape: Tape) -> dict[str, bytes]:
    """The files that follow the blocks, here with nothing in them; `tape` is the last block's."""
    files = {}
    for name in ("repeat", "engine", "floors", "instrument", "after"):
        tape = Tape(block=name, start=tape.now + MS, previous=tape.head)
        files[f"{name}.jsonl"] = tape.close()
    return files


def test_a_whole_log_opens() -> None:
    log = open_raw_log(PLAN_BYTES, recorded(), "raw/bm25")
    assert [file.name for file in log.searches] == [f"raw/bm25/block-{n:03}.jsonl" for n in range(3)]
    assert [file.opening.block for file in log.files] == [
        *(0, 1, 2),
        *("repeat", "engine", "floors", "instrument", "after"),
    ]
    assert log.plan.limits.hold_ms == 250


def test_the_last_link_is_that_of_the_last_line() -> None:
    files = recorded()
    assert json.loads(files["after.jsonl"].splitlines()[-1])["chain"] == open_raw_log(PLAN_BYTES, files, "raw").chain


def test_the_chain_starts_from_the_plan_s_line_without_its_newline() -> None:
    assert plan_digest(b"{}\n") == plan_digest(b"{}") == hashlib.sha256(b"{}").hexdigest()


def swap_lines(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[:2], lines[3], lines[2], *lines[4:]])


@pytest.mark.parametrize(
    ("alter", "why"),
    [
        (lambda data: data.replace(b'"late":false', b'"late":true'), "does not follow"),
        (lambda data: b"".join(data.splitlines(keepends=True)[1:]), "line 1: does not follow"),
        (lambda data: b"".join(data.splitlines(keepends=True)[:3] + data.splitlines(keepends=True)[4:]), "line 4"),
        (lambda data: data + data.splitlines(keepends=True)[-1], "does not follow"),
        (lambda data: data + b"\n", "carries no chain digest"),
        (lambda data: data[:-1], "carries no chain digest"),
        (swap_lines, "line 3: does not follow"),
    ],
)
def test_a_line_changed_dropped_added_or_moved_is_found(alter: Callable[[bytes], bytes], why: str) -> None:
    files = recorded()
    files["block-001.jsonl"] = alter(files["block-001.jsonl"])
    with pytest.raises(Findings, match=f"raw/bm25/block-001.jsonl: .*{why}"):
        open_raw_log(PLAN_BYTES, files, "raw/bm25")


def test_lines_dropped_at_the_end_of_a_file_are_found_in_the_next() -> None:
    files = recorded()
    files["block-001.jsonl"] = b"".join(files["block-001.jsonl"].splitlines(keepends=True)[:-1])
    with pytest.raises(Findings, match=r"block-002.jsonl: line 1: does not follow"):
        open_raw_log(PLAN_BYTES, files, "raw/bm25")


def test_a_log_of_another_plan_is_refused() -> None:
    with pytest.raises(Findings, match=r"block-000.jsonl: line 1: does not follow"):
        open_raw_log(PLAN_BYTES.replace(b"600", b"601"), recorded(), "raw/bm25")


def test_blocks_missing_at_the_end_are_found_by_the_chain() -> None:
    files = recorded()
    del files["block-002.jsonl"]
    with pytest.raises(Findings, match=r"repeat.jsonl: line 1: does not follow"):
        open_raw_log(PLAN_BYTES, files, "raw/bm25")


def test_blocks_that_were_never_sent_are_found() -> None:
    whole = recorded()
    warm = Tape(block=0, previous=plan_digest(PLAN_BYTES))
    warm.spawn()
    warm.search("w1", "warm", ["m001"], phase="warmup")
    files = {"block-000.jsonl": warm.close()}
    assert files["block-000.jsonl"] == whole["block-000.jsonl"]
    with pytest.raises(Findings, match="0 blocks where 2 were planned"):
        open_raw_log(PLAN_BYTES, files | rest(warm), "raw/bm25")


@pytest.mark.parametrize("name", REST)
def test_the_files_after_the_blocks_are_always_there(name: str) -> None:
    files = recorded()
    del files[name]
    with pytest.raises(Findings, match=f"raw/bm25/{name}: missing"):
        open_raw_log(PLAN_BYTES, files, "raw/bm25")


def test_a_plan_that_names_no_lock_is_refused() -> None:
    plan = json.dumps({key: value for key, value in PLAN.items() if key != "lock"}).encode()
    with pytest.raises(BadInput, match=r"raw/bm25: plan: lock: Field required"):
        open_raw_log(plan, recorded(plan), "raw/bm25")


def test_searches_in_another_order_than_planned_are_found() -> None:
    with pytest.raises(Findings, match=r"block-002.jsonl: request 1 of the block is not the planned one"):
        open_raw_log(PLAN_BYTES, recorded(order="a b a b"), "raw/bm25")


def test_searches_fewer_than_planned_are_found() -> None:
    with pytest.raises(Findings, match=r"block-002.jsonl: request 2 of the block"):
        open_raw_log(PLAN_BYTES, recorded(order="a b b"), "raw/bm25")


@pytest.mark.parametrize(("result", "opens"), [("crash", True), ("timeout", True), ("done", False)])
def test_a_warm_up_ends_early_only_where_the_system_broke(result: str, opens: bool) -> None:
    """D14: a system that hangs in its warm-up is measured and charged, not void."""
    plan = {**PLAN, "warmup": [*PLAN["warmup"], {"query_id": "w2", "text": "warmer"}], "blocks": []}
    data = json.dumps(plan).encode()
    tape = Tape(block=0, previous=hashlib.sha256(data).hexdigest())
    tape.begin("w1", "warm", phase="warmup")
    tape.finish(result)
    files = {"block-000.jsonl": tape.close()} | rest(tape)
    if opens:
        assert open_raw_log(data, files, "raw/bm25").warmup.name == "raw/bm25/block-000.jsonl"
        return
    with pytest.raises(Findings, match="request 2 of the block"):
        open_raw_log(data, files, "raw/bm25")


def test_another_text_typed_than_noted_is_found() -> None:
    plan = {**PLAN, "warmup": [], "blocks": [[{"query_id": "q1", "text": "a", "held": False}]]}
    data = json.dumps(plan).encode()
    warm = Tape(block=0, previous=hashlib.sha256(data).hexdigest())
    files = {"block-000.jsonl": warm.close()}
    tape = Tape(block=1, start=warm.now, previous=warm.head)
    tape.begin("q1", "a")
    tape.type("something easier")
    tape.finish("timeout")
    files["block-001.jsonl"] = tape.close()
    files |= rest(tape)
    with pytest.raises(Findings, match="another text was typed than 'a'"):
        open_raw_log(data, files, "raw/bm25")


@pytest.mark.parametrize(("texts", "opens"), [("", True), ("a", True), ("a b", True), ("b", False), ("a b a", False)])
def test_what_is_asked_again_is_the_first_block_or_its_beginning(texts: str, opens: bool) -> None:
    plan = {**PLAN, "warmup": [], "blocks": PLAN["blocks"][:1]}
    data = json.dumps(plan).encode()
    tape = Tape(block=0, previous=plan_digest(data))
    tape.spawn()
    files = {"block-000.jsonl": tape.close()}
    for name, sent, phase in (("block-001", "a b", "measured"), ("repeat", texts, "repeat")):
        block: int | str = 1 if phase == "measured" else name
        tape = Tape(block=block, start=tape.now + MS, previous=tape.head)
        for text in sent.split():
            tape.search({"a": "q1", "b": "q2"}[text], text, ["m001"], phase=phase)
        files[f"{name}.jsonl"] = tape.close()
    for name in REST[1:]:
        tape = Tape(block=name.partition(".")[0], start=tape.now + MS, previous=tape.head)
        files[name] = tape.close()
    if opens:
        assert open_raw_log(data, files, "raw/bm25").repeat.name == "raw/bm25/repeat.jsonl"
        return
    with pytest.raises(Findings, match=r"raw/bm25/repeat.jsonl: request \d of the block is not the planned one"):
        open_raw_log(data, files, "raw/bm25")


def test_the_order_of_the_chain_is_blocks_and_what_follows_them() -> None:
    names = [*reversed(REST), "block-001.jsonl", "block-000.jsonl"]
    assert ordered(names, "raw") == ["block-000.jsonl", "block-001.jsonl", *REST]


@pytest.mark.parametrize("names", [[], ["block-001.jsonl"], ["block-000.jsonl", "block-002.jsonl"]])
def test_a_gap_in_the_blocks_is_refused(names: list[str]) -> None:
    with pytest.raises(Findings, match="without a gap"):
        ordered([*names, *REST], "raw")


def test_a_file_that_is_no_part_of_a_raw_log_is_refused() -> None:
    with pytest.raises(Findings, match=r"raw/notes.txt: no part"):
        ordered(["block-000.jsonl", *REST, "notes.txt"], "raw")
