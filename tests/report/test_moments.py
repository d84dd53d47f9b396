"""Where a query stands in its cast: files of a raw log by hand, in nanoseconds from each one's first line."""

from __future__ import annotations

from runner.terminal.rawlog import Begin, Close, Done, Event, Finish, Open, Phase, RawFile, Restart, Result
from runner.workflows.report.moments import first_moments

START = 7_000_000_000


def begin(at: int, query_id: str, phase: Phase = Phase.MEASURED) -> Begin:
    return Begin(START + at, 1, query_id, "words", 1, False, phase)


def done(at: int) -> Done:
    return Done(START + at, 1, 1)


def finish(at: int, result: Result = Result.DONE) -> Finish:
    return Finish(START + at, result, False, False)


def file(block: int, *events: Event) -> RawFile:
    return RawFile(
        f"raw/bm25/block-00{block}.jsonl", (Open(START, block, "bm25"), *events, Close(START + 9_000_000_000, 1))
    )


def test_the_first_measured_request_counts_and_its_done_frame_ends_it() -> None:
    warmup = file(0, begin(1, "q1", Phase.WARMUP), done(2), finish(3))
    one = file(1, begin(1_500_000_000, "q1"), done(1_502_345_678), finish(1_502_400_000), begin(2_000_000_000, "q2"))
    two = file(2, begin(1_000, "q1"), done(2_000), finish(3_000))
    found = first_moments("bm25", [warmup, one, two])["q1"]
    assert (found.cast, found.block, found.at) == ("casts/bm25/block-001.cast", 1, "1.500000")
    assert found.fragment == "t=1.500000,1.502345"


def test_a_request_that_was_never_answered_has_no_end_whatever_is_drawn_in_the_warm_up_after_it() -> None:
    events = (
        begin(1_000_000, "q1"),
        finish(2_000_000, Result.TIMEOUT),
        Restart(START + 3_000_000, "timeout"),
        begin(4_000_000, "w1", Phase.REWARM),
        done(5_000_000),
        finish(6_000_000),
    )
    found = first_moments("bm25", [file(1, *events)])
    assert found.keys() == {"q1"}
    assert found["q1"].fragment == "t=0.001000"
