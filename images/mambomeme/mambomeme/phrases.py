"""Tells how much of a query stands in a document in the same order, word next to word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mambomeme.bm25 import Hits, Parameters, Places, Whole, distinct, worth_of
from mambomeme.passages import Passages

Long = npt.NDArray[np.int64]

_NO_PAIR = np.iinfo(np.int64).max
_NO_WORD = -(1 << 40)


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
    lines = list(map(str.split, texts.lines))
    words = tuple(sorted(set().union(*lines)))
    numbers = {word: at for at, word in enumerate(words)}
    flat = np.fromiter(map(numbers.__getitem__, chain.from_iterable(lines)), dtype=np.int64)
    line = np.repeat(np.arange(len(lines)), list(map(len, lines)))
    beside = np.flatnonzero(line[:-1] == line[1:])
    entries = distinct(_spread(flat[beside] * len(words) + flat[beside + 1], line[beside], texts))
    pair, document = np.divmod(entries, max(texts.size, 1))
    left, right = np.divmod(pair, max(len(words), 1))
    lengths = np.bincount(document, minlength=texts.size)
    return Pairs(words, *(part.astype(np.int32) for part in (left, right, document, lengths)))


def _spread(pair: Long, line: Long, texts: Passages) -> Long:
    """Each pair of each text with each document of that text as one number; `line` (sorted) is the text of a pair."""
    starts = np.searchsorted(line, np.arange(len(texts.lines) + 1))
    counts = np.diff(starts)[texts.passage]
    first = np.repeat(starts[texts.passage] - np.cumsum(counts) + counts, counts)
    return pair[first + np.arange(len(first))] * max(texts.size, 1) + np.repeat(texts.document, counts)


class PairScorer:
    """BM25 over pairs, each as one term."""

    def __init__(self, pairs: Pairs, weight: float, parameters: Parameters) -> None:
        self._numbers = {word: at for at, word in enumerate(pairs.words)}
        keys = pairs.left.astype(np.int64) * len(pairs.words) + pairs.right
        starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
        self._keys, self._edges = np.append(keys[starts], _NO_PAIR), np.append(starts, [len(keys)] * 2)
        term = np.repeat(np.arange(len(starts)), np.diff(self._edges[:-1]))
        once = np.ones(len(keys), dtype=np.int32)
        self._documents = pairs.document.astype(np.intp)
        self._impacts = weight * worth_of(term, pairs.document, once, pairs.lengths, parameters)

    def hits(self, words: Sequence[str]) -> list[Hits]:
        """For each of `words` but the last the documents in which the next one follows it, and what that adds to
        each."""
        numbers = [self._numbers.get(word, _NO_WORD) for word in words]
        keys = [left * len(self._numbers) + right for left, right in pairwise(numbers)]
        places = self._keys.searchsorted(keys)
        found = self._keys[places] == keys
        starts, ends = self._edges[places].tolist(), self._edges[places + found].tolist()
        spans = map(slice, starts, ends)
        return [Hits(self._documents[span], self._impacts[span]) for span in spans]

    def holding(self, phrase: Sequence[str]) -> Places:
        """The documents that hold every pair of `phrase`, which has two words or more."""
        common, *others = (hits.documents for hits in self.hits(phrase))
        for documents in others:
            common = np.intersect1d(common, documents, assume_unique=True)
        return common


def longest_run(words: Sequence[str], texts: Iterable[str]) -> int:
    """The most words of `words`, in order and side by side, that stand in one of `texts` (as RunningTexts gives
    them)."""
    line, edges = f" {' '.join(words)} ", [*accumulate((len(word) + 1 for word in words), initial=0)]
    best = 0
    for text in texts:
        start = 0
        for end in range(1, len(words) + 1):
            while end - start > best and line[edges[start] : edges[end] + 1] not in text:
                start += 1
            best = max(best, end - start)
        if best == len(words):
            break
    return best
