"""The lexical route: finds documents by the words of a query, by what noisy words stand for, by names and by order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mambomeme.bm25 import Parameters, Postings, Real, Scorer, best
from mambomeme.corpus import FIELDS, Meme
from mambomeme.index import PAIRS
from mambomeme.names import Named, Names
from mambomeme.noise import CONTRACTIONS, Noise, Variant, Worth
from mambomeme.phrases import holds, longest_run, pairs, text_of
from mambomeme.query import Query
from mambomeme.routes import Found
from mambomeme.tokens import FILLERS, FUNCTION_WORDS, line

LOOKED_AT = 10
"""The evidence is about so many of the best documents."""


class LexicalParameters(NamedTuple):
    """`weights` of the fields; `pairs`, `names`, `phrases` say how much order, names and quotations add; `closeness` is
    what a name that was not typed exactly must reach."""

    weights: dict[str, float] = dict.fromkeys(FIELDS, 1.0)
    bm25: Parameters = Parameters()
    worth: Worth = Worth()
    pairs: float = 0.5
    names: float = 0.5
    phrases: float = 10.0
    filler: float = 0.2
    closeness: float = 0.72


class Evidence(NamedTuple):
    """How well the best documents answer the query, for a decision on whether anything does.

    `coverage` has for each of the best documents the share of the query's content (idf of its words that carry a
    subject) that it matches. `unknown` counts words that no document holds, `guessed` those of them that stand for
    something known. `named` is the share of the content that a name takes up which the best document carries, times its
    closeness. `run` is the longest run of the query's words that stands in order in one of the documents, `words` the
    number of words in the query.
    """

    coverage: Real
    unknown: int
    guessed: int
    named: float
    run: int
    words: int


class Answer(NamedTuple):
    """What was found, and the evidence for it."""

    found: Found
    evidence: Evidence


class Word(NamedTuple):
    """One word of the query: what it may stand for, and its weight of content (0 for words without a subject)."""

    variants: tuple[Variant, ...]
    content: float


class LexicalRoute:
    """Ready for the queries of one corpus."""

    name = "lexical"

    def __init__(self, memes: Sequence[Meme], fields: dict[str, Postings], parameters: LexicalParameters) -> None:
        self._parameters, self._size = parameters, len(memes)
        self._scorer = Scorer(
            [(fields[field], weight) for field, weight in parameters.weights.items()], parameters.bm25
        )
        self._pairs = Scorer([(fields[PAIRS], parameters.pairs)], parameters.bm25)
        self._names = Names(memes)
        self._noise = Noise(self._scorer, initials(memes), parameters.worth)
        self._texts = [text_of(meme) for meme in memes]

    def find(self, query: Query, allowed: npt.NDArray[np.bool_] | None, depth: int) -> Found:
        """At most `depth` documents, of those that `allowed` marks, ordered by (-round(score, 5), document)."""
        return self.answer(query, allowed, depth).found

    def answer(self, query: Query, allowed: npt.NDArray[np.bool_] | None, depth: int) -> Answer:
        """What `find` gives, and the evidence for it."""
        words = [self._word(word) for word in query.line]
        named = self._named(query.line, words)
        total = np.zeros(self._size)
        for word in words:
            self._add(total, word)
        for pair in pairs(_corrected(query.line, words)):
            hits = self._pairs.hits(pair)
            total[hits.documents] += hits.impacts
        self._add_names(total, words, named)
        for phrase in query.phrases:
            self._add_phrase(total, phrase)
        if allowed is not None:
            total[~allowed] = 0.0
        documents = best(total, depth)
        return Answer(Found(documents, total[documents]), self._evidence(query, words, named, documents[:LOOKED_AT]))

    def _word(self, word: str) -> Word:
        variants = tuple(self._noise.variants(word))
        bare = word in FUNCTION_WORDS or word in FILLERS or word in CONTRACTIONS
        if word in FILLERS:
            variants = tuple(Variant(part.tokens, part.weight * self._parameters.filler) for part in variants)
        return Word(variants, 0.0 if bare else self._content(word, variants))

    def _content(self, word: str, variants: Sequence[Variant]) -> float:
        """The logarithm of how rare the word is; one that stands for several things is as rare as the commonest."""
        counts = [self._scorer.count(part.tokens[0]) for part in variants if len(part.tokens) == 1]
        return math.log((self._size + 1) / (max([self._scorer.count(word), *counts]) + 0.5))

    def _add(self, total: Real, word: Word) -> None:
        """Adds to each document the most that one variant of the word is worth there."""
        if len(word.variants) == 1 and len(word.variants[0].tokens) == 1:
            hits = self._scorer.hits(word.variants[0].tokens[0])
            total[hits.documents] += word.variants[0].weight * hits.impacts
            return
        most = np.zeros(self._size)
        for variant in word.variants:
            worth = np.zeros(self._size)
            for token in variant.tokens:
                hits = self._scorer.hits(token)
                worth[hits.documents] += variant.weight * hits.impacts
            np.maximum(most, worth, out=most)
        total += most

    def _add_names(self, total: Real, words: Sequence[Word], named: Sequence[Named]) -> None:
        most = np.zeros(self._size)
        for name in named:
            content = sum(word.content for word in words[name.first : name.last])
            most[name.documents] = np.maximum(
                most[name.documents], self._parameters.names * name.closeness**2 * content
            )
        total += most

    def _add_phrase(self, total: Real, phrase: Sequence[str]) -> None:
        """Adds to each document that holds all words of a quoted phrase in order."""
        for at in np.flatnonzero(total > 0).tolist():
            if holds(phrase, self._texts[at]):
                total[at] += self._parameters.phrases

    def _named(self, line: Sequence[str], words: Sequence[Word]) -> list[Named]:
        """The names in the query: exact ones, and where words are left over that no document holds, or no name of two
        words was found, the closest that was not typed exactly."""
        found = self._names.exact(line)
        covered = {at for name in found if name.last - name.first > 1 for at in range(name.first, name.last)}
        loose = [at for at, word in enumerate(words) if at not in covered and word.content]
        strange = [at for at in loose if line[at] not in self._scorer]
        if strange or (not covered and len(line) > 1):
            for first, last in _worth_a_look(len(line), strange):
                close = self._names.like(line, first, last, closeness=self._parameters.closeness)
                if close:
                    found.append(close)
        return found

    def _evidence(
        self, query: Query, words: Sequence[Word], named: Sequence[Named], documents: npt.NDArray[np.int32]
    ) -> Evidence:
        whole = math.fsum(word.content for word in words)
        shares = np.zeros((len(words), len(documents)))
        for at, word in enumerate(words):
            if word.content:
                shares[at] = self._share(word, documents)
        top = 0.0
        for name in named:
            carried = np.isin(documents, name.documents)
            span = slice(name.first, name.last)
            shares[span] = np.maximum(shares[span], carried * name.closeness)
            if len(documents) and carried[0] and whole:
                top = max(top, math.fsum(word.content for word in words[span]) / whole * name.closeness)
        contents = np.array([word.content for word in words])
        coverage = (contents[:, None] * shares).sum(axis=0) / whole if whole else np.zeros(len(documents))
        unknown = [
            word for text, word in zip(query.line, words, strict=True) if word.content and text not in self._scorer
        ]
        runs = [longest_run(query.line, self._texts[at]) for at in documents.tolist()]
        return Evidence(
            coverage, len(unknown), sum(bool(word.variants) for word in unknown), top, max(runs, default=0), len(words)
        )

    def _share(self, word: Word, documents: npt.NDArray[np.int32]) -> Real:
        """How much of a word each document matches: the best variant's weight times the share of its tokens."""
        most = np.zeros(len(documents))
        for variant in word.variants:
            held = sum(_holding(self._scorer.hits(token).documents, documents) for token in variant.tokens)
            most = np.maximum(most, variant.weight * held / len(variant.tokens))
        return most


