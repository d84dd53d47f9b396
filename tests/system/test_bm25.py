"""BM25 against values worked by hand, against the rank_bm25 library, and against its own laws."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mambomeme.bm25 import Parameters, Scorer, count_postings
from mambomeme.corpus import FIELDS, read_corpus
from mambomeme.tokens import tokens
from rank_bm25 import BM25Okapi

CORPUS = Path(__file__).parents[2] / "images" / "corpus"
WORDS = st.sampled_from(["cat", "dog", "wow", "such", "very", "much", "doge", "bonk", "trap", "it", "is", "a"])
DOCUMENTS = st.lists(st.lists(WORDS, max_size=9), min_size=1, max_size=14).filter(any)
QUERY = st.lists(WORDS | st.just("unheard"), max_size=7)


def one_field(documents: list[list[str]], parameters: Parameters | None = None, weight: float = 1.0) -> Scorer:
    return Scorer([(count_postings(documents), weight)], parameters or Parameters())


def test_a_score_worked_by_hand() -> None:
    # N=3, "trap" in one document of length 2, mean length 2: idf = ln(2.5/1.5), saturation = 1*2.5/(1+1.5) = 1
    scores = one_field([["its", "trap"], ["its", "fine"], ["its", "over"]]).scores(["trap"])
    assert scores.tolist() == pytest.approx([math.log(2.5 / 1.5), 0, 0])


def test_a_common_word_gets_a_quarter_of_the_mean_idf() -> None:
    documents = [["wow", "a"], ["wow", "b"], ["wow", "c"]]
    rare, common = math.log(2.5 / 1.5), math.log(0.5 / 3.5)
    assert one_field(documents).scores(["wow"])[0] == pytest.approx(0.25 * (3 * rare + common) / 4)


@given(DOCUMENTS, QUERY)
def test_equals_the_library(documents: list[list[str]], query: list[str]) -> None:
    expected = BM25Okapi(documents).get_scores(query)
    np.testing.assert_allclose(one_field(documents).scores(query), expected, rtol=1e-10, atol=1e-12)


# With b = 1 the library divides an empty document's nothing by nothing.
@given(DOCUMENTS, QUERY, st.floats(0.1, 3), st.floats(0, 0.99), st.floats(0, 1))
def test_equals_the_library_with_other_constants(
    documents: list[list[str]], query: list[str], k1: float, b: float, epsilon: float
) -> None:
    expected = BM25Okapi(documents, k1=k1, b=b, epsilon=epsilon).get_scores(query)
    found = one_field(documents, Parameters(k1, b, epsilon)).scores(query)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("field", FIELDS)
def test_equals_the_library_on_each_field_of_the_corpus(field: str) -> None:
    memes = read_corpus(CORPUS).memes
    documents = [tokens(meme.texts[FIELDS.index(field)]) for meme in memes]
    scorer, library = one_field(documents), BM25Okapi(documents)
    for document in documents[::9]:
        query = [*document[:6], "the", "unheard", *document[:1]]
        np.testing.assert_allclose(scorer.scores(query), library.get_scores(query), rtol=1e-10, atol=1e-12)


@given(DOCUMENTS, DOCUMENTS, QUERY)
def test_the_total_is_the_weighted_sum_of_the_fields(
    first: list[list[str]], second: list[list[str]], query: list[str]
) -> None:
    size = max(len(first), len(second))
    fields = [documents + [[]] * (size - len(documents)) for documents in (first, second)]
    both = Scorer([(count_postings(fields[0]), 2.0), (count_postings(fields[1]), 0.5)], Parameters())
    expected = 2.0 * one_field(fields[0]).scores(query) + 0.5 * one_field(fields[1]).scores(query)
    np.testing.assert_allclose(both.scores(query), expected, rtol=1e-10, atol=1e-12)


def test_fields_without_a_single_word_score_nothing() -> None:
    assert one_field([[], []]).scores(["cat"]).tolist() == [0, 0]
    assert one_field([]).scores(["cat"]).tolist() == []


def test_postings_worked_by_hand() -> None:
    postings = count_postings([["b", "a", "b"], [], ["b"]])
    assert postings.terms == ("a", "b")
    assert postings.term.tolist() == [0, 1, 1]
    assert postings.document.tolist() == [0, 0, 2]
    assert postings.frequency.tolist() == [1, 2, 1]
    assert postings.lengths.tolist() == [3, 0, 1]
