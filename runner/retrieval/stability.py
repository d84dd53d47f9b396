"""Whether a run held still while it was measured (D33)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from runner.counts import counted
from runner.documents import Document
from runner.retrieval.latency import NS_PER_MS, milliseconds, percentile
from runner.retrieval.runs import Observation


class HostLoad(Document):
    """What the host did to one system's measured blocks: counters at their end minus counters at their start.

    A counter that was not recorded is null, which is no zero.
    """

    system: str
    steal_ticks: int | None
    total_ticks: int | None
    nr_throttled: int | None
    throttled_us: int | None


class Stability(Document):
    """The figures of D33 for one system; `reasons` is empty if it was stable. `host` is null if nobody counted."""

    stable: bool
    reasons: tuple[str, ...]
    block_medians_ns: tuple[int, ...]
    half_p95_ns: tuple[int, int]
    first_median_ns: int
    repeated_median_ns: int
    host: HostLoad | None


def judge_stability(observations: Sequence[Observation], host: HostLoad | None) -> Stability:
    """The verdict on one system's requests, in the order they were sent."""
    medians = block_medians(observations)
    halves = half_p95(observations)
    first, repeated = first_and_repeated(observations)
    reasons = (
        *_blocks(medians),
        *_apart("p95 of the two halves", halves, per_cent=25, least_ns=3 * NS_PER_MS),
        *_apart("medians of first-seen and repeated requests", (first, repeated), per_cent=10, least_ns=1 * NS_PER_MS),
        *_host(host),
    )
    return Stability(
        stable=not reasons,
        reasons=reasons,
        block_medians_ns=medians,
        half_p95_ns=halves,
        first_median_ns=first,
        repeated_median_ns=repeated,
        host=host,
    )


def block_medians(observations: Iterable[Observation]) -> tuple[int, ...]:
    """The median latency of each block, by block number."""
    blocks: dict[int, list[int]] = {}
    for seen in observations:
        blocks.setdefault(seen.block, []).append(seen.latency_ns)
    return tuple(_percentile(blocks[block], 500) for block in sorted(blocks))


def half_p95(observations: Sequence[Observation]) -> tuple[int, int]:
    """p95 of the first and of the second half; a single request is both."""
    times = [seen.latency_ns for seen in observations]
    middle = (len(times) + 1) // 2
    return _percentile(times[:middle], 950), _percentile(times[middle:] or times, 950)


def first_and_repeated(observations: Iterable[Observation]) -> tuple[int, int]:
    """Median of the requests that were the first for their query, and of the others (the same, if there are none)."""
    seen: Mapping[bool, list[int]] = {True: [], False: []}
    known: set[str] = set()
    for observation in observations:
        seen[observation.query_id not in known].append(observation.latency_ns)
        known.add(observation.query_id)
    first = _percentile(seen[True], 500)
    return first, _percentile(seen[False], 500) if seen[False] else first


def _blocks(medians: Sequence[int]) -> Iterable[str]:
    middle = _percentile(medians, 500)
    for block, median in enumerate(medians, 1):
        if not _within(abs(median - middle), middle, per_cent=20, least_ns=2 * NS_PER_MS):
            figures = f"{milliseconds(median)} ms, that of all block medians {milliseconds(middle)} ms"
            yield f"median of block {block} is {figures}, more than 20 % and 2 ms apart"


def _apart(what: str, pair: tuple[int, int], *, per_cent: int, least_ns: int) -> Iterable[str]:
    """Neither of the two is the measure of the other, so the smaller is: the verdict does not depend on the order."""
    if not _within(abs(pair[0] - pair[1]), min(pair), per_cent=per_cent, least_ns=least_ns):
        figures = f"{milliseconds(pair[0])} ms and {milliseconds(pair[1])} ms"
        yield f"{what} are {figures}, more than {per_cent} % and {least_ns // NS_PER_MS} ms apart"


def _host(host: HostLoad | None) -> Iterable[str]:
    if host is None:
        yield "steal and throttling were not recorded"
        return
    yield from _steal(host.steal_ticks, host.total_ticks)
    if host.nr_throttled is None:
        yield "throttling was not recorded"
    elif host.nr_throttled:
        yield f"the container was throttled {counted(host.nr_throttled, 'time')}"


def _steal(stolen: int | None, total: int | None) -> Iterable[str]:
    if stolen is None or total is None:
        yield "steal was not recorded"
    elif 100 * stolen > total:
        yield f"steal was {stolen} of {total} ticks, more than 1 %"


def _within(apart: int, of: int, *, per_cent: int, least_ns: int) -> bool:
    """Whether `apart` is at most `per_cent` of `of`, or at most `least_ns`."""
    return apart <= least_ns or 100 * apart <= per_cent * of


def _percentile(times: Sequence[int], per_mille: int) -> int:
    return percentile(sorted(times), per_mille)
