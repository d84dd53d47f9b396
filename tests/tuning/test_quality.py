"""The figures that a choice is made by, worked by hand, and the gates on them."""

from __future__ import annotations

import pytest

from runner.retrieval.measures.names import Measure
from runner.retrieval.topics import Slice, Topic
from tuning.quality import gate_failures, quality


def topic(slice_: str, *, safety: bool = False) -> Topic:
    return Topic(
        query_id=f"q-{slice_}-{int(safety)}".replace("_", "-"),
        text="x",
        slice=Slice(slice_),
        family=f"f-{slice_}-{int(safety)}".replace("_", "-"),
        safety_flag=safety,
        multi_cue_flag=False,
        template_groups=(),
        provenance="",
    )


def answered(ndcg: float, hit: float, exact: float | None = None) -> dict[Measure, float]:
    found = {Measure.NDCG: ndcg, Measure.HIT_10: hit}
    return found if exact is None else found | {Measure.EXACT_RR: exact}


def test_figures_worked_by_hand() -> None:
    found = quality(
        [
            (topic("entity"), answered(1.0, 1.0, 1.0)),
            (topic("entity", safety=True), answered(0.5, 1.0, 0.5)),
            (topic("quote"), answered(0.6, 1.0, 0.0)),
            (topic("topic"), answered(0.6, 1.0)),
            (topic("concept"), answered(0.3, 0.0)),
            (topic("visual"), answered(0.9, 1.0)),
            (topic("noisy"), answered(0.75, 1.0)),
            (topic("no_match"), {Measure.CORRECT_EMPTY: 1.0}),
            (topic("no_match", safety=True), {Measure.CORRECT_EMPTY: 0.0}),
        ]
    )
    # Q: (0.75 + 0.6 + 0.6 + 0.3 + 0.9 + 0.75) / 6; E: 1.5 / 3; hit: 6 / 7; C: 2 x 6/7 x 1/2 / (6/7 + 1/2).
    assert (found.Q, found.E, found.hit, found.correct_empty, found.safety_hit) == (0.65, 0.5, 0.8571, 0.5, 1.0)
    assert pytest.approx(12 / 19, abs=1e-4) == found.C
    assert found.failed_gates == ("E", "correct_empty")


@pytest.mark.parametrize(
    ("changes", "missed"),
    [
        ({}, ()),
        ({"concept": 0.2999}, ("nDCG@10 concept",)),
        ({"E": 0.5999}, ("E",)),
        ({"hit": 0.6999, "safety_hit": 0.6999}, ("hit", "safety_hit")),
        ({"correct_empty": 0.5999}, ("correct_empty",)),
    ],
)
def test_a_figure_at_its_threshold_passes_and_one_below_does_not(
    changes: dict[str, float], missed: tuple[str, ...]
) -> None:
    figures = {"concept": 0.30, "E": 0.60, "hit": 0.70, "correct_empty": 0.60, "safety_hit": 0.70} | changes
    assert gate_failures({"concept": figures.pop("concept")}, figures) == missed
