"""Tells how much of a query stands in a document in the same order, word next to word."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from mambomeme.bm25 import Hits, Parameters, Whole, worth_of
from mambomeme.corpus import Meme
from mambomeme.tokens import lines_of


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


def ordered_texts(meme: Meme) -> list[str]:
    """The texts of a meme in which order counts: title, template, each name, each line of the caption and the whole."""
    return [meme.title, meme.template, *meme.entities, *meme.aliases, *meme.quote.split("\n"), meme.quote]


def count_pairs(memes: Sequence[Meme]) -> Pairs:
    """The pairs of `memes`; one that stands several times in a document counts once."""
    texts = [ordered_texts(meme) for meme in memes]
    lines = lines_of(text for part in texts for text in part)
    words = tuple(sorted({word for line in lines for word in line}))
    numbers = {word: at for at, word in enumerate(words)}
    flat = np.array([numbers[word] for line in lines for word in line], dtype=np.int64)
    owner = np.repeat(np.repeat(np.arange(len(memes)), [len(part) for part in texts]), [len(line) for line in lines])
    line_of = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    beside = line_of[:-1] == line_of[1:]
    keys = (flat[:-1] * len(words) + flat[1:])[beside]
    order = np.lexsort((owner[:-1][beside], keys))
    keys, owners = keys[order], owner[:-1][beside][order]
    first = np.append(True, (keys[1:] != keys[:-1]) | (owners[1:] != owners[:-1]))[: len(keys)]
    left, right = np.divmod(keys[first], max(len(words), 1))
    lengths = np.bincount(owners[first], minlength=len(memes))
    return Pairs(words, *(part.astype(np.int32) for part in (left, right, owners[first], lengths)))


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
            at = int(np.searchsorted(self._keys, key))
            if at < len(self._keys) and self._keys[at] == key:
                span = slice(int(self._edges[at]), int(self._edges[at + 1]))
        return Hits(self._documents[span], self._impacts[span])

    def holding(self, phrase: Sequence[str]) -> Whole:
        """The documents that hold every pair of `phrase`, which has two words or more."""
        found = [self.hits(left, right).documents for left, right in pairwise(phrase)]
        common = found[0]
        for documents in found[1:]:
            common = np.intersect1d(common, documents, assume_unique=True)
        return common


def running_texts(memes: Sequence[Meme]) -> list[str]:
    """Of each meme all ordered texts as one string, each word between blanks and each text between bars."""
    texts = [ordered_texts(meme) for meme in memes]
    lines = iter(lines_of(text for part in texts for text in part))
    return ["|".join(f" {' '.join(next(lines))} " for _ in part) for part in texts]


def longest_run(words: Sequence[str], text: str) -> int:
    """The most words of `words`, in order and side by side, that stand in `text` (as `running_texts` gives it)."""
    best, start = 0, 0
    for end in range(1, len(words) + 1):
        while end - start > best and f" {' '.join(words[start:end])} " not in text:
            start += 1
        best = max(best, end - start)
    return best
