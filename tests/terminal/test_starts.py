"""How a system came up, read off a log by hand."""

from __future__ import annotations

from runner.terminal.rawlog import Close, Done, Memory, Open, RawFile, Ready, Role, Spawn
from runner.terminal.starts import read_starts


def log(*events) -> RawFile:
    return RawFile("block-000.jsonl", (Open(0, 0, "s"), *events, Close(10_000, 0)))


STARTED = (
    Spawn(100, Role.ENGINE, 7, 1),
    Ready(350, Role.ENGINE, 1),
    Spawn(400, Role.UI, 8, 1),
    Ready(900, Role.UI, 1),
    Done(1500, 1, 3),
    Memory(2000, Role.ENGINE, 1, 50),
    Memory(2000, Role.UI, 1, 20),
)


def test_times_and_peaks_by_hand():
    later = log(Spawn(3000, Role.ENGINE, 9, 2), Ready(9000, Role.ENGINE, 2), Memory(9500, Role.ENGINE, 2, 40))
    found = read_starts(log(*STARTED), [log(*STARTED), later])
    assert (found.engine_load_ns, found.ui_load_ns, found.first_answer_ns) == (250, 500, 1400)
    assert (found.engine_peak_bytes, found.ui_peak_bytes) == (50, 20)


def test_a_peak_that_was_not_read_may_have_been_the_greatest():
    later = log(Memory(9500, Role.ENGINE, 1, None))
    found = read_starts(log(*STARTED), [log(*STARTED), later])
    assert (found.engine_peak_bytes, found.ui_peak_bytes) == (None, 20)


def test_a_log_that_says_nothing_gives_nothing():
    assert set(read_starts(log(), [log()])) == {None}
