"""Systems that break the contract: each must leave its own mark in the raw log, and none may stop the run."""

import json
import re

import pytest

from tests.hostile import toy

BLOCK = "block-001.jsonl"
SHORT = toy.LIMITS | {"time_limit_ms": 300, "late_ms": 300, "hold_ms": 150}


def one_block(count, ui, *, held=False, **configuration):
    """The keys of a plan: two warm-ups, one block, short limits."""
    return {
        "system": toy.system(ui, **configuration),
        "warmup": toy.queries(2),
        "blocks": [toy.queries(count, held=held)],
        "limits": SHORT,
    }


def test_a_hung_ui_is_restarted_three_times_and_then_charged(drive):
    """D14. The third search of each process hangs: warm-up passes, the measured ones do not."""
    evidence = drive(**one_block(6, "ui_hangs"))
    assert evidence.results() == ["timeout"] * 4 + ["charged"] * 2
    assert evidence.results("rewarm") == ["done"] * 6
    assert [e["reason"] for e in evidence.events("restart")] == ["timeout"] * 3
    assert evidence.report["restarts"] == 3
    assert evidence.report["requests"] == {"done": 2, "timeout": 4, "charged": 2}
    charged = [e for e in evidence.events("begin") if e["submit"] == 0]
    assert [e["request"] for e in charged] == [7, 8]


def test_a_ui_that_never_answers_ends_within_its_restarts(drive):
    """A warm-up after a restart stops at its first timeout."""
    evidence = drive(**one_block(3, "ui_exits", exits_at=1))
    assert evidence.results("warmup") == ["crash"]
    assert evidence.results("rewarm") == ["crash"] * 3
    assert evidence.results() == ["charged"] * 3


def test_a_late_frame_is_a_timeout_without_a_restart(drive):
    evidence = drive(**one_block(2, "ui_slow") | {"warmup": toy.queries(1)})
    assert evidence.results() == ["late", "done"]
    assert evidence.events("restart") == []
    late = evidence.events("done", BLOCK)[0]
    key = next(e for e in evidence.events("in", BLOCK) if e["what"] == "submit")
    assert late["t"] - key["t"] > 300_000_000


def test_a_ui_that_exits_at_its_nth_search_is_counted_each_time(drive):
    """n = 5: two warm-ups and two measured searches pass in each process. The third ends when the block is asked again,
    for which none is started anew; the null UI, at the injected timeout."""
    evidence = drive(**one_block(8, "ui_exits", exits_at=5))
    assert evidence.results() == ["done", "done", "crash"] * 2 + ["done"] * 2
    assert [e["reason"] for e in evidence.events("restart")] == ["crash", "crash"]
    assert [e["submit"] for e in evidence.events("begin", BLOCK)] == [3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4]
    assert [e["request"] for e in evidence.events("begin", BLOCK)] == [3, 4, 5, 0, 0, 6, 7, 8, 0, 0, 9, 10]
    ends = [(e["process"], e["status"], e["signal"]) for e in evidence.events("exit") if e["role"] == "ui"]
    assert ends == [(1, 9, None), (2, 9, None), (3, 9, None), (1, None, 9)]


def test_an_engine_that_dies_is_started_again_with_the_ui(drive):
    """The UI told of the error, so the request is done; the restart is counted. Asked again, the engine dies again."""
    block = [{"query_id": f"q{n}", "text": text, "held": False} for n, text in enumerate(["cat", "die", "dog"])]
    evidence = drive(system=toy.system(engine="engine_dies"), warmup=toy.queries(1), blocks=[block])
    assert evidence.results() == ["done"] * 3
    assert [e["reason"] for e in evidence.events("restart")] == ["engine exit"]
    assert (evidence.report["restarts"], evidence.report["engine_restarts"]) == (1, 2)
    assert [(e["process"], e["status"]) for e in evidence.events("exit", BLOCK) if e["role"] == "engine"] == [(1, 7)]
    assert b"error: engine gone" in b"".join(e["data"] for e in evidence.events("out", BLOCK))


def test_a_flood_ends_the_request_and_is_bounded(drive):
    evidence = drive(**one_block(2, "ui_floods"))
    assert evidence.results("warmup") + evidence.results() == ["crash", "charged", "charged"]
    assert 3 << 20 < sum(len(e["data"]) for e in evidence.events("out")) < 6 << 20


