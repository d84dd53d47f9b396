"""The engine of `bm25-reference`: rank-bm25 over all that the corpus says of an item: `python3 -m reference.engine`."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import numpy as np
from mambomeme import engine
from mambomeme.bm25 import best
from mambomeme.corpus import Corpus, digest
from mambomeme.reference import Plain, loader, whole_text
from mambomeme.routes import Found
from mambomeme.settings import canonical
from mambomeme.tokens import tokens, tokens_of
from rank_bm25 import BM25Okapi


def open_bm25(corpus: Corpus, _environment: Mapping[str, str]) -> Plain:
    """The library with its own constants; the index is named by the tokens that it was given."""
    documents = tokens_of(whole_text(meme) for meme in corpus.memes)
    okapi = BM25Okapi(documents)

    def search(text: str, limit: int) -> Found:
        scores = np.asarray(okapi.get_scores(tokens(text)))
        documents = best(scores, limit)
        return Found(documents, scores[documents])

    return Plain(search, "lexical", digest(canonical(documents)), None)


if __name__ == "__main__":
    sys.exit(engine.main(loader(open_bm25)))
