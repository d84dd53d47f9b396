"""Scores documents for a query: Okapi BM25 for each field, summed with weights."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[np.int32]
Real = npt.NDArray[np.float64]


class Postings(NamedTuple):
    """Which term stands how often in which document of one field, in whole numbers.

    `terms` is sorted; `term`, `document` and `frequency` have one entry for each pair that occurs, sorted by term and
    then document; `lengths` has the number of tokens of each document.
    """

    terms: tuple[str, ...]
    term: Whole
    document: Whole
    frequency: Whole
    lengths: Whole


class Parameters(NamedTuple):
    """k1: how fast repetition saturates; b: how much length counts; epsilon: share of the mean idf for common terms."""

    k1: float = 1.5
    b: float = 0.75
    epsilon: float = 0.25


class Hits(NamedTuple):
    """The documents of one term (each once) and what the term adds to their scores."""

    documents: Whole
    impacts: Real


def count_postings(documents: Sequence[Sequence[str]]) -> Postings:
    """The postings of one field of `documents`, each a list of tokens."""
    counts = [Counter(document) for document in documents]
    terms = tuple(sorted(set().union(*counts))) if counts else ()
    numbers = {term: number for number, term in enumerate(terms)}
    entries = sorted((numbers[term], at, n) for at, found in enumerate(counts) for term, n in found.items())
    table = np.array(entries, dtype=np.int32).reshape(-1, 3)
    lengths = np.array([len(document) for document in documents], dtype=np.int32)
    return Postings(terms, table[:, 0].copy(), table[:, 1].copy(), table[:, 2].copy(), lengths)


def idf(postings: Postings, epsilon: float) -> Real:
    """Inverse document frequency of each term: log((N - n + 0.5) / (n + 0.5)), or where that is negative, epsilon times
    the mean over all terms (before the replacement). Logarithms come from the C library, one by one: numpy's differ
    between machines."""
    size, containing = len(postings.lengths), np.bincount(postings.term, minlength=len(postings.terms))
    raw = [math.log(size - n + 0.5) - math.log(n + 0.5) for n in containing.tolist()]
    floor = epsilon * (math.fsum(raw) / len(raw)) if raw else 0.0
    return np.array([floor if value < 0 else value for value in raw], dtype=np.float64)


def impacts(postings: Postings, parameters: Parameters) -> Real:
    """What each entry of `postings` adds to its document's score, for each time its term stands in a query."""
    if not len(postings.term):
        return np.zeros(0)
    lengths = postings.lengths[postings.document]
    mean = int(postings.lengths.sum()) / len(postings.lengths)
    k1, b = parameters.k1, parameters.b
    saturation = postings.frequency * (k1 + 1) / (postings.frequency + k1 * (1 - b + b * lengths / mean))
    return idf(postings, parameters.epsilon)[postings.term] * saturation


class Scorer:
    """The weighted sum over fields, ready for queries: a query touches the postings of its own terms only."""

    def __init__(self, fields: Iterable[tuple[Postings, float]], parameters: Parameters) -> None:
        self.size = 0
        parts: dict[str, list[Hits]] = {}
        for postings, weight in fields:
            self.size = len(postings.lengths)
            worth = weight * impacts(postings, parameters)
            edges = np.searchsorted(postings.term, np.arange(len(postings.terms) + 1))
            for number, term in enumerate(postings.terms):
                span = slice(edges[number], edges[number + 1])
                parts.setdefault(term, []).append(Hits(postings.document[span], worth[span]))
        self._hits = {term: _joined(hits) for term, hits in parts.items()}

    def scores(self, query: Iterable[str]) -> Real:
        """One score a document; a token that stands twice in the query counts twice."""
        total = np.zeros(self.size)
        for token in query:
            if token in self._hits:
                hits = self._hits[token]
                total[hits.documents] += hits.impacts
        return total

    def matching(self, query: Iterable[str]) -> npt.NDArray[np.bool_]:
        """Whether a document holds at least one of the tokens, in any field."""
        found = np.zeros(self.size, dtype=np.bool_)
        for token in query:
            if token in self._hits:
                found[self._hits[token].documents] = True
        return found


def _joined(hits: list[Hits]) -> Hits:
    """The hits of one term in several fields as one, added in the order of the fields."""
    if len(hits) == 1:
        return hits[0]
    documents, places = np.unique(np.concatenate([part.documents for part in hits]), return_inverse=True)
    summed = np.zeros(len(documents))
    np.add.at(summed, places, np.concatenate([part.impacts for part in hits]))
    return Hits(documents, summed)
