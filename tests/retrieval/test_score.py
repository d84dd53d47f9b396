"""The score and its parts at their edges (D23, D25, D26)."""

from __future__ import annotations

import numpy as np
import pytest

from runner.retrieval.gates import (
    MEASURED,
    FixedGates,
    GateOutcome,
    Suite,
    Verdict,
    fast_enough,
    gated,
    reaches,
    reliable_enough,
)
from runner.retrieval.score import (
    Band,
    Components,
    aggregate,
    band,
    latency_credit,
    macro_mean,
    reliability_credit,
)

MS = 1_000_000


@pytest.mark.parametrize(
    ("p95_ms", "credit"), [(1, 1.0), (200, 1.0), (400, 0.75), (600, 0.5), (1000, 0.0), (2000, 0.0)]
)
def test_latency_credit(p95_ms, credit):
    assert latency_credit(np.array([p95_ms * MS])).tolist() == [credit]


@pytest.mark.parametrize(("failed", "credit"), [(0, 1.0), (5, 0.5), (9, 0.1), (10, 0.0), (500, 0.0)])
def test_reliability_credit_of_a_thousand_requests(failed, credit):
    assert reliability_credit(np.array([failed]), np.array([1000])).tolist() == [credit]


def one(**values: float) -> Components:
    return Components(**{name: np.array([values.get(name, 0.0)]) for name in Components._fields})


@pytest.mark.parametrize(
    ("name", "weight"), [("Q", 55.0), ("E", 15.0), ("C", 10.0), ("S", 10.0), ("L", 5.0), ("R", 5.0)]
)
def test_weight_of_each_component(name, weight):
    assert aggregate(one(**{name: 1.0})).tolist() == [weight]


def test_a_perfect_system_has_exactly_a_hundred():
    assert aggregate(one(**dict.fromkeys(Components._fields, 1.0))).tolist() == [100.0]


def test_a_score_by_hand():
    # 55*.6 + 15*.8 + 10*.5 + 10*.9 + 5*1 + 5*.2 = 33 + 12 + 5 + 9 + 5 + 1
    assert aggregate(one(Q=0.6, E=0.8, C=0.5, S=0.9, L=1.0, R=0.2)).tolist() == pytest.approx([65.0])


def test_macro_mean_gives_each_part_one_voice():
    assert macro_mean([np.array([1.0]), np.array([0.0]), np.array([0.5]), np.array([0.5])]).tolist() == [0.5]


@pytest.mark.parametrize(
    ("score", "name"),
    [
        (100.0, Band.EXCELLENT),
        (90.0, Band.EXCELLENT),
        (89.9999999, Band.STRONG),
        (80.0, Band.STRONG),
        (79.9999999, Band.GOOD),
        (70.0, Band.GOOD),
        (69.9999999, Band.ACCEPTABLE),
        (60.0, Band.ACCEPTABLE),
        (59.9999999, Band.NOT_READY),
        (0.0, Band.NOT_READY),
    ],
)
def test_bands_are_half_open_on_the_unrounded_score(score, name):
    assert band(score) is name


def test_a_mean_exactly_at_its_threshold_passes():
    assert reaches(np.array([0.30, 0.2999999]), 0.30).tolist() == [True, False]


def test_p95_of_exactly_a_second_fails():
    assert fast_enough(np.array([1000 * MS - 1, 1000 * MS])).tolist() == [True, False]


def test_one_failure_in_a_hundred_fails():
    assert reliable_enough(np.array([9, 10, 11]), np.array([1000, 1000, 1000])).tolist() == [True, False, False]


def test_the_measured_gates_are_the_pages():
    assert [(gate.name, gate.rule, gate.threshold) for gate in MEASURED] == [
        ("nDCG@10 entity", ">=", 0.30),
        ("nDCG@10 quote", ">=", 0.30),
        ("nDCG@10 topic", ">=", 0.30),
        ("nDCG@10 concept", ">=", 0.30),
        ("nDCG@10 visual", ">=", 0.30),
        ("nDCG@10 noisy", ">=", 0.30),
        ("ExactMRR@10", ">=", 0.60),
        ("answerable Hit@10", ">=", 0.70),
        ("CorrectEmpty", ">=", 0.60),
        ("answerable safety-slice Hit@10", ">=", 0.70),
        ("safe-list rate S", ">=", 0.98),
        ("submit-to-render p95, ms", "<", 1000.0),
        ("error and timeout rate", "<", 0.01),
    ]


ALL_PASS = dict.fromkeys(Suite, Verdict.PASS)


def outcome(*scores: float, passes: bool) -> GateOutcome:
    return GateOutcome(one(), np.array(scores), np.full((1, len(scores)), passes))


def test_a_failed_gate_caps_and_never_lifts():
    found = gated(outcome(95.0, 59.0, 40.0, passes=False), FixedGates(False, ALL_PASS))
    assert found.tolist() == [59, 59, 40]


@pytest.mark.parametrize("suite", Suite)
@pytest.mark.parametrize("verdict", [Verdict.FAIL, Verdict.NOT_RUN])
def test_a_suite_that_did_not_pass_caps(suite, verdict):
    fixed = FixedGates(False, {**ALL_PASS, suite: verdict})
    assert gated(outcome(95.0, passes=True), fixed).tolist() == [59.0]
    assert not fixed.passed


def test_all_gates_passed_leaves_the_score():
    fixed = FixedGates(False, ALL_PASS)
    assert gated(outcome(95.0, passes=True), fixed).tolist() == [95.0]
    assert fixed.passed


@pytest.mark.parametrize("passes", [True, False])
def test_a_critical_violation_leaves_nothing(passes):
    fixed = FixedGates(True, ALL_PASS)
    assert gated(outcome(95.0, 40.0, passes=passes), fixed).tolist() == [0.0, 0.0]
    assert not fixed.passed
