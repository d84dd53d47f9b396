"""The route `dense`: documents whose vectors point where the query's does, by exact products of whole numbers."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mambomeme import embedding
from mambomeme.corpus import Corpus
from mambomeme.embedding import Embedding
from mambomeme.encoder import SCALE, Encoder, Vectors
from mambomeme.query import Query
from mambomeme.routes import Found

_ROWS = 3
"""How many rows a document are looked at first; most often they suffice."""

UNIT = SCALE * SCALE
"""The product of two equal vectors, but for rounding."""


class Nearest:
    """Finds the documents of `embedding` with the greatest products; the best of a document's vectors counts."""

    def __init__(self, known: Embedding) -> None:
        # Here, because who searches without this route need not load it.
        import faiss

        faiss.omp_set_num_threads(1)
        self._faiss = faiss
        self._documents = known.documents
        whole = faiss.ScalarQuantizer.QT_8bit_direct_signed
        self._index = faiss.IndexScalarQuantizer(known.vectors.shape[1], whole, faiss.METRIC_INNER_PRODUCT)
        # Products and their sums stay below 2**24, so that single precision holds them exactly, in any order.
        self._index.codes.resize(known.vectors.size)
        self._index.ntotal = len(known.vectors)
        codes = faiss.rev_swig_ptr(self._index.codes.data(), known.vectors.size)
        self._codes = codes.reshape(known.vectors.shape)  # the index's own memory
        # The code of a number is the number and 128: that is what `add` would make, without the detour over floats.
        np.bitwise_xor(known.vectors.view(np.uint8), 128, out=self._codes)

    def find(self, vector: Vectors, allowed: npt.NDArray[np.bool_] | None, depth: int) -> Found:
        """At most `depth` documents by (-product, document), each with its product over UNIT, a cosine but for
        rounding."""
        rows = self._candidates(vector, allowed, depth)
        products = (self._codes[rows].astype(np.int32) - 128) @ vector.astype(np.int32)
        order = np.lexsort((self._documents[rows], -products))
        documents, first = np.unique(self._documents[rows][order], return_index=True)
        best = np.argsort(first, kind="stable")[:depth]
        return Found(documents[best].astype(np.int32), products[order][first[best]] / UNIT)

    def _candidates(self, vector: Vectors, allowed: npt.NDArray[np.bool_] | None, depth: int) -> npt.NDArray[np.int64]:
        """Rows that hold the best of each of the `depth` best documents, and all that equal the last of these."""
        selector = None if allowed is None else self._selector(allowed)
        size = len(self._documents) if allowed is None else int(np.count_nonzero(allowed[self._documents]))
        count = min(_ROWS * depth, size)
        query = vector.astype(np.float32)[np.newaxis]
        while True:
            products, rows = self._index.search(query, max(count, 1), params=selector)
            if count >= size or len(self._best(rows[0], products[0])) >= depth:
                return rows[0][rows[0] >= 0]
            count = min(2 * count, size)

    def _best(self, rows: npt.NDArray[np.int64], products: npt.NDArray[np.float32]) -> npt.NDArray[np.int32]:
        """The documents that are above the last of `rows`, whose equals may not all be among them."""
        return np.unique(self._documents[rows[products > products[-1]]])

    def _selector(self, allowed: npt.NDArray[np.bool_]) -> object:
        bits = np.packbits(allowed[self._documents], bitorder="little")
        return self._faiss.SearchParameters(sel=self._faiss.IDSelectorBitmap(bits))


class DenseParameters(NamedTuple):
    """What a near idea is worth against a near field of the item."""

    ideas: float = 0.8


class DenseRoute:
    """See `mambomeme.routes.Route`."""

    name = "dense"

    def __init__(self, encoder: Encoder, known: Embedding, parameters: DenseParameters) -> None:
        self._encoder = encoder
        self._nearest = Nearest(known._replace(vectors=known.weighted(parameters.ideas)))

    def find(self, query: Query, allowed: npt.NDArray[np.bool_] | None, depth: int) -> Found:
        """See `mambomeme.routes.Route`; what is asked for is the query without its filters."""
        if not query.free or depth < 1:
            return Found(np.zeros(0, dtype=np.int32), np.zeros(0))
        return self._nearest.find(self._encoder.vector(query.free), allowed, depth)


def open_dense(encoder: Encoder, indexed: Path, corpus: Corpus, parameters: DenseParameters) -> DenseRoute:
    """The route for `corpus` with the vectors in the folder `indexed`; StartError where these are not whole, not of
    this corpus and model, or not what this processor would make. One encoder serves any number of routes."""
    known = embedding.load(indexed, corpus, encoder.digest)
    embedding.require_same_processor(encoder, known)
    return DenseRoute(encoder, known, parameters)
