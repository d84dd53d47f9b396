"""Turns a query into the list of memes that answer it, by the routes of the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mambomeme.bm25 import DIGITS
from mambomeme.corpus import Corpus, Meme
from mambomeme.dense import DenseRoute
from mambomeme.filters import Filters
from mambomeme.fusion import Fusion, fuse
from mambomeme.index import Index
from mambomeme.lexical import Answer, LexicalRoute
from mambomeme.query import Query, parse_query
from mambomeme.routes import Found
from mambomeme.settings import Settings
from mambomeme.signals import Signals, dense_signals, lexical_signals


class Result(NamedTuple):
    """A meme, the routes that had it among their candidates, and its score, to the digits that order goes by."""

    meme: Meme
    routes: tuple[str, ...]
    score: float


class Ranking:
    """The memes of one corpus, ordered for any query. `dense` is None where no route needs it."""

    def __init__(self, corpus: Corpus, index: Index, settings: Settings, dense: DenseRoute | None) -> None:
        self._memes = corpus.memes
        self._fusion, self._shown = settings.fusion, settings.shown
        self._filters = Filters(corpus.memes)
        self._lexical = LexicalRoute(corpus.memes, index, settings.lexical) if settings.lexical else None
        self._dense = dense

    def search(self, text: str, limit: int) -> list[Result]:
        """At most `limit` memes; none where the routes say that nothing answers the query. Filters alone list, in the
        order of doc_id, what they leave."""
        query = parse_query(text)
        mask = self._filters.mask(query.filters)
        if mask is not None and not query.free:
            return [Result(self._memes[at], ("lexical",), 0.0) for at in np.flatnonzero(mask)[:limit].tolist()]
        worded = self._lexical.answer(query, mask, self._fusion.depth) if self._lexical else None
        near = self._dense.find(query, mask, self._fusion.depth) if self._dense else None
        signals = signals_of(query, worded, near)
        if not self._shown.answers(signals):
            return []
        routes = {"lexical": worded.found if worded else None, "dense": near}
        lists = {name: found for name, found in routes.items() if found is not None}
        joined = joined_list(lists, signals, self._fusion, len(self._memes))
        documents, scores = (values[:limit].tolist() for values in joined)
        held = {name: frozenset(found.documents.tolist()) for name, found in lists.items()}
        return [
            Result(self._memes[at], tuple(name for name in held if at in held[name]), round(score, DIGITS))
            for at, score in zip(documents, scores, strict=True)
        ]


def joined_list(lists: Mapping[str, Found], signals: Signals, fusion: Fusion, size: int) -> Found:
    """The lists of the routes that were asked as one; `size` is the number of documents there are."""
    if len(lists) == 1:
        return next(iter(lists.values()))
    return fuse(lists, fusion.weights(signals.coverage), fusion.constant, size)


def signals_of(query: Query, worded: Answer | None, near: Found | None) -> Signals:
    """What the routes that were asked say about `query`; None is a route that was not asked."""
    signals = lexical_signals(worded.evidence) if worded else Signals(brief=1 / max(len(query.line), 1))
    if near is not None:
        seen = dense_signals(near)
        signals = signals._replace(nearest=seen.nearest, lead=seen.lead)
    return signals._replace(filtered=float(bool(query.filters)))
