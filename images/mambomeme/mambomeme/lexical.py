"""The lexical route: finds documents by words, by what noisy words stand for, by names, by order and by template."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mambomeme.bm25 import Hits, Parameters, Real, Scorer, Whole, best
from mambomeme.corpus import FIELDS, Meme
from mambomeme.evidence import Evidence, Word, coverage, named_share
from mambomeme.index import Index
from mambomeme.names import Named, Names, Span, initials
from mambomeme.noise import Noise, Variant, Worth
from mambomeme.passages import RunningTexts
from mambomeme.phrases import PairScorer, longest_run
from mambomeme.query import Query
from mambomeme.routes import Found
from mambomeme.siblings import Siblings
from mambomeme.slang import CONTRACTIONS
from mambomeme.tokens import FILLERS, FUNCTION_WORDS

LOOKED_AT = 10
"""The evidence is about so many of the best documents."""

READ = 5
"""So many of them are read for the longest run of the query's words."""

SHARING = 100
"""The best documents, so many, share with their template."""

_LONGEST_WHOLE = 8
_WEIGHTS = MappingProxyType(
    dict.fromkeys(FIELDS, 1.0) | {"aliases": 1.2, "tags": 1.5, "ocr_text": 0.7, "visual": 1.3, "template": 0.7}
)


class LexicalParameters(NamedTuple):
    """`weights` of the fields, the constants of BM25, and the worth of variants.

    `pairs` is the weight of words side by side, `names` that of a name against its content, `phrases` what a quoted
    phrase adds, `bare` and `filler` what words without a subject and words about the search count, `template` the part
    of its best score that a template shares, `closeness` what a name typed with errors must reach.
    """

    weights: Mapping[str, float] = _WEIGHTS
    bm25: Parameters = Parameters()
    worth: Worth = Worth()
    pairs: float = 1.0
    names: float = 1.5
    phrases: float = 20.0
    bare: float = 0.3
    filler: float = 0.2
    template: float = 0.5
    closeness: float = 0.72


class Answer(NamedTuple):
    """What was found, and the evidence for it."""

    found: Found
    evidence: Evidence


