"""The same runs through ir_measures, pytrec_eval and ranx, and each way in which they give something else."""

from __future__ import annotations

import ir_measures
import numpy as np
import pytest
import pytrec_eval
import ranx
from ir_measures import RR, Judged, Qrel, R, ScoredDoc, Success, nDCG

from runner.errors import BadInput
from runner.retrieval.measures.names import Measure
from runner.retrieval.plain_measures import measure_all

# numba says of ranx's own code that a cast may lose precision.
pytestmark = pytest.mark.filterwarnings("ignore:unsafe cast")

DOCS = [f"d{n:02}" for n in range(30)]
GAINS = {0: 0, 1: 1, 2: 3, 3: 7}
NDCG = nDCG(gains=GAINS) @ 10
IR_MEASURES = {
    NDCG: "nDCG@10",
    RR(rel=2) @ 10: "RR@10",
    Success(rel=2) @ 1: "Hit@1",
    Success(rel=2) @ 5: "Hit@5",
    Success(rel=2) @ 10: "Hit@10",
    R(rel=2) @ 10: "Recall@10",
    Judged @ 10: "judged@10",
}
# With gains for grades, relevant starts at a gain of 3.
PYTREC_EVAL = {
    "ndcg_cut_10": "nDCG@10",
    "success_1": "Hit@1",
    "success_5": "Hit@5",
    "success_10": "Hit@10",
    "recall_10": "Recall@10",
}
RANX = {
    "ndcg_burges@10": "nDCG@10",
    "mrr@10-l2": "RR@10",
    "hit_rate@1-l2": "Hit@1",
    "hit_rate@5-l2": "Hit@5",
    "hit_rate@10-l2": "Hit@10",
    "recall@10-l2": "Recall@10",
}


def random_run(seed: int, queries: int):
    """Judgements with whole grades, at least one of them relevant, and a list of 1 to 15 items for each query."""
    dice = np.random.Generator(np.random.PCG64(seed))
    grades, lists = {}, {}
    for n in range(queries):
        judged = dice.permutation(DOCS)[: dice.integers(1, 21)]
        grades[f"q{n}"] = {str(d): int(g) for d, g in zip(judged, dice.integers(0, 4, len(judged)), strict=True)}
        grades[f"q{n}"][str(judged[0])] = int(dice.integers(2, 4))
        lists[f"q{n}"] = [str(d) for d in dice.permutation(DOCS)[: dice.integers(1, 16)]]
    return grades, lists


def ours(grades, lists):
    found = measure_all(grades, {query_id: [tuple(shown)] for query_id, shown in lists.items()}, {}).per_query()
    rows = {query_id: row.model_dump(mode="json") for query_id, row in found.items()}
    return {(query_id, name): row[name] for query_id, row in rows.items() for name in IR_MEASURES.values()}


def falling(lists):
    """Scores that put each list in its order."""
    return {query_id: {d: 100.0 - rank for rank, d in enumerate(shown)} for query_id, shown in lists.items()}


def by_ir_measures(grades, run):
    qrels = [Qrel(q, d, g) for q, found in grades.items() for d, g in found.items()]
    scored = [ScoredDoc(q, d, score) for q, found in run.items() for d, score in found.items()]
    return {(m.query_id, IR_MEASURES[m.measure]): m.value for m in ir_measures.iter_calc(IR_MEASURES, qrels, scored)}


def by_pytrec_eval(grades, run):
    gains = {q: {d: GAINS[g] for d, g in found.items()} for q, found in grades.items()}
    wanted = {"ndcg_cut.10", "success.1,5,10", "recall.10"}
    found = pytrec_eval.RelevanceEvaluator(gains, wanted, relevance_level=3).evaluate(run)
    return {(q, PYTREC_EVAL[name]): value for q, row in found.items() for name, value in row.items()}


def by_ranx(grades, run):
    qrels, made = ranx.Qrels(grades), ranx.Run(run)
    found = ranx.evaluate(qrels, made, list(RANX), return_mean=False)
    order = list(made.run)
    return {(q, RANX[name]): value for name, row in found.items() for q, value in zip(order, row, strict=True)}


@pytest.mark.parametrize(
    ("peer", "names"), [(by_ir_measures, IR_MEASURES), (by_pytrec_eval, PYTREC_EVAL), (by_ranx, RANX)]
)
def test_four_thousand_random_queries_agree(peer, names):
    grades, lists = random_run(seed=1, queries=4000)
    mine = {key: value for key, value in ours(grades, lists).items() if key[1] in names.values()}
    assert len(mine) == 4000 * len(names)
    assert mine == pytest.approx(peer(grades, falling(lists)), abs=1e-12)


ONE = ("q", "nDCG@10")
WORSE = 0.6309297535714575  # 1 / log2(3): the only useful item stands second


@pytest.mark.parametrize("peer", [by_ir_measures, by_pytrec_eval])
def test_ties_they_go_by_falling_id_and_we_keep_the_order_shown(peer):
    grades, shown = {"q": {"a": 2, "b": 0}}, ["a", "b"]
    assert peer(grades, {"q": dict.fromkeys(shown, 1.0)})[ONE] == pytest.approx(WORSE)
    assert ours(grades, {"q": shown})[ONE] == 1.0