def test_a_closed_terminal_is_a_crash(drive):
    evidence = drive(**one_block(1, "ui_closes"))
    assert evidence.results("warmup") == ["crash"]
    assert {e["signal"] for e in evidence.events("exit") if e["role"] == "ui"} == {9}


def test_what_a_ui_leaves_behind_is_ended(drive):
    """The fixture looks for processes in the system's folder."""
    assert drive(**one_block(1, "ui_forks")).results() == ["done"]


def test_a_request_before_the_key_is_stamped_before_it(drive):
    """D10: a violation that must show in the stamps alone."""
    events = drive(**one_block(3, "ui_early", held=True)).events(file=BLOCK)
    order = [e.get("what", e["e"]) for e in events if e["e"] in ("in", "req", "rep", "done")]
    assert order == ["clear", "text", "req", "rep", "submit", "req", "rep", "done"] * 3


def test_a_request_after_the_frame_is_kept(drive):
    """Two requests to the engine for one key; the terminal may deliver the frame after the second."""
    evidence = drive(**one_block(2, "ui_prefetches", held=True))
    asked = [json.loads(e["data"])["text"] for e in evidence.events("req", BLOCK)]
    assert asked[-4:] == ["cat cat", "cat cat again", "dog dog", "dog dog again"]


def test_a_list_that_changes_after_done_is_seen_when_held(drive):
    """D12: a second done frame of the same submit within the hold time."""
    evidence = drive(**one_block(2, "ui_changes", held=True))
    drawn = b"".join(e["data"] for e in evidence.events("out", BLOCK))
    assert re.findall(rb"submit=([34]);frame=\d+;state=done", drawn) == [b"3", b"3", b"4", b"4"]
    assert [e["submit"] for e in evidence.events("done", BLOCK)] == [3, 4]


def test_a_hold_that_the_end_of_the_ui_cuts_short_says_so(drive):
    """Two warm-ups pass in each process; the UI is gone once its third list stands."""
    evidence = drive(**one_block(2, "ui_leaves", held=True))
    assert evidence.results() == ["done", "done"]
    assert [e["cut"] for e in evidence.events("finish", BLOCK)] == [True, False, False, True, False, False]
    assert [e["phase"] for e in evidence.events("begin", BLOCK)] == ["measured", "rewarm", "rewarm"] * 2
    done, finish = evidence.events("done", BLOCK)[0], evidence.events("finish", BLOCK)[0]
    assert finish["t"] - done["t"] < 150_000_000


@pytest.mark.parametrize(
    ("ui", "same_ids", "same_number"),
    [
        ("good_ui", True, True),
        ("ui_wrong_list", False, True),
        ("ui_false_id", False, True),
        ("ui_half_frame", False, False),
    ],
)
def test_drawn_and_returned_are_kept_apart(drive, ui, same_ids, same_number):
    """D12: what the engine returned never rests on the UI's word."""
    evidence = drive(**one_block(1, ui))
    returned = [item["doc_id"].encode() for item in json.loads(evidence.events("rep", BLOCK)[0]["data"])["items"]]
    done = evidence.events("done", BLOCK)[0]
    frame = next(e["data"] for e in evidence.events("out", BLOCK) if e["t"] == done["t"])
    drawn = re.findall(rb" (m\d{4}) ", frame)
    assert (drawn == returned, len(drawn) == len(returned)) == (same_ids, same_number)


def test_nonsense_on_the_events_socket_is_counted_and_dropped(drive):
    evidence = drive(**one_block(2, "ui_lies", held=True))
    assert evidence.report["found"]["refused"] == {"connection": 0, "event": 8 * 6}
    assert {e["name"] for e in evidence.events("event")} == {"accept", "drawn"}


def test_files_that_a_ui_writes_are_listed(drive):
    """D24: an interaction event written without opt-in."""
    evidence = drive(**one_block(1, "ui_keeps_notes"))
    (left,) = evidence.events("left", "after.jsonl")
    assert (left["role"], left["path"], left["kind"]) == ("ui", "interactions.jsonl", "file")
    assert len(left["sha256"]) == 64
