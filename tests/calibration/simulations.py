"""Partitions whose truth is known: how often an interval of 95 % covers it, by family and by query.

Each simulated partition draws its families anew. A query's figure is made of what its family has in common and of what
is its own; `correlation` is that of two queries of one family before they are squeezed into [0, 1].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runner.retrieval.bootstrap import Weights, exact_product, interval, resample
from runner.retrieval.paired import detectable

Values = NDArray[np.float64]
#: The means of the squeezed normal values by slice: near the middle, so that neither end binds.
MIDDLE, SPREAD = 0.6, 0.2
RESAMPLES = 1_000
UNIT = 2**40


class Shape(NamedTuple):
    """The family of each query, and its slice; the figure is the mean over slices of the means over their queries."""

    families: tuple[str, ...]
    slices: tuple[str, ...]


def even(families: int, size: int) -> Shape:
    """Families of one size in one slice."""
    return Shape(tuple(f"f{n}" for n in range(families) for _ in range(size)), ("only",) * (families * size))


def by_query(shape: Shape) -> Shape:
    """The same queries, as if each were a family."""
    return Shape(tuple(f"q{n}" for n in range(len(shape.families))), shape.slices)


class Resampled(NamedTuple):
    """The weights of a shape's families in each resample, and where each query belongs."""

    weights: Weights
    family: NDArray[np.int64]
    slice: NDArray[np.int64]


def resampled(shape: Shape, seed: int) -> Resampled:
    """Resample the families of a shape."""
    family, slice_ = (np.unique(names, return_inverse=True)[1] for names in shape)
    members = np.zeros((slice_.max() + 1, family.max() + 1), dtype=bool)
    members[slice_, family] = True
    return Resampled(resample(members, seed=seed, count=RESAMPLES).weights, family, slice_)


def macro_interval(values: Values, drawn: Resampled) -> tuple[float, float]:
    """The 95 % interval of the macro mean of `values`."""
    return interval(macro_spread(values, drawn))


def macro_spread(values: Values, drawn: Resampled) -> Values:
    """The macro mean of `values` in each resample, by the arithmetic that cards are made with."""
    # Differences may be negative, and the product wants none: shifted by one, and back.
    slices = drawn.slice.max() + 1
    table = np.zeros((drawn.weights.shape[1], 2 * slices), dtype=np.int64)
    np.add.at(table, (drawn.family, drawn.slice), np.rint((values + 1) * UNIT).astype(np.int64))
    np.add.at(table, (drawn.family, slices + drawn.slice), 1)
    sums, counts = np.split(exact_product(drawn.weights, table), 2, axis=1)
    return np.asarray((sums / (counts * float(UNIT)) - 1).mean(axis=1))


def draws(shape: Shape, correlation: float, dice: np.random.Generator) -> Values:
    """The figure of each query in one simulated partition, in [0, 1]."""
    family = np.unique(shape.families, return_inverse=True)[1]
    common, own = dice.standard_normal(family.max() + 1), dice.standard_normal(len(family))
    mixed = np.sqrt(correlation) * common[family] + np.sqrt(1 - correlation) * own
    return np.clip(MIDDLE + SPREAD * mixed, 0.0, 1.0)


def truth() -> float:
    """The mean of a squeezed normal value, by adding up its distribution finely."""
    points = np.linspace(-8, 8, 400_001)
    density = np.exp(-points * points / 2)
    return float((np.clip(MIDDLE + SPREAD * points, 0, 1) * density).sum() / density.sum())


class Coverage(NamedTuple):
    """In which share of simulated partitions the interval held the truth, and how wide it was on average."""

    share: float
    width: float


def coverage(shape: Shape, correlation: float, *, runs: int, query: bool = False) -> Coverage:
    """The coverage of the family bootstrap, or of the one that takes every query for a family of its own."""
    wanted = truth()
    drawn = resampled(by_query(shape) if query else shape, seed=1)
    dice = np.random.Generator(np.random.Philox(key=7))
    found = [macro_interval(draws(shape, correlation, dice), drawn) for _ in range(runs)]
    held = sum(low <= wanted <= high for low, high in found)
    return Coverage(held / runs, sum(high - low for low, high in found) / runs)


def table(shapes: Mapping[str, Shape], correlations: Sequence[float], *, runs: int) -> str:
    """The coverages as lines of Markdown."""
    rows = ["| shape | correlation | family bootstrap covers | query bootstrap covers |", "|---|---|---|---|"]
    for name, shape in shapes.items():
        for correlation in correlations:
            family = coverage(shape, correlation, runs=runs)
            query = coverage(shape, correlation, runs=runs, query=True)
            rows.append(f"| {name} | {correlation} | {family.share:.1%} | {query.share:.1%} |")
    return "\n".join(rows)


class Told(NamedTuple):
    """How often the paired interval left zero out, without a difference and with the one called detectable."""

    without: float
    detectable: float


def told_apart(shape: Shape, correlation: float, *, runs: int) -> Told:
    """Two systems on the same queries, paired."""
    drawn = resampled(shape, seed=1)
    dice = np.random.Generator(np.random.Philox(key=11))
    without = apart = 0
    for _ in range(runs):
        # What makes a query hard for both falls out of the difference.
        difference = draws(shape, correlation, dice) - draws(shape, correlation, dice)
        least = detectable(macro_spread(difference, drawn))
        assert least is not None
        without += _leaves_zero_out(macro_interval(difference, drawn))
        apart += _leaves_zero_out(macro_interval(difference + least, drawn))
    return Told(without / runs, apart / runs)


def _leaves_zero_out(pair: tuple[float, float]) -> bool:
    return pair[0] > 0 or pair[1] < 0
