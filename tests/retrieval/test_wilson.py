"""Wilson's interval against the worked examples of Newcombe (1998), table I, method 3."""

from __future__ import annotations

import pytest

from runner.retrieval.wilson import wilson


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_values(successes, n, low, high):
    assert wilson(successes / n, n) == pytest.approx((low, high), abs=5e-5)


def test_a_full_house_stays_below_certainty():
    # n / (n + z^2) with n = 10
    low, high = wilson(1.0, 10)
    assert low == pytest.approx(0.7224672, abs=1e-6)
    assert high == pytest.approx(1.0)
