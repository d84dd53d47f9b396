"""What `nox -s parity` can tell without sentence-transformers, and that each of its rows can fail."""

from __future__ import annotations

import numpy as np
import pytest
from mambomeme.bm25 import Parameters, Scorer, count_postings
from rank_bm25 import BM25Okapi

from tests.parity.__main__ import short_rows
from tests.parity.lexical import field_row
from tests.parity.vectors import cosine_row, order_row, overlap_row
from tests.parity.weights import Part, step_error

DOCUMENTS = [["doge", "wow"], ["doge", "doge"], ["cat"], ["cat", "wow", "grumpy"], ["grumpy"], ["success", "kid"]]


def test_bm25_and_the_weights_are_those_of_their_references() -> None:
    rows = list(short_rows())
    assert len(rows) == 14
    assert [row for row in rows if row.met is not True] == []


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (1.5, 0.5)])
def test_other_constants_are_no_parity(k1: float, b: float) -> None:
    scorer = Scorer([(count_postings(DOCUMENTS), 1.0)], Parameters(k1, b))
    assert field_row("title", BM25Okapi(DOCUMENTS), scorer, ["wow doge", "grumpy cat"]).met is False


@pytest.mark.parametrize(("weight", "error"), [(0.30, 0.0), (0.35, 0.5), (0.37, 0.7)])
def test_steps_worked_by_hand(weight: float, error: float) -> None:
    part = Part("w", np.array([[3, -2]], dtype=np.int8), np.array([[0.1]], dtype=np.float32))
    reference = {"w": np.array([[weight, -0.2]], dtype=np.float32)}
    assert step_error(part, reference) == pytest.approx(error, abs=1e-5)


def test_one_vector_that_points_elsewhere_is_no_parity() -> None:
    theirs = np.eye(4, dtype=np.float32)[[0, 1]]
    near = np.array([[400, 9, 0, 0], [0, 400, 9, 0]])
    assert cosine_row("near", near, theirs).met
    assert cosine_row("far", near[[0, 0]], theirs).met is False


SCORES = np.array([[0.9, 0.89, 0.5, 0.1]], dtype=np.float32)


@pytest.mark.parametrize(
    ("found", "met"), [([0, 1, 2], True), ([1, 0, 2], True), ([0, 2, 1], False), ([0, 1, 3], False), ([0, 2], False)]
)
def test_only_neighbours_may_change_places(found: list[int], met: bool) -> None:
    assert order_row([found], SCORES).met is met


def test_a_list_of_other_documents_does_not_overlap() -> None:
    scores = np.tile(np.linspace(1, 0, 40, dtype=np.float32), (1, 1))
    assert overlap_row([list(range(10))], scores).met
    assert overlap_row([list(range(10, 20))], scores).met is False
