"""Turns a query into the list of memes that answer it."""

from __future__ import annotations

import numpy as np

from mambomeme.bm25 import Scorer
from mambomeme.corpus import Corpus, Meme
from mambomeme.faults import StartError
from mambomeme.index import Index
from mambomeme.settings import Settings
from mambomeme.tokens import FUNCTION_WORDS, tokens

_DIGITS = 5


class Ranking:
    """The memes of one corpus, ordered for any query by (-round(score, 5), doc_id)."""

    def __init__(self, corpus: Corpus, index: Index, settings: Settings) -> None:
        if index.corpus != corpus.digest or index.doc_ids != tuple(meme.doc_id for meme in corpus.memes):
            raise StartError(
                f"index: made from corpus {index.corpus}, found {corpus.digest}. "
                "Build it again with 'python3 -m mambomeme.index'."
            )
        self._memes = corpus.memes
        self._threshold = settings.threshold
        fields = [(index.fields[field], weight) for field, weight in settings.weights.items()]
        self._scorer = Scorer(fields, settings.parameters)

    def search(self, text: str, limit: int) -> list[Meme]:
        """At most `limit` memes that score above the threshold and match a word with a subject of its own."""
        words = tokens(text)
        scores = self._scorer.scores(words)
        matching = self._scorer.matching(word for word in words if word not in FUNCTION_WORDS)
        found = np.flatnonzero(matching & (scores > self._threshold))
        if len(found) > limit:
            last = np.partition(scores[found], -limit)[-limit]
            found = found[scores[found] >= last - 2 * 10.0**-_DIGITS]
        order = sorted(found.tolist(), key=lambda at: (-round(float(scores[at]), _DIGITS), at))
        return [self._memes[at] for at in order[:limit]]
