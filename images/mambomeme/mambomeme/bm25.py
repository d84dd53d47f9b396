"""Scores documents for a query: Okapi BM25 for each field, summed with weights."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[np.int32]
Places = npt.NDArray[np.intp]
Real = npt.NDArray[np.float64]

DIGITS = 5
"""Scores that agree when rounded to so many decimals are equal; the documents then follow their order."""

_NO_KEYS = np.zeros(0, dtype=np.int64)


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


def distinct(values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The different values, sorted."""
    ordered = np.sort(values)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]]


class Hits(NamedTuple):
    """The documents of one term (each once, sorted) and what the term adds to their scores."""

    documents: Places
    impacts: Real


_NO_HITS = Hits(np.zeros(0, dtype=np.intp), np.zeros(0))


def count_postings(documents: Sequence[Sequence[str]]) -> Postings:
    """The postings of one field of `documents`, each a list of tokens."""
    lengths = np.array([len(document) for document in documents], dtype=np.int32)
    words = list(chain.from_iterable(documents))
    terms = tuple(sorted(set(words)))
    numbers = {term: number for number, term in enumerate(terms)}
    term = np.fromiter((numbers[word] for word in words), dtype=np.int64, count=len(words))
    owner = np.repeat(np.arange(len(documents)), lengths)
    entries, frequency = np.unique(term * max(len(documents), 1) + owner, return_counts=True)
    found, document = np.divmod(entries, max(len(documents), 1))
    return Postings(terms, *(part.astype(np.int32) for part in (found, document, frequency)), lengths)


def idf(containing: Whole, size: int, epsilon: float) -> Real:
    """Inverse document frequency of terms that stand in `containing` of `size` documents each:
    log((N - n + 0.5) / (n + 0.5)), or where that is negative, epsilon times the mean over all terms (before the
    replacement). Logarithms come from the C library, one by one: numpy's differ between machines."""
    counts, places = np.unique(containing, return_inverse=True)
    found = [math.log(size - n + 0.5) - math.log(n + 0.5) for n in counts.tolist()]
    times = np.bincount(places, minlength=len(found)).tolist()
    mean = math.fsum(value * n for value, n in zip(found, times, strict=True)) / max(len(containing), 1)
    return np.array([epsilon * mean if value < 0 else value for value in found], dtype=np.float64)[places]


def worth_of(term: Whole, document: Whole, frequency: Whole, lengths: Whole, parameters: Parameters) -> Real:
    """What each entry adds to its document's score, for each time its term stands in a query. Entries are as in
    Postings."""
    if not len(term):
        return np.zeros(0)
    mean = int(lengths.sum()) / len(lengths)
    k1, b = parameters.k1, parameters.b
    saturation = frequency * (k1 + 1) / (frequency + k1 * (1 - b + b * lengths[document] / mean))
    return idf(np.bincount(term), len(lengths), parameters.epsilon)[term] * saturation


class Scorer:
    """The weighted sum over fields, ready for queries: a query touches the postings of its own terms only."""

    def __init__(self, fields: Iterable[tuple[Postings, float]], parameters: Parameters) -> None:
        parts = list(fields)
        self.size = len(parts[0][0].lengths) if parts else 0
        self.terms = tuple(sorted(set[str]().union(*(postings.terms for postings, _ in parts))))
        numbers = {term: number for number, term in enumerate(self.terms)}
        keys = np.concatenate([*(_keys(postings, numbers) for postings, _ in parts), _NO_KEYS])
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        new = np.append(True, keys[1:] != keys[:-1])[: len(keys)]
        entries = keys[new]
        del keys  # of a large corpus each of these is large
        worth = [weight * worth_of(*postings[1:], parameters) for postings, weight in parts]
        ordered = np.concatenate([*worth, np.zeros(0)])[order]
        del worth, order
        # bincount adds one after the other, so each sum is taken in the order of the fields, on every machine
        impacts = np.bincount(np.cumsum(new) - 1, ordered, len(entries))
        documents = entries % max(self.size, 1)
        edges = np.searchsorted(entries, np.arange(len(self.terms) + 1) * max(self.size, 1)).tolist()
        spans = map(slice, edges, edges[1:])
        self._hits = {term: Hits(documents[span], impacts[span]) for term, span in zip(self.terms, spans, strict=True)}

    def __contains__(self, term: str) -> bool:
        return term in self._hits

    def hits(self, term: str) -> Hits:
        """The documents that hold `term` in any field, and what it adds to each; none if it is unknown."""
        return self._hits.get(term, _NO_HITS)

    def scores(self, query: Iterable[str]) -> Real:
        """One score a document; a token that stands twice in the query counts twice."""
        total = np.zeros(self.size)
        for token in query:
            hits = self.hits(token)
            np.add.at(total, hits.documents, hits.impacts)
        return total


def _keys(postings: Postings, numbers: Mapping[str, int]) -> npt.NDArray[np.int64]:
    """Term and document of each entry as one number, the term in the numbering of all fields."""
    mine = np.array([numbers[term] for term in postings.terms], dtype=np.int64)
    return mine[postings.term] * len(postings.lengths) + postings.document if len(mine) else _NO_KEYS


def best(scores: Real, most: int) -> Whole:
    """At most `most` documents that score above 0, ordered by (-round(score, 5), document)."""
    (found,) = (scores > 0).nonzero()
    held = scores[found]
    if len(found) > most:
        ordered = held.copy()
        ordered.partition(len(held) - most)
        kept = held >= ordered[-most] - 2 * 10.0**-DIGITS
        found, held = found[kept], held[kept]
    return found[(-held.round(DIGITS)).argsort(kind="stable")[:most]].astype(np.int32)
