"""Weighs how well the documents that a lexical search found answer its query."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mambomeme.bm25 import Real, Scorer, Whole
from mambomeme.names import Named
from mambomeme.noise import Variant


class Word(NamedTuple):
    """One word of a query: whether a document holds it, what it may stand for, and its weight of content: the idf of
    what it stands for, 0 for a word without a subject."""

    text: str
    known: bool
    variants: tuple[Variant, ...]
    content: float


class Evidence(NamedTuple):
    """How well the best documents answer the query, for a decision on whether anything does.

    `coverage`: for each of them the share of the query's content that it matches, or the best document of its template.
    `named`: the largest share of the content that a name takes up which one of them carries, times its closeness.
    `run`: the longest run of the query's words that stands in order in one of them. `words`: the number of words in the
    query. `unknown`: how many with a subject no document holds. `guessed`: how many of those stand for something known.
    """

    coverage: Real
    named: float
    run: int
    words: int
    unknown: int
    guessed: int


def coverage(scorer: Scorer, words: Sequence[Word], named: Sequence[Named], documents: Whole) -> Real:
    """For each document the share of the content of `words` that it matches; 0 where they have no content."""
    whole = math.fsum(word.content for word in words)
    total = np.zeros(len(documents))
    if not len(documents):
        return total
    carried = [(name, name.closeness * _held(name.documents, documents)) for name in named]
    for at, word in enumerate(words):
        if word.content:
            share = _share(scorer, word, documents)
            for name, closeness in carried:
                if name.first <= at < name.last:
                    share = np.maximum(share, closeness)
            total += word.content / whole * share
    return total


def named_share(words: Sequence[Word], named: Sequence[Named], documents: Whole) -> float:
    """The largest share of the content that a name takes up which one of `documents` carries, times its closeness."""
    whole = math.fsum(word.content for word in words)
    shares = [
        name.closeness * math.fsum(word.content for word in words[name.first : name.last]) / whole
        for name in named
        if whole and _held(name.documents, documents).any()
    ]
    return max(shares, default=0.0)


def _share(scorer: Scorer, word: Word, documents: Whole) -> Real:
    """How much of a word each document matches: the most of any variant, its weight times the share of its tokens."""
    most = np.zeros(len(documents))
    for variant in word.variants:
        held = sum(_held(scorer.hits(token).documents, documents) for token in variant.tokens)
        np.maximum(most, variant.weight / len(variant.tokens) * held, out=most)
    return most


def _held(holders: Whole, documents: Whole) -> npt.NDArray[np.bool_]:
    """Whether each of `documents` is among `holders` (sorted)."""
    if not len(holders):
        return np.zeros(len(documents), dtype=np.bool_)
    return holders.take(holders.searchsorted(documents), mode="clip") == documents
