"""Runs the bundled engine's parts over the development queries; what a route answers is kept."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from mambomeme.corpus import read_corpus
from mambomeme.dense import DenseParameters, DenseRoute
from mambomeme.embedding import load as load_embedding
from mambomeme.encoder import Encoder
from mambomeme.filters import Filters
from mambomeme.fusion import Fusion
from mambomeme.index import load as load_index
from mambomeme.lexical import Answer, LexicalParameters, LexicalRoute
from mambomeme.query import parse_query
from mambomeme.ranking import joined_list, signals_of
from mambomeme.routes import Found
from mambomeme.signals import Signals

Lists = Mapping[str, tuple[str, ...]]
"""The first ten documents for each query."""

LENGTH = 10


class Trial(NamedTuple):
    """What one set of parameters gives before anything is withheld: a list and the signals of each query.

    `unasked` are the queries of filters alone, whose lists are shown whatever the signals.
    """

    lists: Lists
    signals: Mapping[str, Signals]
    unasked: frozenset[str]


class Places(NamedTuple):
    """The corpus folder, a built index with vectors, the models folder."""

    corpus: Path
    indexed: Path
    models: Path


class Laboratory:
    """The routes over the queries `texts`, by query_id. Each answers them once for each set of its parameters."""

    def __init__(self, places: Places, texts: Mapping[str, str]) -> None:
        self._places = places
        self.corpus = read_corpus(places.corpus)
        self.index = load_index(places.indexed)
        self._doc_ids = [meme.doc_id for meme in self.corpus.memes]
        self._queries = {query_id: parse_query(text) for query_id, text in texts.items()}
        filters = Filters(self.corpus.memes)
        self._masks = {query_id: filters.mask(query.filters) for query_id, query in self._queries.items()}
        self._unasked = frozenset(
            query_id for query_id, query in self._queries.items() if query.filters and not query.free
        )
        self._worded: dict[str, dict[str, Answer]] = {}
        self._near: dict[DenseParameters, dict[str, Found]] = {}

    @cached_property
    def encoder(self) -> Encoder:
        """The model."""
        return Encoder(self._places.models)

    def bm25(self, lexical: LexicalParameters) -> Trial:
        """The lexical route alone."""
        return self._trial(self._words(lexical), {}, Fusion())

    def dense(self, dense: DenseParameters) -> Trial:
        """The dense route alone."""
        return self._trial({}, self._vectors(dense), Fusion())

    def hybrid(self, lexical: LexicalParameters, dense: DenseParameters, fusion: Fusion) -> Trial:
        """Both, fused."""
        return self._trial(self._words(lexical), self._vectors(dense), fusion)

    def _trial(self, worded: Mapping[str, Answer], near: Mapping[str, Found], fusion: Fusion) -> Trial:
        lists, signals = {}, {}
        for query_id, query in self._queries.items():
            signals[query_id] = signals_of(query, worded.get(query_id), near.get(query_id))
            routes = {"lexical": worded[query_id].found} if worded else {}
            routes |= {"dense": near[query_id]} if near else {}
            joined = joined_list(routes, signals[query_id], fusion, len(self._doc_ids))
            lists[query_id] = self._listed(query_id, joined)
        return Trial(lists, signals, self._unasked)

    def _listed(self, query_id: str, found: Found) -> tuple[str, ...]:
        mask = self._masks[query_id]
        if mask is not None and query_id in self._unasked:
            return tuple(self._doc_ids[at] for at in np.flatnonzero(mask)[:LENGTH].tolist())
        return tuple(self._doc_ids[at] for at in found.documents[:LENGTH].tolist())

    def _words(self, lexical: LexicalParameters) -> dict[str, Answer]:
        key = repr(lexical)
        if key not in self._worded:
            route = LexicalRoute(self.corpus.memes, self.index, lexical)
            self._worded[key] = {
                query_id: route.answer(query, self._masks[query_id], Fusion().depth)
                for query_id, query in self._queries.items()
            }
        return self._worded[key]

    def _vectors(self, dense: DenseParameters) -> dict[str, Found]:
        if dense not in self._near:
            known = load_embedding(self._places.indexed, self.corpus, self.encoder.digest)
            route = DenseRoute(self.encoder, known, dense)
            self._near[dense] = {
                query_id: route.find(query, self._masks[query_id], Fusion().depth)
                for query_id, query in self._queries.items()
            }
        return self._near[dense]
