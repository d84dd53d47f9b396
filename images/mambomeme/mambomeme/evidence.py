"""Weighs how well the documents that a lexical search found answer its query."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mambomeme.bm25 import Hits, Places, Real, Whole
from mambomeme.names import Named
from mambomeme.noise import Variant


class Word(NamedTuple):
    """One word of a query: whether a document holds it, what it may stand for, the hits of each token of each of these
    variants, and its weight of content: the idf of what it stands for, 0 for a word without a subject."""

    text: str
    known: bool
    variants: tuple[Variant, ...]
    hits: tuple[tuple[Hits, ...], ...]
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


def coverage(words: Sequence[Word], named: Sequence[Named], documents: Whole, size: int) -> Real:
    """For each of `documents`, of the `size` there are, the share of the content of `words` that it matches; 0 where
    they have no content."""
    whole = math.fsum(word.content for word in words)
    total = np.zeros(len(documents))
    if not len(documents) or not whole:
        return total
    carried = [(name, name.closeness * _held(name.documents, documents)) for name in named]
    scratch = np.zeros(size)
    for at, word in enumerate(words):
        if word.content:
            share = _share(word, documents, scratch)
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


def _share(word: Word, documents: Whole, scratch: Real) -> Real:
    """How much of a word each document matches: the most of any variant, its weight times the share of its tokens.
    `scratch` has a 0 for each document there is, and is left so."""
    for variant, hits in zip(word.variants, word.hits, strict=True):
        if len(hits) == 1:
            np.maximum.at(scratch, hits[0].documents, variant.weight)
        else:
            held = np.bincount(np.concatenate([token.documents for token in hits]), minlength=len(scratch))
            np.maximum(scratch, variant.weight / len(hits) * held, out=scratch)
    share = scratch[documents]
    scratch.fill(0.0)
    return share


def _held(holders: Places, documents: Whole) -> npt.NDArray[np.bool_]:
    """Whether each of `documents` is among `holders` (sorted)."""
    if not len(holders):
        return np.zeros(len(documents), dtype=np.bool_)
    return holders.take(holders.searchsorted(documents), mode="clip") == documents
