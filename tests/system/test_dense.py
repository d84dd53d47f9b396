"""The route `dense`: exact products, ties by document, and every candidate that a full sort would give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from mambomeme.corpus import read_corpus
from mambomeme.dense import DenseParameters, Nearest, open_dense
from mambomeme.embedding import Embedding, build
from mambomeme.encoder import DIMENSIONS, Encoder
from mambomeme.query import parse_query
from mambomeme.routes import Found

from tests.system.memes import item, write_corpus
from tests.system.models import models_folder


def embedding(vectors: list[list[int]], documents: list[int]) -> Embedding:
    """Vectors given by their first numbers; the rest is 0."""
    rows = np.zeros((len(vectors), DIMENSIONS), dtype=np.int8)
    for row, start in zip(rows, vectors, strict=True):
        row[: len(start)] = start
    return known(rows, np.array(documents, dtype=np.int32))


def known(rows: np.ndarray, documents: np.ndarray) -> Embedding:
    return Embedding(rows, documents, np.zeros(len(rows), dtype=np.bool_), "")


def query(*start: int) -> np.ndarray:
    return embedding([list(start)], [0]).vectors[0]


def products(found: Found) -> list[int]:
    """The whole numbers that the scores stand for."""
    return np.rint(found.scores * 160_000).astype(int).tolist()


def test_scores_worked_by_hand() -> None:
    found = Nearest(embedding([[100, 3], [-7, 127], [2, 2]], [0, 1, 2])).find(query(100, -1), None, 3)
    # 100*100 - 3 = 9997; -7*100 - 127 = -827; 200 - 2 = 198; over 400 * 400.
    assert found.documents.tolist() == [0, 2, 1]
    assert found.scores.tolist() == [9997 / 160_000, 198 / 160_000, -827 / 160_000]


def test_the_best_vector_of_a_document_counts() -> None:
    found = Nearest(embedding([[1], [9], [5], [7]], [0, 0, 1, 1])).find(query(1), None, 9)
    assert (found.documents.tolist(), found.scores.tolist()) == ([0, 1], [9 / 160_000, 7 / 160_000])


def test_the_greatest_products_there_are_are_exact() -> None:
    full, almost = [127] * DIMENSIONS, [127] * (DIMENSIONS - 1) + [126]
    found = Nearest(embedding([almost, full], [0, 1])).find(query(*full), None, 2)
    assert found.documents.tolist() == [1, 0]
    assert products(found) == [384 * 127 * 127, 384 * 127 * 127 - 127]


def test_equals_stand_in_the_order_of_documents_wherever_the_depth_cuts() -> None:
    nearest = Nearest(embedding([[1]] * 50 + [[2]], [*range(1, 51), 0]))
    for depth in (1, 2, 7, 50, 51, 60):
        assert nearest.find(query(3), None, depth).documents.tolist() == list(range(min(depth, 51)))


def by_full_sort(rows: Embedding, vector: np.ndarray, allowed: np.ndarray | None, depth: int) -> list[tuple[int, int]]:
    """(document, product) pairs by plain Python."""
    best: dict[int, int] = {}
    for row, document in zip(rows.vectors.tolist(), rows.documents.tolist(), strict=True):
        if allowed is None or allowed[document]:
            product = sum(a * b for a, b in zip(row, vector.tolist(), strict=True))
            best[document] = max(best.get(document, product), product)
    return sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))[:depth]


@given(
    arrays(np.int8, st.tuples(st.integers(1, 24), st.just(3)), elements=st.integers(-2, 2)),
    arrays(np.int8, 3, elements=st.integers(-3, 3)),
    st.integers(1, 9),
    st.data(),
)
def test_equals_a_full_sort_with_many_ties(
    rows: np.ndarray, vector: np.ndarray, depth: int, data: st.DataObject
) -> None:
    documents = data.draw(st.lists(st.integers(0, 8), min_size=len(rows), max_size=len(rows)))
    allowed = data.draw(st.none() | arrays(np.bool_, 9))
    given = embedding(rows.tolist(), documents)
    wanted = query(*vector.tolist())
    found = Nearest(given).find(wanted, allowed, depth)
    pairs = list(zip(found.documents.tolist(), products(found), strict=True))
    assert pairs == by_full_sort(given, wanted, allowed, depth)


@pytest.mark.parametrize("share", [None, 0.5, 0.003, 0.0])
def test_equals_a_full_sort_of_random_vectors(share: float | None) -> None:
    chance = np.random.default_rng(7)
    rows = chance.integers(-127, 128, (2000, DIMENSIONS), dtype=np.int8)
    documents = np.sort(chance.integers(0, 600, 2000)).astype(np.int32)
    nearest = Nearest(known(rows, documents))
    allowed = None if share is None else chance.random(600) < share
    for vector in rows[:3]:
        found = nearest.find(vector, allowed, 25)
        exact = rows.astype(np.int64) @ vector.astype(np.int64)
        best = np.full(600, -(10**9))
        np.maximum.at(best, documents, exact)
        there = np.isin(np.arange(600), documents) & (True if allowed is None else allowed)
        order = sorted(np.flatnonzero(there).tolist(), key=lambda at: (-best[at], at))[:25]
        assert found.documents.tolist() == order
        assert products(found) == best[order].tolist()


@pytest.fixture(scope="module")
def route(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("dense")
    items = [
        item("a", title="Grumpy cat refuses breakfast", tags=["cats"], visual="a cat scowls at a bowl"),
        item("b", title="Astronaut plants a flag", tags=["space"], visual="a man in a white suit on grey dust"),
        item("c", title="Taxes are due", tags=["money"], visual="a pile of forms"),
    ]
    plain = {"template": "", "entities": [], "ocr_text": "", "meaning": ""}
    corpus = read_corpus(write_corpus(folder, [one | plain for one in items]))
    for name, data in build(corpus, models_folder()).items():
        (folder / name).write_bytes(data)
    return open_dense(Encoder(models_folder()), folder, corpus, DenseParameters())


@pytest.mark.parametrize(("text", "best"), [("angry kitten", 0), ("moon landing", 1), ("IRS paperwork", 2)])
def test_what_means_the_same_is_found_without_a_common_word(route, text: str, best: int) -> None:
    found = route.find(parse_query(text), None, 3)
    assert found.documents[0] == best
    assert sorted(found.documents.tolist()) == [0, 1, 2]
    assert 1 > found.scores[0] > found.scores[1] > found.scores[2]


def test_only_what_is_allowed_is_found(route) -> None:
    found = route.find(parse_query("angry kitten"), np.array([False, True, True]), 3)
    assert sorted(found.documents.tolist()) == [1, 2]
    assert len(route.find(parse_query("angry kitten"), np.zeros(3, dtype=np.bool_), 3).documents) == 0


@pytest.mark.parametrize(("text", "depth"), [("lang:en", 3), ("angry kitten", 0)])
def test_filters_alone_and_no_depth_find_nothing(route, text: str, depth: int) -> None:
    assert len(route.find(parse_query(text), None, depth).documents) == 0


def test_filters_are_no_part_of_what_is_asked(route) -> None:
    plain, filtered = (route.find(parse_query(text), None, 3) for text in ("angry kitten", "lang:en angry kitten"))
    assert filtered.scores.tolist() == plain.scores.tolist()
