"""Values of the measures that were worked out by hand or by other tools."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pytest

from runner.retrieval.items import Safety
from runner.retrieval.measures.coverage import correct_empty, coverage, safe_list
from runner.retrieval.measures.findability import exact_reciprocal_rank, hit, recall, reciprocal_rank, relevant
from runner.retrieval.measures.ndcg import DISCOUNTS, GAINS, ideal_dcg, ndcg, shown_dcg


def test_gains_are_the_nearest_floats_to_two_to_the_grade_less_one():
    with localcontext() as context:
        context.prec = 40
        assert {grade: float(Decimal(2) ** Decimal(grade) - 1) for grade in GAINS} == dict(GAINS)
    assert list(GAINS) == [0, 0.5, 1, 1.5, 2, 2.5, 3]


def test_discounts_are_the_nearest_floats_to_the_binary_logarithm():
    with localcontext() as context:
        context.prec = 40
        assert [float(Decimal(rank + 1).ln() / Decimal(2).ln()) for rank in range(1, 11)] == list(DISCOUNTS)


def test_dcg_of_half_grades_by_hand():
    # grade 2.5 at rank 1 and 1.5 at rank 3: (2^2.5 - 1) + (2^1.5 - 1) / 2
    assert shown_dcg(["a", "x", "b"], {"a": 2.5, "b": 1.5}) == pytest.approx(4.65685424949 + 0.91421356237, abs=1e-10)


def test_ideal_looks_at_ten_items_at_most():
    assert ideal_dcg([3.0] * 12) == ideal_dcg([3.0] * 10)


def test_unjudged_items_push_others_down():
    # 7 / log2(3) over 7
    assert ndcg(["never judged", "a"], {"a": 3.0}) == pytest.approx(0.6309297535714575, abs=1e-15)


def test_relevant_starts_at_two():
    assert relevant({"a": 1.5, "b": 2.0, "c": 3.0, "d": 0.0}) == {"b", "c"}


@pytest.mark.parametrize(("cut", "expected"), [(1, 0.0), (5, 1.0), (10, 1.0)])
def test_hit_at_each_cut(cut, expected):
    assert hit(["x", "y", "z", "w", "a"], {"a"}, cut) == expected


def test_reciprocal_rank_of_the_first_relevant_item():
    assert reciprocal_rank(["x", "y", "a", "b"], {"a", "b"}) == 1 / 3


def test_reciprocal_rank_ends_at_ten():
    shown = [f"x{n}" for n in range(9)]
    assert reciprocal_rank([*shown, "a"], {"a"}) == 0.1
    assert reciprocal_rank([*shown, "y", "a"], {"a"}) == 0.0


def test_recall_divides_by_all_relevant_items():
    assert recall(["a", "x", "b"], {"a", "b", "c", "d"}) == 0.5


def test_an_equivalence_group_counts_at_its_first_member():
    groups = [frozenset({"t1", "t2"}), frozenset({"u"})]
    assert exact_reciprocal_rank(["x", "t2", "t1", "u"], groups) == 0.5
    assert exact_reciprocal_rank(["u", "t2"], groups) == 1.0
    assert exact_reciprocal_rank(["x"], groups) == 0.0


def test_only_an_empty_list_is_correctly_empty():
    assert correct_empty([]) == 1.0
    assert correct_empty(["x"]) == 0.0


@pytest.mark.parametrize(
    ("worst", "safe"),
    [(Safety.SAFE, 1.0), (Safety.SENSITIVE, 1.0), (Safety.UNSAFE, 0.0), (Safety.CRITICAL, 0.0)],
)
def test_one_item_that_may_not_be_shown_makes_a_list_unsafe(worst, safe):
    assert safe_list(["a", "b"], {"a": Safety.SAFE, "b": worst}) == safe


def test_an_empty_list_is_safe():
    assert safe_list([], {}) == 1.0


def test_coverage_is_the_harmonic_mean():
    # 2 * 0.8 * 0.5 / 1.3
    found = coverage(np.array([0.8, 1.0, 0.0, 0.0]), np.array([0.5, 0.0, 1.0, 0.0]))
    assert found.tolist() == pytest.approx([0.6153846153846154, 0.0, 0.0, 0.0])