def _holding(holders: npt.NDArray[np.int32], documents: npt.NDArray[np.int32]) -> Real:
    if not len(holders):
        return np.zeros(len(documents))
    places = np.minimum(np.searchsorted(holders, documents), len(holders) - 1)
    return (holders[places] == documents).astype(np.float64)


def _corrected(line: Sequence[str], words: Sequence[Word]) -> list[str]:
    """The words of the query with each unknown one replaced by what it most likely stands for."""
    found: list[str] = []
    for text, word in zip(line, words, strict=True):
        likeliest = max(word.variants, key=lambda variant: variant.weight, default=None)
        known = likeliest is None or text in CONTRACTIONS
        found.extend([text] if known else likeliest.tokens)
    return found


def _worth_a_look(count: int, strange: Sequence[int]) -> list[tuple[int, int]]:
    """The spans of a query that may be a name with errors: the whole, and short ones around words that are unknown."""
    spans = {(0, count)} if count <= 10 else set[tuple[int, int]]()
    for at in strange:
        for first in range(max(at - 2, 0), at + 1):
            for last in range(at + 1, min(at + 3, count) + 1):
                if last - first <= 3:
                    spans.add((first, last))
    return sorted(spans)


def initials(memes: Sequence[Meme]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The names of two to five words, by their first letters."""
    found: dict[str, dict[tuple[str, ...], None]] = {}
    for meme in memes:
        for text in (*meme.entities, meme.template, meme.franchise):
            words = tuple(line(text))
            if 2 <= len(words) <= 5:
                found.setdefault("".join(word[0] for word in words), {})[words] = None
    return {letters: tuple(names)[:3] for letters, names in found.items()}
