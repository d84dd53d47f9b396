"""What the checks of the instrument found, as rows of words, for the scorecard in Markdown and as a page."""

from __future__ import annotations

from collections.abc import Iterator

from runner.retrieval.instrument import Drift, Instrument
from runner.retrieval.latency import milliseconds
from runner.terminal.instrument import Check

COLUMNS = ("system", "check", "what was there", "what was found")
Row = tuple[str, str, str, str]


def instrument_rows(found: Instrument) -> Iterator[Row]:
    """A row a check, in the order of `COLUMNS`, and one for the drift."""
    slow, timeout, frame, record = found.slow, found.timeout, found.frame, found.record
    delayed = f"{len(slow.latencies_ns)} answers {milliseconds(slow.delay_ns)} ms late"
    most = milliseconds(slow.delay_ns + slow.tolerance_ns)
    yield found.system, Check.SLOW, delayed, f"median {milliseconds(slow.median_ns)} ms, at most {most} ms allowed"
    beyond = f"an answer after {milliseconds(timeout.delay_ns)} ms, limit {milliseconds(timeout.limit_ns)} ms"
    yield found.system, Check.TIMEOUT, beyond, f"{timeout.outcome}, charged {milliseconds(timeout.charged_ns)} ms"
    swapped = f"1 frame with two results swapped, {frame.right} right ones"
    yield found.system, Check.FRAME, swapped, "it was refused, the right ones were not"
    altered = f"line {record.line} of {record.file} altered in a copy, 1 of {record.of} records"
    yield found.system, Check.RECORD, altered, "the chain names that line"
    yield found.system, "drift, not counted", "the first block, asked once more at the end", _drift(found.drift)


def _drift(found: Drift | None) -> str:
    if found is None:
        return "not recorded"
    medians = f"{milliseconds(found.first_median_ns)} and {milliseconds(found.again_median_ns)} ms"
    p95 = f"{milliseconds(found.first_p95_ns)} and {milliseconds(found.again_p95_ns)} ms"
    return f"medians {medians}, p95 {p95}, median change {found.change_ns / 1e6:+.3f} ms, of {found.n} requests"
