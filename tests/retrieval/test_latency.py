"""Percentiles by nearest rank (D17), plain and weighted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.retrieval.latency import nearest_rank, percentile, summarise, weighted_percentiles
from runner.retrieval.runs import Outcome


@pytest.mark.parametrize(
    ("n", "per_mille", "rank"),
    [
        (1, 950, 1),
        (20, 950, 19),
        (21, 950, 20),
        (100, 950, 95),
        (1008, 950, 958),
        (5, 500, 3),
        (4, 500, 2),
        (40, 25, 1),
    ],
)
def test_ranks_by_hand(n, per_mille, rank):
    assert nearest_rank(n, per_mille) == rank


def test_a_rank_that_floats_get_wrong():
    # In floats 0.55 * 100 is 55.00000000000001, whose ceiling is 56.
    assert nearest_rank(100, 550) == 55


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60), st.integers(1, 1000))
def test_percentile_is_the_least_value_that_enough_lie_at_or_below(values, per_mille):
    found = percentile(sorted(values), per_mille)
    assert 1000 * sum(v <= found for v in values) >= per_mille * len(values)
    assert 1000 * sum(v < found for v in values) < per_mille * len(values)


@given(st.data(), st.integers(1, 5), st.sampled_from([25, 500, 950, 990]))
def test_weights_repeat_the_values_of_a_family(data, families, per_mille):
    requests = data.draw(
        st.lists(st.tuples(st.integers(0, 99), st.integers(0, families - 1)), min_size=1, max_size=40).map(sorted)
    )
    weight = st.lists(st.integers(0, 4), min_size=families, max_size=families)
    weights = data.draw(
        st.lists(weight.filter(lambda w: any(w[family] for _, family in requests)), min_size=1, max_size=4)
    )
    values, columns = np.array(requests, dtype=np.int64).T
    (found,) = weighted_percentiles(values, np.array(weights, dtype=np.int64), columns, [per_mille])
    for row, result in zip(weights, found.tolist(), strict=True):
        repeated = sorted(value for value, family in requests for _ in range(row[family]))
        assert result == percentile(repeated, per_mille)


def test_the_slowest_values_may_all_be_of_a_family_that_was_not_drawn():
    # Nine of ten values are of family 1, and the largest; a resample without it has only 0 to 9.
    values, columns = np.arange(100), np.array([0] * 10 + [1] * 90)
    weights = np.array([[2, 0], [1, 1], [0, 2]])
    p25, p950 = weighted_percentiles(values, weights, columns, [25, 950])
    # By hand: 20, 100 and 180 values, of which ranks 1, 3 and 5, and 19, 95 and 171 decide.
    assert p25.tolist() == [0, 2, 12]
    assert p950.tolist() == [9, 94, 95]


def test_more_rows_than_one_chunk():
    weights = np.ones((1000, 1), dtype=np.int64)
    middle, top = weighted_percentiles(np.array([1, 2, 3]), weights, np.array([0, 0, 0]), [500, 950])
    assert middle.tolist() == [2] * 1000
    assert top.tolist() == [3] * 1000


def test_summary_by_hand():
    found = summarise([(Outcome.ANSWERED, n) for n in range(1, 99)] + [(Outcome.ERROR, 500), (Outcome.TIMEOUT, 600)])
    assert (found.n, found.p50_ns, found.p95_ns, found.p99_ns, found.max_ns) == (100, 50, 95, 500, 600)
    assert (found.errors, found.timeouts) == (1, 1)
    assert found.mean_ns == (98 * 99 // 2 + 1100) // 100
