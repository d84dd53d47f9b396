"""Finds items by sentence-transformers' vectors and faiss's exact inner products."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import faiss
from mambomeme.corpus import Corpus, digest
from mambomeme.reference import Plain
from mambomeme.routes import Found

from reference.encoder import MODEL, encode, open_encoder
from reference.vectors import load_vectors


def open_dense(corpus: Corpus, environment: Mapping[str, str]) -> Plain:
    """The model in MAMBO_MODELS, named by its card, and the vectors of the folder."""
    models = Path(environment["MAMBO_MODELS"])
    vectors = load_vectors(corpus)
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    encoder = open_encoder(models)

    def search(text: str, limit: int) -> Found:
        products, documents = index.search(encode(encoder, [text]), limit)
        return Found(documents[0], products[0])

    return Plain(search, "dense", digest(vectors.tobytes()), digest((models / MODEL / "model.json").read_bytes()))
