"""Differences between two systems, paired by family, and what a partition can tell from noise (D27)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import sqrt

import numpy as np

from runner.documents import Document
from runner.retrieval.bootstrap import UNIT, interval
from runner.retrieval.estimates import Interval, Rounded
from runner.retrieval.gates import GateOutcome
from runner.retrieval.groups import Subset
from runner.retrieval.measures.coverage import Values
from runner.retrieval.measures.names import Measure
from runner.retrieval.rows import ScoredSample
from runner.retrieval.topics import ANSWERABLE, Slice
from runner.retrieval.wilson import Z

#: The 80th percentile of the standard normal distribution.
Z_POWER = 0.8416212335729143

QUALITY = "Q"
SCORE = "uncapped score"


def slice_figure(slice_: Slice) -> str:
    """The name of a slice's nDCG@10."""
    return f"{Measure.NDCG} {slice_}"


#: What the power of a partition is told for.
TOLD_APART = (QUALITY, *map(slice_figure, ANSWERABLE))


class Difference(Document):
    """A figure of one system less that of another. `interval` is the paired family bootstrap's.

    `detectable` is the least true difference that such an interval leaves zero out for in 80 % of partitions like this:
    (1.95996 + 0.84162) times the standard deviation of the resampled differences; null where that is zero.
    """

    figure: str
    one: Rounded
    other: Rounded
    value: Rounded
    interval: Interval
    detectable: Rounded | None

    def turned(self) -> Difference:
        """The other one less this one."""
        turned = Interval(low=0.0 - self.interval.high, high=0.0 - self.interval.low)
        change = {"one": self.other, "other": self.one, "value": 0.0 - self.value, "interval": turned}
        return self.model_copy(update=change)


class Pair(Document):
    """`one` less `other`, figure by figure."""

    one: str
    other: str
    differences: tuple[Difference, ...]

    def of(self, figure: str) -> Difference:
        """The difference in one figure."""
        return next(each for each in self.differences if each.figure == figure)


class Power(Document):
    """The least differences that this partition tells from noise, by figure, and what they were found from."""

    basis: str
    detectable: dict[str, Rounded | None]


Named = Mapping[str, tuple[ScoredSample, ScoredSample]]


def pairs(samples: Named) -> tuple[Pair, ...]:
    """Every pair of systems; `samples` has the point and the spread of each, under the same weights.

    The later one of a manifest is held against the earlier, as hybrid against BM25.
    """
    return tuple(pair(one, other, samples) for other, one in combinations(samples, 2))


def pair(one: str, other: str, samples: Named) -> Pair:
    """One system less another."""
    (point, spread), (point_other, spread_other) = samples[one], samples[other]
    mine, theirs = dict(figures(point)), dict(figures(point_other))
    wide, wide_other = dict(figures(spread)), dict(figures(spread_other))
    return Pair(
        one=one,
        other=other,
        differences=tuple(
            _difference(name, mine[name].item(), theirs[name].item(), wide[name] - wide_other[name]) for name in mine
        ),
    )


def figures(found: ScoredSample) -> Iterator[tuple[str, Values]]:
    """What systems are compared by: the score, its components, and what those are made of."""
    outcome: GateOutcome = found.outcome
    yield SCORE, outcome.uncapped
    yield from outcome.parts._asdict().items()
    means = found.sample.means
    for one in ANSWERABLE:
        yield slice_figure(one), means[Measure.NDCG, one]
    yield f"{Measure.HIT_10} answerable", means[Measure.HIT_10, Subset.ANSWERABLE]
    yield Measure.CORRECT_EMPTY, means[Measure.CORRECT_EMPTY, Slice.NO_MATCH]


def _difference(name: str, one: float, other: float, spread: Values) -> Difference:
    low, high = interval(spread)
    return Difference(
        figure=name,
        one=one,
        other=other,
        value=round(one, 6) - round(other, 6),
        interval=Interval(low=low, high=high),
        detectable=detectable(spread),
    )


def detectable(spread: Values, *, times: float = 1.0) -> float | None:
    """The least difference told from noise, for resampled figures; null where they never moved, which says nothing."""
    found = deviation(spread)
    return (Z + Z_POWER) * found * times if found else None


def deviation(values: Values) -> float:
    """The standard deviation, from whole numbers of 2^-40 and exact sums, so that every machine gives the same bits."""
    whole = np.rint(values * UNIT).astype(np.int64).tolist()
    n, total = len(whole), sum(whole)
    return sqrt((n * sum(value * value for value in whole) - total * total) / (n * n)) / UNIT


def power(samples: Named, found: Sequence[Pair]) -> Power:
    """What the partition can tell: the largest of the pairs' detectable differences, figure by figure.

    Where one system ran there is no pair; then as of two that are as spread as it, and independent of each other.
    """
    if found:
        basis = f"the widest of the paired differences between {len(samples)} systems"
        return Power(basis=basis, detectable={name: _widest(each.of(name) for each in found) for name in TOLD_APART})
    ((name, (_, spread)),) = samples.items()
    alone = dict(figures(spread))
    return Power(
        basis=f"{name} alone, as of two independent systems like it; paired differences are narrower",
        detectable={figure: detectable(alone[figure], times=sqrt(2)) for figure in TOLD_APART},
    )


def _widest(found: Iterable[Difference]) -> float | None:
    return max((each.detectable for each in found if each.detectable is not None), default=None)
