"""Agreement of two annotators from tables that count who gave what: an array entry for each table.

A table has a row for each answer of the first and a column for each of the second. A figure is NaN where it is not
defined: where chance alone would have made them agree on everything.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runner.retrieval.latency import Integers
from runner.retrieval.measures.coverage import Values


def quadratic_kappa(tables: Integers) -> Values:
    """Cohen's kappa for ordered answers: a disagreement weighs the square of the distance (Cohen 1968)."""
    return _kappa(tables, _distances(tables) ** 2)


def plain_kappa(tables: Integers) -> Values:
    """Cohen's kappa for answers without an order (Cohen 1960)."""
    return _kappa(tables, (_distances(tables) > 0).astype(np.int64))


def ordinal_alpha(tables: Integers) -> Values:
    """Krippendorff's alpha for ordered answers of two annotators who answered everything (Krippendorff 2011).

    Two answers lie as far apart as there are answers between them, half of their own kinds counted, squared.
    """
    coincidences = (tables + np.swapaxes(tables, 1, 2)).astype(np.float64)
    totals = coincidences.sum(axis=2)
    upto = np.cumsum(totals, axis=1)
    middle = upto - totals / 2
    distances = (middle[:, :, None] - middle[:, None, :]) ** 2
    observed = (coincidences * distances).sum(axis=(1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * distances).sum(axis=(1, 2))
    return _one_minus(observed * (totals.sum(axis=1) - 1), expected)


def _kappa(tables: Integers, weights: Integers) -> Values:
    observed = (tables * weights).sum(axis=(1, 2))
    by_chance = tables.sum(axis=2)[:, :, None] * tables.sum(axis=1)[:, None, :]
    expected = (by_chance * weights).sum(axis=(1, 2))
    return _one_minus((observed * tables.sum(axis=(1, 2))).astype(np.float64), expected.astype(np.float64))


def _one_minus(observed: Values, expected: Values) -> Values:
    defined: NDArray[np.bool_] = expected > 0
    ratio = np.divide(observed, expected, out=np.full_like(observed, np.nan), where=defined)
    return 1 - ratio


def _distances(tables: Integers) -> Integers:
    kinds = np.arange(tables.shape[1], dtype=np.int64)
    distances: Integers = np.abs(kinds[:, None] - kinds[None, :])
    return distances
