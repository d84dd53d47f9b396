"""When a known delay counts as shown, and what drift is, with figures worked by hand."""

import pytest

from runner.retrieval.instrument import Drift, drift, slow_canary

MS = 1_000_000


@pytest.mark.parametrize(
    ("latencies_ms", "median", "noticed"),
    [
        ((100, 100, 100), 100, True),
        ((125, 101, 125), 125, True),
        ((126, 126, 101), 126, False),
        ((102, 900, 101), 102, True),
        ((99, 99, 101), 99, False),
        ((1, 1, 1), 1, False),
    ],
)
def test_the_median_of_the_latencies_shows_the_delay(latencies_ms, median, noticed):
    """Never less than the delay; up to 25 ms more; one hiccup is none."""
    found = slow_canary(100 * MS, [ms * MS for ms in latencies_ms])
    assert (found.median_ns, found.noticed) == (median * MS, noticed)


def test_drift_is_of_what_was_answered_both_times():
    """By hand: b and c are in both; 20 -> 26 and 30 -> 32, changes 6 and 2; nearest rank takes the lower of two."""
    found = drift({"a": 10, "b": 20, "c": 30}, {"b": 26, "c": 32, "d": 1})
    assert found == Drift(n=2, first_median_ns=20, again_median_ns=26, first_p95_ns=30, again_p95_ns=32, change_ns=2)


def test_no_drift_where_nothing_was_answered_again():
    assert drift({"a": 10}, {}) is None
