"""The hard gates of the score (docs/score.md): which there are, and who passes them (D25)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, StrEnum, auto
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runner.documents import Document
from runner.retrieval.bootstrap import UNIT
from runner.retrieval.groups import Group, Subset
from runner.retrieval.latency import NS_PER_MS, Integers
from runner.retrieval.measures.coverage import Values
from runner.retrieval.measures.names import Measure
from runner.retrieval.sample import Sample
from runner.retrieval.score import CAP, Components, aggregate, components
from runner.retrieval.topics import ANSWERABLE, Slice

Passes = NDArray[np.bool_]

#: The name of the gate that the absence of critical violations is.
CRITICAL = "critical violation"

# Query figures are rounded to 2^-40, so a mean that is exactly at a threshold may come out half a unit below it.
_HALF_UNIT = 0.5 / UNIT


class Verdict(StrEnum):
    """How a gate ended; NOT RUN counts as FAIL."""

    PASS = "PASS"
    FAIL = "FAIL"
    NOT_RUN = "NOT RUN"


class Suite(StrEnum):
    """The three suites that are run against the image that is scored."""

    PROTOCOL = "release protocol"
    ROLLBACK = "publication rollback"
    RESTORATION = "terminal restoration"


class SuiteResult(Document):
    """How one suite ended for one system."""

    system: str
    suite: Suite
    verdict: Verdict


class Over(Enum):
    """What the figure of a gate is counted over."""

    QUERIES = auto()
    REQUESTS = auto()


class MeasuredGate(NamedTuple):
    """A gate on a figure: `values` and `passes` have an entry for each row of weights."""

    name: str
    rule: str
    threshold: float
    group: Group
    over: Over
    proportion: bool
    values: Callable[[Components, Sample], Values]
    passes: Callable[[Components, Sample], Passes]


def _at_least(name: str, threshold: float, measure: Measure, group: Group) -> MeasuredGate:
    return MeasuredGate(
        name,
        ">=",
        threshold,
        group,
        Over.QUERIES,
        measure.proportion,
        lambda _, sample: sample.means[measure, group],
        lambda _, sample: reaches(sample.means[measure, group], threshold),
    )


def reaches(values: Values, threshold: float) -> Passes:
    """Whether a mean is at least `threshold`, to the resolution it is known with."""
    return values >= threshold - _HALF_UNIT


def fast_enough(p95_ns: Integers) -> Passes:
    """Whether p95 is below 1,000 ms."""
    return p95_ns < 1_000_000_000


def reliable_enough(failed: Integers, requests: Integers) -> Passes:
    """Whether less than 1 % of the requests failed."""
    return 100 * failed < requests


MEASURED: tuple[MeasuredGate, ...] = (
    *(_at_least(f"nDCG@10 {s}", 0.30, Measure.NDCG, s) for s in ANSWERABLE),
    _at_least("ExactMRR@10", 0.60, Measure.EXACT_RR, Subset.EXACT),
    _at_least("answerable Hit@10", 0.70, Measure.HIT_10, Subset.ANSWERABLE),
    _at_least("CorrectEmpty", 0.60, Measure.CORRECT_EMPTY, Slice.NO_MATCH),
    _at_least("answerable safety-slice Hit@10", 0.70, Measure.HIT_10, Subset.SAFETY_ANSWERABLE),
    MeasuredGate(
        "safe-list rate S",
        ">=",
        0.98,
        Subset.ALL,
        Over.QUERIES,
        False,
        lambda parts, _: parts.S,
        lambda parts, _: reaches(parts.S, 0.98),
    ),
    MeasuredGate(
        "submit-to-render p95, ms",
        "<",
        1000.0,
        Subset.ALL,
        Over.REQUESTS,
        False,
        lambda _, sample: sample.p95_ns / NS_PER_MS,
        lambda _, sample: fast_enough(sample.p95_ns),
    ),
    MeasuredGate(
        "error and timeout rate",
        "<",
        0.01,
        Subset.ALL,
        Over.REQUESTS,
        True,
        lambda _, sample: sample.failed / sample.requests,
        lambda _, sample: reliable_enough(sample.failed, sample.requests),
    ),
)


class FixedGate(NamedTuple):
    """A gate without a figure, as it ended."""

    name: str
    rule: str
    verdict: Verdict


class FixedGates(NamedTuple):
    """The gates of one system that rest on no figure, and so end alike in every resample."""

    critical: bool
    suites: Mapping[Suite, Verdict]

    @property
    def violation(self) -> FixedGate:
        """The page's first gate: a critical violation leaves nothing of the score."""
        return FixedGate(CRITICAL, "none", Verdict.FAIL if self.critical else Verdict.PASS)

    @property
    def suite_gates(self) -> tuple[FixedGate, ...]:
        """One gate a suite."""
        return tuple(FixedGate(suite, "passes", verdict) for suite, verdict in self.suites.items())

    @property
    def suites_pass(self) -> bool:
        """Whether all three suites passed."""
        return all(verdict is Verdict.PASS for verdict in self.suites.values())

    @property
    def passed(self) -> bool:
        """Whether none of these gates stands against the system."""
        return self.suites_pass and not self.critical


class GateOutcome(NamedTuple):
    """A sample held against the gates: a row of `passes` for each measured gate."""

    parts: Components
    uncapped: Values
    passes: Passes

    @property
    def passes_measured(self) -> Passes:
        """Rows that pass every gate on a figure."""
        passes: Passes = np.all(self.passes, axis=0)
        return passes


def hold_to_gates(sample: Sample) -> GateOutcome:
    """Components, uncapped score and gate passes of `sample`."""
    parts = components(sample)
    return GateOutcome(parts, aggregate(parts), np.array([gate.passes(parts, sample) for gate in MEASURED]))


def gated(outcome: GateOutcome, fixed: FixedGates) -> Values:
    """The score after violations and cap."""
    if fixed.critical:
        return np.zeros_like(outcome.uncapped)
    passed = outcome.passes_measured & fixed.suites_pass
    return np.where(passed, outcome.uncapped, np.minimum(outcome.uncapped, CAP))


def suite_verdicts(system: str, results: Sequence[SuiteResult]) -> Mapping[Suite, Verdict]:
    """The verdict of every suite for `system`; one without a result was not run."""
    known = {result.suite: result.verdict for result in results if result.system == system}
    return {suite: known.get(suite, Verdict.NOT_RUN) for suite in Suite}
