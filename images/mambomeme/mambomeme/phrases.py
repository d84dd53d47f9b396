"""Tells how much of a query stands in a document in the same order, word next to word."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mambomeme.bm25 import Hits, Parameters, Whole, distinct, worth_of
from mambomeme.passages import Passages

Long = npt.NDArray[np.int64]


class Pairs(NamedTuple):
    """Which two words stand side by side in which document.

    `words` is sorted; `left`, `right` (places in `words`) and `document` have one entry for each pair of a document,
    sorted by left, right and document; `lengths` has the number of pairs of each document.
    """

    words: tuple[str, ...]
    left: Whole
    right: Whole
    document: Whole
    lengths: Whole


def count_pairs(texts: Passages) -> Pairs:
    """The pairs of the documents; one that stands several times in a document counts once."""
    words = tuple(sorted(set().union(*texts.words)))
    numbers = {word: at for at, word in enumerate(words)}
    flat = np.fromiter(map(numbers.__getitem__, chain.from_iterable(texts.words)), dtype=np.int64)
    line = np.repeat(np.arange(len(texts.words)), [len(line) for line in texts.words])
    beside = np.flatnonzero(line[:-1] == line[1:])
    entries = distinct(_spread(flat[beside] * len(words) + flat[beside + 1], line[beside], texts))
    pair, document = np.divmod(entries, max(texts.size, 1))
    left, right = np.divmod(pair, max(len(words), 1))
    lengths = np.bincount(document, minlength=texts.size)
    return Pairs(words, *(part.astype(np.int32) for part in (left, right, document, lengths)))


def _spread(pair: Long, line: Long, texts: Passages) -> Long:
    """Each pair of each text with each document of that text as one number; `line` (sorted) is the text of a pair."""
    starts = np.searchsorted(line, np.arange(len(texts.words) + 1))
    counts = np.diff(starts)[texts.passage]
    first = np.repeat(starts[texts.passage] - np.cumsum(counts) + counts, counts)
    return pair[first + np.arange(len(first))] * max(texts.size, 1) + np.repeat(texts.document, counts)


class PairScorer:
    """BM25 over pairs, each as one term."""

    def __init__(self, pairs: Pairs, weight: float, parameters: Parameters) -> None:
        self._numbers = {word: at for at, word in enumerate(pairs.words)}
        keys = pairs.left.astype(np.int64) * len(pairs.words) + pairs.right
        starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
        self._keys, self._edges = keys[starts], np.append(starts, len(keys))
        term = np.repeat(np.arange(len(starts)), np.diff(self._edges))
        once = np.ones(len(keys), dtype=np.int32)
        self._documents = pairs.document
        self._impacts = weight * worth_of(term, pairs.document, once, pairs.lengths, parameters)

    def hits(self, left: str, right: str) -> Hits:
        """The documents in which `right` follows `left`, and what that adds to each."""
        span = slice(0, 0)
        if left in self._numbers and right in self._numbers:
            key = self._numbers[left] * len(self._numbers) + self._numbers[right]
            at = self._keys.searchsorted(key)
            if at < len(self._keys) and self._keys[at] == key:
                span = slice(*self._edges[at : at + 2].tolist())
        return Hits(self._documents[span], self._impacts[span])

    def holding(self, phrase: Sequence[str]) -> Whole:
        """The documents that hold every pair of `phrase`, which has two words or more."""
        found = [self.hits(left, right).documents for left, right in pairwise(phrase)]
        common = found[0]
        for documents in found[1:]:
            common = np.intersect1d(common, documents, assume_unique=True)
        return common


def longest_run(words: Sequence[str], text: str, least: int = 0) -> int:
    """The most words of `words`, in order and side by side, that stand in `text` (as RunningTexts gives it), or
    `least` if they are fewer."""
    best, start = least, 0
    for end in range(1, len(words) + 1):
        while end - start > best and f" {' '.join(words[start:end])} " not in text:
            start += 1
        best = max(best, end - start)
    return best
