"""The family bootstrap: its generator, its arithmetic, and the promise of the same bytes everywhere (D27, D29)."""

from __future__ import annotations

import hashlib
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from runner.errors import BadInput
from runner.retrieval.bootstrap import UNIT, Words, exact_product, interval, quantise, resample

MASK = 2**64 - 1


def philox_words(key: int):
    """Philox4x64-10 as its authors describe it (Salmon et al. 2011), in plain integers, counter from 1."""
    counter = 0
    while True:
        counter += 1
        x0, x1, x2, x3 = counter, 0, 0, 0
        k0, k1 = key, 0
        for _ in range(10):
            high0, low0 = divmod(0xD2E7470EE14C6C93 * x0, 2**64)
            high1, low1 = divmod(0xCA5A826395121157 * x2, 2**64)
            x0, x1, x2, x3 = high1 ^ x1 ^ k0, low1, high0 ^ x3 ^ k1, low0
            k0, k1 = (k0 + 0x9E3779B97F4A7C15) & MASK, (k1 + 0xBB67AE8584CAA73B) & MASK
        yield from (x0, x1, x2, x3)


def test_the_generator_is_philox_with_its_published_answer():
    # Random123, kat_vectors: philox4x64 10, counter 0, key 0. Counting up from -1 gives counter 0.
    words = np.random.Philox(counter=2**256 - 1, key=0).random_raw(4).tolist()
    assert words == [0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B]


@pytest.mark.parametrize("families", [1, 2, 7, 48, 240])
def test_indices_follow_from_the_words_as_documented(families):
    limit = 2**64 - 2**64 % families
    expected = (word % families for word in philox_words(1) if word < limit)
    assert Words(1, families).take(200).tolist() == list(islice(expected, 200))


def test_words_that_would_favour_a_family_are_skipped():
    families = 2**63 + 1
    kept = [word for word in islice(philox_words(5), 40) if word < families]
    assert 10 < len(kept) < 30
    assert Words(5, families).take(10).tolist() == kept[:10]


def test_the_sequence_does_not_depend_on_how_it_is_cut():
    whole, cut = Words(3, 11), Words(3, 11)
    assert whole.take(100).tolist() == [n for size in (1, 49, 0, 50) for n in cut.take(size).tolist()]


def test_every_family_once_a_resample_on_average():
    found = resample(np.ones((1, 20), dtype=bool))
    assert (found.weights.sum(axis=1) == 20).all()
    # 10,000 resamples: the mean weight has a standard error of 0.0097.
    assert found.weights.mean(axis=0) == pytest.approx(1.0, abs=0.05)
    assert found.redrawn == 0


def test_a_draw_that_leaves_a_group_empty_is_redrawn_and_counted():
    members = np.eye(2, dtype=bool)
    found = resample(members, count=1000)
    assert (found.weights == 1).all()
    # Half of all draws of two families hold one of them twice.
    assert found.redrawn == pytest.approx(1000, abs=150)


def test_redrawing_keeps_the_order_of_the_draws():
    words = Words(1, 3)
    draws = [np.bincount(words.take(3), minlength=3).tolist() for _ in range(200)]
    complete = [draw for draw in draws if draw[0] > 0]
    found = resample(np.array([[True, False, False]]), count=50)
    assert found.weights.tolist() == complete[:50]


def test_a_group_without_families_is_refused():
    with pytest.raises(BadInput, match="empty"):
        resample(np.array([[True, True], [False, False]]))


def test_groups_that_are_almost_never_complete_are_refused():
    with pytest.raises(BadInput, match="Add families"):
        resample(np.eye(16, dtype=bool), count=1)


def test_the_weights_are_these_bytes_on_every_machine():
    # The digest was made with philox_words alone: rows of 48 counts, 10,000 of them, as little-endian 64-bit integers.
    weights = resample(np.ones((1, 48), dtype=bool)).weights
    found = hashlib.sha256(weights.astype("<i8").tobytes()).hexdigest()
    assert found == "50e8930c497152bc83522561b91880432aabb690a2bd5f55810803e85e00c535"


@settings(deadline=None)
@given(
    arrays.arrays(np.int64, (3, 5), elements=st.integers(0, 240)),
    arrays.arrays(np.int64, (5, 4), elements=st.integers(0, 50 * UNIT)),
)
def test_the_product_is_exact(weights, values):
    plain = [
        [sum(w * v for w, v in zip(row, column, strict=True)) for column in values.T.tolist()]
        for row in weights.tolist()
    ]
    assert exact_product(weights, values).tolist() == plain


def test_quantising_keeps_the_ends_and_rounds_to_the_nearest():
    assert quantise(0.0) == 0
    assert quantise(1.0) == 2**40
    assert quantise(1 / 3) == 366503875925


def test_interval_by_nearest_rank():
    # 2.5 % of 1,000 is rank 25, 97.5 % rank 975.
    assert interval(np.arange(1000, 0, -1)) == (25, 975)
