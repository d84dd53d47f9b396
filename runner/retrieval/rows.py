"""Builds what a row says of one system from its queries, its point estimate and its resamples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from runner.retrieval.bootstrap import SEED, Resamples, Weights, interval
from runner.retrieval.estimates import Estimate, Interval
from runner.retrieval.gates import MEASURED, FixedGate, FixedGates, GateOutcome, Over, Verdict, gated, hold_to_gates
from runner.retrieval.groups import Group, Grouped, Subset, belongs
from runner.retrieval.histogram import score_histogram
from runner.retrieval.latency import Integers, percentile
from runner.retrieval.measures.coverage import Values
from runner.retrieval.measures.names import Measure
from runner.retrieval.sample import REPORTED, FamilyTotals, Part, Sample, draw
from runner.retrieval.score import Band, band
from runner.retrieval.scorecard import ComponentRow, GatedSpread, GateRow, GroupRow, Uncertainty
from runner.retrieval.topics import ANSWERABLE, Slice
from runner.retrieval.wilson import wilson

SLICES: tuple[Group, ...] = (*ANSWERABLE, Slice.NO_MATCH)
SUBSETS: tuple[Group, ...] = (
    Subset.ANSWERABLE,
    Subset.EXACT,
    Subset.ORDINARY,
    Subset.SAFETY,
    Subset.SAFETY_ANSWERABLE,
    Subset.MULTI_CUE,
)

#: The queries that each component rests on; null: requests.
_RESTS_ON: Mapping[str, Group | None] = {
    "Q": Subset.ANSWERABLE,
    "E": Subset.EXACT,
    "C": Subset.ALL,
    "S": Subset.ALL,
    "L": None,
    "R": None,
}


class ScoredSample(NamedTuple):
    """A sample held against the gates, with the score it leads to."""

    sample: Sample
    outcome: GateOutcome
    scores: Values


class Counted(NamedTuple):
    """How many queries or requests, and of how many families, a figure rests on."""

    n: int
    families: int


class Figures(NamedTuple):
    """What a row says that follows from its queries and its gates; the fields are those of `SystemRow`."""

    status: Verdict
    score: float
    uncapped: float
    band: Band
    uncertainty: Uncertainty
    components: ComponentRow
    slices: tuple[GroupRow, ...]
    subsets: tuple[GroupRow, ...]
    gates: tuple[GateRow, ...]


def score_sample(totals: FamilyTotals, weights: Weights, fixed: FixedGates) -> ScoredSample:
    """The scores of `totals` under `weights`."""
    sample = draw(totals, weights)
    outcome = hold_to_gates(sample)
    return ScoredSample(sample, outcome, gated(outcome, fixed))


class RowMaker:
    """Reads estimates off a system's point outcome and its resampled outcome."""

    def __init__(self, parts: Sequence[Part], point: ScoredSample, spread: ScoredSample, fixed: FixedGates) -> None:
        self._parts = parts
        self._point = point
        self._spread = spread
        self._fixed = fixed

    def figures(self, resamples: Resamples) -> Figures:
        """All of it."""
        score = float(self._point.scores[0])
        return Figures(
            status=self._status(),
            score=score,
            uncapped=float(self._point.outcome.uncapped[0]),
            band=band(score),
            uncertainty=self.uncertainty(resamples),
            components=self.components(),
            slices=self.groups(SLICES),
            subsets=self.groups(SUBSETS),
            gates=self.gates(),
        )

    def components(self) -> ComponentRow:
        """The six inputs of the score."""
        found = {
            name: _estimate(values, getattr(self._spread.outcome.parts, name), self.counted(_RESTS_ON[name]))
            for name, values in self._point.outcome.parts._asdict().items()
        }
        return ComponentRow(**found)

    def groups(self, groups: Sequence[Group]) -> tuple[GroupRow, ...]:
        """The lines of those `groups` that have queries."""
        return tuple(self._group(group) for group in groups if self.counted(group).n)

    def gates(self) -> tuple[GateRow, ...]:
        """Every gate in the page's order: critical violations, the measured ones, the suites."""
        suites = map(fixed_row, self._fixed.suite_gates)
        return (fixed_row(self._fixed.violation), *self._measured_gates(), *suites)

    def uncertainty(self, resamples: Resamples) -> Uncertainty:
        """Intervals of the score, and fractions of resamples that pass."""
        scores = np.sort(self._spread.scores).tolist()
        measured = self._spread.outcome.passes_measured.mean().item()
        return Uncertainty(
            resamples=len(resamples.weights),
            redrawn=resamples.redrawn,
            seed=SEED,
            uncapped=_interval(self._spread.outcome.uncapped),
            gated=GatedSpread(
                p2_5=percentile(scores, 25),
                p25=percentile(scores, 250),
                p50=percentile(scores, 500),
                p75=percentile(scores, 750),
                p97_5=percentile(scores, 975),
            ),
            distribution=score_histogram(self._spread.outcome.uncapped, self._spread.scores),
            passing_every_gate=measured if self._fixed.passed else 0.0,
            passing_measured_gates=measured,
        )

    def counted(self, group: Group | None) -> Counted:
        """Queries and families of a group; null: all requests."""
        if group is None:
            return self.counted(Subset.ALL)._replace(n=int(self._point.sample.requests[0]))
        return count([part.topic for part in self._parts if belongs(part.topic, group)])

    def _status(self) -> Verdict:
        passed = self._fixed.passed and self._point.outcome.passes_measured[0]
        return Verdict.PASS if passed else Verdict.FAIL

    def _group(self, group: Group) -> GroupRow:
        counted = self.counted(group)
        figures = {
            measure.value: self._cell(measure, group)
            for measure in REPORTED[group]
            if (measure, group) in self._point.sample.means
        }
        return GroupRow(group=group.value, queries=counted.n, families=counted.families, figures=figures)

    def _cell(self, measure: Measure, group: Group) -> Estimate:
        cell = (measure, group)
        estimate = _proportion if measure.proportion else _estimate
        asked = [part.topic for part in self._parts if belongs(part.topic, group) and measure in part.means]
        return estimate(self._point.sample.means[cell], self._spread.sample.means[cell], count(asked))

    def _measured_gates(self) -> Iterator[GateRow]:
        point, spread = self._point, self._spread
        for index, gate in enumerate(MEASURED):
            values = gate.values(point.outcome.parts, point.sample)
            spreads = gate.values(spread.outcome.parts, spread.sample)
            estimate = _proportion if gate.proportion else _estimate
            yield GateRow(
                name=gate.name,
                rule=gate.rule,
                threshold=gate.threshold,
                estimate=estimate(values, spreads, self.counted(None if gate.over is Over.REQUESTS else gate.group)),
                verdict=Verdict.PASS if point.outcome.passes[index, 0] else Verdict.FAIL,
                resamples_passed=spread.outcome.passes[index].mean().item(),
            )


def fixed_row(gate: FixedGate) -> GateRow:
    """The row of a gate without a figure."""
    return GateRow(
        name=gate.name, rule=gate.rule, threshold=None, estimate=None, verdict=gate.verdict, resamples_passed=None
    )


def count(topics: Sequence[Grouped]) -> Counted:
    """How many queries, of how many families."""
    return Counted(len(topics), len({topic.family for topic in topics}))


def _estimate(point: Values | Integers, spread: Values | Integers, counted: Counted) -> Estimate:
    return Estimate(value=float(point[0]), n=counted.n, families=counted.families, interval=_interval(spread))


def _interval(values: Values | Integers) -> Interval:
    low, high = interval(values)
    return Interval(low=float(low), high=float(high))


def _proportion(point: Values | Integers, spread: Values | Integers, counted: Counted) -> Estimate:
    low, high = wilson(float(point[0]), counted.families)
    return _estimate(point, spread, counted).model_copy(update={"wilson": Interval(low=low, high=high)})
