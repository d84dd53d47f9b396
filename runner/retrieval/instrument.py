"""What the instrument noticed of that which it must notice, in figures; none of it is counted in a score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runner.documents import Document
from runner.retrieval.latency import percentile
from runner.retrieval.runs import Outcome

#: How much later than its delay a slow answer may be measured; never earlier.
TOLERANCE_NS = 25_000_000


class SlowCanary(Document):
    """Answers delayed by a known time, and the latencies measured of them; their median is at most so much above it."""

    delay_ns: int
    tolerance_ns: int
    median_ns: int
    latencies_ns: tuple[int, ...]

    @property
    def noticed(self) -> bool:
        """Whether the latency shows the delay."""
        return 0 <= self.median_ns - self.delay_ns <= self.tolerance_ns


class InjectedTimeout(Document):
    """An answer that came after the time limit: what the driver wrote of it, and what it was charged."""

    limit_ns: int
    delay_ns: int
    result: str
    outcome: Outcome
    charged_ns: int


class BadFrame(Document):
    """A list drawn otherwise than it was returned, and what was said of it; `right` were found right before it."""

    returned: tuple[str, ...]
    drawn: tuple[str, ...]
    found: str
    right: int


class TamperedRecord(Document):
    """A line of the raw log that was altered in a copy, of how many, and what was said of the copy."""

    file: str
    line: int
    of: int
    found: str


class Drift(Document):
    """The first block, asked once more at the end: of `n` requests answered both times, first and again.

    `change_ns` is the median of again minus first, request by request.
    """

    n: int
    first_median_ns: int
    again_median_ns: int
    first_p95_ns: int
    again_p95_ns: int
    change_ns: int


class Instrument(Document):
    """The checks inside one system's run; each found what it must, else there is no card. `drift` is null where nothing
    was answered again."""

    system: str
    slow: SlowCanary
    timeout: InjectedTimeout
    frame: BadFrame
    record: TamperedRecord
    drift: Drift | None


def slow_canary(delay_ns: int, latencies_ns: Sequence[int]) -> SlowCanary:
    """The figures of answers that were delayed by `delay_ns`."""
    return SlowCanary(
        delay_ns=delay_ns,
        tolerance_ns=TOLERANCE_NS,
        median_ns=_median(latencies_ns),
        latencies_ns=tuple(latencies_ns),
    )


def drift(first: Mapping[str, int], again: Mapping[str, int]) -> Drift | None:
    """From the latencies of answered requests (ns, by query) of the first block and of its repeat."""
    both = [query_id for query_id in first if query_id in again]
    if not both:
        return None
    before, after = sorted(first[each] for each in both), sorted(again[each] for each in both)
    return Drift(
        n=len(both),
        first_median_ns=percentile(before, 500),
        again_median_ns=percentile(after, 500),
        first_p95_ns=percentile(before, 950),
        again_p95_ns=percentile(after, 950),
        change_ns=_median([again[each] - first[each] for each in both]),
    )


def _median(times: Sequence[int]) -> int:
    return percentile(sorted(times), 500)
