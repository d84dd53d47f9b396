"""The stability verdict at its edges (D33)."""

from __future__ import annotations

import pytest

from runner.retrieval.stability import HostLoad, judge_stability
from tests.retrieval.small_benchmark import MS, seen

QUIET = HostLoad(system="bm25", steal_ticks=0, total_ticks=1000, nr_throttled=0, throttled_us=0)


def blocks(*latencies_ms):
    """Four requests of four queries a block, all of one latency."""
    return [
        seen(f"q{n}", block=block, position=n, latency_ns=int(ms * MS))
        for block, ms in enumerate(latencies_ms, 1)
        for n in range(4)
    ]


@pytest.mark.parametrize(
    ("latencies", "stable"),
    [
        ((100, 100, 100, 120, 100), True),
        ((100, 100, 100, 120.001, 100), False),
        ((1, 1, 1, 3, 1), True),
        ((1, 1, 1, 3.001, 1), False),
        ((100, 100, 100, 81, 100), True),
        ((100, 100, 100, 80, 100), True),
        ((100, 100, 100, 79.999, 100), False),
        ((8, 8, 8, 6, 8), True),
        ((8, 8, 8, 5.999, 8), False),
        ((90, 100, 110, 88, 120), True),
        ((90, 100, 110, 79.999, 120), False),
    ],
)
def test_block_medians_within_a_fifth_or_two_milliseconds(latencies, stable):
    found = judge_stability(blocks(*latencies), QUIET)
    assert any("median of block 4" in reason for reason in found.reasons) is not stable


@pytest.mark.parametrize(("later", "stable"), [(125, True), (125.001, False), (80, True), (79.999, False)])
def test_p95_of_the_halves_within_a_quarter_of_the_smaller(later, stable):
    found = judge_stability(blocks(100, 100, later, later), QUIET)
    assert any("halves" in reason for reason in found.reasons) is not stable


@pytest.mark.parametrize(("later", "stable"), [(4, True), (4.001, False)])
def test_or_within_three_milliseconds(later, stable):
    found = judge_stability(blocks(1, 1, later, later), QUIET)
    assert any("halves" in reason for reason in found.reasons) is not stable


@pytest.mark.parametrize(("first", "stable"), [(110, True), (110.001, False), (91, True), (90.9, False)])
def test_first_seen_within_a_tenth_of_repeated(first, stable):
    found = judge_stability(blocks(first, 100, 100, 100), QUIET)
    assert any("first-seen" in reason for reason in found.reasons) is not stable
    assert (found.first_median_ns, found.repeated_median_ns) == (int(first * MS), 100 * MS)


@pytest.mark.parametrize(("first", "stable"), [(3, True), (3.001, False), (1, True), (0.999, False)])
def test_or_within_one_millisecond(first, stable):
    found = judge_stability(blocks(first, 2, 2, 2), QUIET)
    assert any("first-seen" in reason for reason in found.reasons) is not stable


def test_each_reason_has_its_figures_and_its_thresholds():
    """By hand: blocks of 1, 1, 9, 9 and 9 ms have the median 9; the first half ends at 9, its p95."""
    assert judge_stability(blocks(1, 1, 9, 9, 9), QUIET).reasons == (
        "median of block 1 is 1.000 ms, that of all block medians 9.000 ms, more than 20 % and 2 ms apart",
        "median of block 2 is 1.000 ms, that of all block medians 9.000 ms, more than 20 % and 2 ms apart",
        "medians of first-seen and repeated requests are 1.000 ms and 9.000 ms, more than 10 % and 1 ms apart",
    )


@pytest.mark.parametrize(("steal", "stable"), [(10, True), (11, False)])
def test_steal_of_one_per_cent_at_most(steal, stable):
    assert judge_stability(blocks(5, 5), QUIET.model_copy(update={"steal_ticks": steal})).stable is stable


def test_any_throttling_is_unstable():
    found = judge_stability(blocks(5, 5), QUIET.model_copy(update={"nr_throttled": 1}))
    assert found.reasons == ("the container was throttled 1 time",)


@pytest.mark.parametrize(
    ("missing", "reasons"),
    [
        (("nr_throttled", "throttled_us"), ("throttling was not recorded",)),
        (("steal_ticks",), ("steal was not recorded",)),
        (("total_ticks",), ("steal was not recorded",)),
        (("steal_ticks", "nr_throttled"), ("steal was not recorded", "throttling was not recorded")),
    ],
)
def test_a_counter_that_is_missing_is_no_zero(missing, reasons):
    host = QUIET.model_copy(update=dict.fromkeys(missing))
    found = judge_stability(blocks(5, 5), host)
    assert (found.stable, found.reasons, found.host) == (False, reasons, host)


def test_a_host_that_nobody_watched_is_unstable():
    assert judge_stability(blocks(5, 5), None).reasons == ("steal and throttling were not recorded",)


def test_one_request_alone():
    assert judge_stability([seen("q")], QUIET).stable
