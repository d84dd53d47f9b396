"""The histogram of the score: bins counted by hand."""

from __future__ import annotations

import numpy as np

from runner.retrieval.histogram import score_histogram


def test_a_bin_holds_its_lower_end_and_the_last_one_its_upper_end_too() -> None:
    """From 58 to 68 in 40 bins, each is a quarter of a point wide; the cap gathers in the fifth."""
    found = score_histogram(np.array([58.0, 58.24, 58.25, 60.0, 67.99, 68.0]), np.array([58.0, 58.2, 59, 59, 59, 59]))
    assert (found.low, found.high) == (58, 68)
    assert {place: count for place, count in enumerate(found.uncapped) if count} == {0: 2, 1: 1, 8: 1, 39: 2}
    assert {place: count for place, count in enumerate(found.gated) if count} == {0: 2, 4: 4}
    assert len(found.uncapped) == len(found.gated) == 40


def test_resamples_that_all_agree_have_a_bin_too() -> None:
    found = score_histogram(np.array([59.0, 59.0]), np.array([0.0, 0.0]))
    assert (found.low, found.high, found.uncapped[39], found.gated[0]) == (0, 59, 2, 2)
    alone = score_histogram(np.array([59.0]), np.array([59.0]))
    assert (alone.low, alone.high, alone.uncapped[0]) == (59, 60, 1)