def test_ties_ranx_keeps_no_order_that_a_file_could_rely_on():
    """Sixty tied items: the useful one is first in the run, and ranx moves it."""
    shown = [f"d{n}" for n in range(60)]
    grades = {"q": {"d0": 2}}
    assert by_ranx(grades, {"q": dict.fromkeys(shown, 1.0)})[ONE] < 1.0
    assert ours(grades, {"q": shown})[ONE] == 1.0


def test_float32_they_tie_scores_that_differ_below_single_precision():
    grades, run = {"q": {"a": 2, "b": 0}}, {"q": {"a": 1.0, "b": 1.0 - 1e-9}}
    assert by_pytrec_eval(grades, run)[ONE] == pytest.approx(WORSE)
    assert by_ir_measures(grades, run)[ONE] == pytest.approx(WORSE)
    assert by_ranx(grades, run)[ONE] == ours(grades, {"q": ["a", "b"]})[ONE] == 1.0


def test_denominator_pytrec_eval_leaves_out_what_was_never_asked():
    grades, lists = {"q": {"a": 2}, "r": {"a": 2}}, {"q": ["a"]}
    theirs = by_pytrec_eval(grades, falling(lists))
    assert {query_id for query_id, _ in theirs} == {"q"}
    assert measure_all(grades, {"q": [("a",)]}, {}).summary().figures[Measure.NDCG] == 0.5


def test_denominator_ranx_refuses_a_run_that_lacks_a_query():
    with pytest.raises(AssertionError, match="query ids do not match"):
        by_ranx({"q": {"a": 2}, "r": {"a": 2}}, {"q": {"a": 1.0}})


def test_denominator_they_count_a_query_without_anything_to_find_as_zero_and_we_leave_it_out():
    grades, lists = {"q": {"a": 2}, "r": {"a": 0}}, {"q": ["a"], "r": ["a"]}
    for peer in (by_ir_measures, by_pytrec_eval, by_ranx):
        assert peer(grades, falling(lists))["r", "nDCG@10"] == 0.0
    assert ours(grades, lists)["r", "nDCG@10"] is None


def test_gain_trec_evals_own_is_linear():
    grades = {"q": {"d1": 3, "d2": 2, "d3": 3, "d4": 0, "d5": 1, "d6": 2, "d7": 3, "d8": 2}}
    shown = [f"d{n}" for n in range(1, 7)]
    evaluator = pytrec_eval.RelevanceEvaluator(grades, {"ndcg_cut.10"})
    linear = evaluator.evaluate(falling({"q": shown}))["q"]["ndcg_cut_10"]
    assert linear == pytest.approx(0.756164, abs=1e-6)
    assert ours(grades, {"q": shown})[ONE] == pytest.approx(0.737745767849729, abs=1e-15)


def test_gain_ir_measures_takes_a_grade_outside_its_table_as_it_comes_and_ours_is_refused():
    found = by_ir_measures({"q": {"a": 4, "b": 3}}, {"q": {"b": 2.0, "a": 1.0}})
    assert found[ONE] == pytest.approx(1.0)
    with pytest.raises(BadInput, match="a grade is none of"):
        measure_all({"q": {"a": 4.0, "b": 3.0}}, {"q": [("b", "a")]}, {})


def test_ideal_cut_trec_evals_plain_ndcg_has_none():
    """Twelve best items of which ten are shown: the best possible list of ten, and yet not 1 where nothing is cut."""
    grades = {"q": {f"d{n:02}": 3 for n in range(12)}}
    shown = [f"d{n:02}" for n in range(10)]
    gains = {"q": dict.fromkeys(grades["q"], 7)}
    uncut = pytrec_eval.RelevanceEvaluator(gains, {"ndcg"}).evaluate(falling({"q": shown}))["q"]["ndcg"]
    # The reciprocal discounts of ten ranks add up to 4.5435593; those of ranks 11 and 12 are 0.2789430 and 0.2702382.
    assert uncut == pytest.approx(4.5435593 / (4.5435593 + 0.2789430 + 0.2702382), abs=1e-6)
    assert ours(grades, {"q": shown})[ONE] == 1.0


def test_half_grades_are_ours_alone():
    """pytrec_eval refuses them; ranx reads the whole grade below."""
    grades, run = {"q": {"a": 1.5, "b": 2.0}}, {"q": {"a": 2.0, "b": 1.0}}
    with pytest.raises(TypeError):
        pytrec_eval.RelevanceEvaluator(grades, {"ndcg_cut.10"})
    # gains 1.8284271 and 3: (1.8284271 + 3 / 1.5849625) / (3 + 1.8284271 / 1.5849625)
    assert ours(grades, {"q": ["a", "b"]})[ONE] == pytest.approx(0.8959, abs=1e-4)
    # gains 1 and 3: (1 + 3 / 1.5849625) / (3 + 1 / 1.5849625)
    assert by_ranx(grades, run)[ONE] == pytest.approx(0.7967, abs=1e-4)
