"""How the score falls over the resamples, in few enough numbers to be drawn from the card alone."""

from __future__ import annotations

import numpy as np

from runner.documents import Document
from runner.retrieval.measures.coverage import Values

BINS = 40


class ScoreHistogram(Document):
    """Resamples by score, in 40 equal bins from `low` to `high`, which are whole points out of 100.

    A bin holds its lower end, the last one its upper end too. `uncapped` and `gated` are counts of the same resamples.
    """

    low: int
    high: int
    uncapped: tuple[int, ...]
    gated: tuple[int, ...]


def score_histogram(uncapped: Values, gated: Values) -> ScoreHistogram:
    """Both scores of every resample, over the least range of whole points that holds all of them."""
    both = np.concatenate([uncapped, gated])
    low = int(np.floor(both.min()))
    high = max(low + 1, int(np.ceil(both.max())))
    return ScoreHistogram(low=low, high=high, uncapped=_counts(uncapped, low, high), gated=_counts(gated, low, high))


def _counts(values: Values, low: int, high: int) -> tuple[int, ...]:
    bins = np.minimum(np.floor((values - low) * BINS / (high - low)), BINS - 1).astype(np.int64)
    return tuple(np.bincount(bins, minlength=BINS).tolist())