class LexicalRoute:
    """Ready for the queries of one corpus."""

    name = "lexical"

    def __init__(self, memes: Sequence[Meme], index: Index, parameters: LexicalParameters) -> None:
        self._parameters, self._size = parameters, len(memes)
        self._scorer = Scorer([(index.fields[field], parameters.weights[field]) for field in FIELDS], parameters.bm25)
        self._pairs = PairScorer(index.pairs, parameters.pairs, parameters.bm25)
        self._names = Names(index.passages)
        self._noise = Noise(self._scorer, initials(memes), parameters.worth)
        self._siblings = Siblings([meme.template for meme in memes])
        self._running = RunningTexts(index.passages)

    def find(self, query: Query, allowed: npt.NDArray[np.bool_] | None, depth: int) -> Found:
        """At most `depth` documents, of those that `allowed` marks, ordered by (-round(score, 5), document).

        A query without a word that carries a subject, but with filters, finds all that they leave.
        """
        return self.answer(query, allowed, depth).found

    def answer(self, query: Query, allowed: npt.NDArray[np.bool_] | None, depth: int) -> Answer:
        """What `find` gives, and the evidence for it."""
        words = [self._word(word) for word in query.line]
        named = self._named(words)
        scores = self._scores(query, words, named)
        leading = self._siblings.share(scores, self._parameters.template, among=SHARING)
        if allowed is not None:
            scores += not any(word.content for word in words)
            scores[~allowed] = 0.0
        documents = best(scores, depth)
        evidence = self._evidence(words, named, documents[:LOOKED_AT], leading)
        return Answer(Found(documents, scores[documents]), evidence)

    def _word(self, word: str) -> Word:
        variants = self._noise.variants(word)
        hits = tuple([tuple(map(self._scorer.hits, variant.tokens)) for variant in variants])
        if word not in FUNCTION_WORDS and word not in FILLERS and word not in CONTRACTIONS:
            return Word(word, word in self._scorer, variants, hits, self._content(hits))
        less = self._parameters.filler if word in FILLERS else self._parameters.bare
        lessened = tuple([Variant(variant.tokens, less * variant.weight) for variant in variants])
        return Word(word, word in self._scorer, lessened, hits, 0.0)

    def _content(self, variants: Sequence[Sequence[Hits]]) -> float:
        """The logarithm of how rare a word is; one that stands for several things is as rare as the commonest."""
        counts = [len(tokens[0].documents) for tokens in variants if len(tokens) == 1]
        return math.log((self._size + 1) / (max(counts, default=0) + 0.5))

    def _scores(self, query: Query, words: Sequence[Word], named: Sequence[Named]) -> Real:
        scores, scratch = np.zeros(self._size), np.zeros(self._size)
        for word in words:
            self._add_word(scores, scratch, word)
        for hits in self._pairs.hits(_corrected(words)):
            np.add.at(scores, hits.documents, hits.impacts)
        for name in named:
            content = math.fsum(word.content for word in words[name.first : name.last])
            gain = self._parameters.names * name.closeness**2 * content
            np.maximum.at(scratch, name.documents, gain)
        _pour(scores, scratch)
        for phrase in query.phrases:
            self._add_phrase(scores, phrase)
        return scores

    def _add_word(self, scores: Real, scratch: Real, word: Word) -> None:
        """Adds to each document the most that one variant of the word is worth there."""
        for variant, hits in zip(word.variants, word.hits, strict=True):
            if len(hits) > 1:
                np.maximum(scratch, variant.weight * self._scorer.scores(variant.tokens), out=scratch)
            elif len(word.variants) > 1:
                np.maximum.at(scratch, hits[0].documents, variant.weight * hits[0].impacts)
            else:
                np.add.at(scores, hits[0].documents, variant.weight * hits[0].impacts)
                return
        _pour(scores, scratch)

    def _add_phrase(self, scores: Real, phrase: Sequence[str]) -> None:
        """Adds to each document that holds the quoted phrase, its words in order and side by side."""
        wanted, held = f" {' '.join(phrase)} ", self._pairs.holding(phrase)
        scores[held[[wanted in self._running.of(at) for at in held.tolist()]]] += self._parameters.phrases

    def _named(self, words: Sequence[Word]) -> list[Named]:
        """The names in the query; where a word is unknown, or no name of several words was found, also the closest that
        were typed with errors."""
        texts = [word.text for word in words]
        found = self._names.exact(texts)
        covered = {at for name in found if name.last - name.first > 1 for at in range(name.first, name.last)}
        strange = [at for at, word in enumerate(words) if at not in covered and word.content and not word.known]
        if strange or (not covered and len(words) > 1):
            found += self._misspelt(texts, strange)
        return found

    def _misspelt(self, texts: Sequence[str], strange: Sequence[int]) -> list[Named]:
        """The names that were typed with errors: the whole query, or if it is none, spans around an unknown word."""
        sounds = [self._noise.sound(text) for text in texts]
        if len(texts) <= _LONGEST_WHOLE:
            whole = self._names.like(texts, sounds, [(0, len(texts))], self._parameters.closeness)
            if whole:
                return whole
        return self._names.like(texts, sounds, _around(strange, len(texts)), self._parameters.closeness)

    def _evidence(self, words: Sequence[Word], named: Sequence[Named], documents: Whole, leading: Whole) -> Evidence:
        leaders = self._siblings.leaders(documents, leading)
        shares = coverage(words, named, np.concatenate([documents, leaders]), self._size)
        strange = [word for word in words if word.content and not word.known]
        return Evidence(
            coverage=np.maximum(shares[: len(documents)], shares[len(documents) :]),
            named=named_share(words, named, documents),
            run=longest_run([word.text for word in words], map(self._running.of, documents[:READ].tolist())),
            words=len(words),
            unknown=len(strange),
            guessed=sum(bool(word.variants) for word in strange),
        )


def _pour(scores: Real, scratch: Real) -> None:
    """Adds `scratch` to `scores` and clears it."""
    scores += scratch
    scratch.fill(0.0)


def _corrected(words: Sequence[Word]) -> list[str]:
    """The words of the query, each that no document holds replaced by what it most likely stands for."""
    found: list[str] = []
    for word in words:
        likeliest = max(word.variants, key=lambda variant: variant.weight, default=None)
        replaced = likeliest is not None and not word.known and word.text not in CONTRACTIONS
        found.extend(likeliest.tokens if likeliest is not None and replaced else [word.text])
    return found


def _around(strange: Sequence[int], count: int) -> list[Span]:
    """The spans of up to three of `count` words, but not of all, that hold one of the `strange` ones."""
    starts = {(first, at) for at in strange for first in range(max(at - 2, 0), at + 1)}
    spans = {(first, last) for first, at in starts for last in range(at + 1, min(first + 3, count) + 1)}
    return sorted(spans - {(0, count)})
