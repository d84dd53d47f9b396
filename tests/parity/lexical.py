"""Our BM25 beside rank-bm25: the same scores and order for every field of the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from mambomeme.bm25 import Parameters, Postings, Real, Scorer, best
from mambomeme.corpus import FIELDS, Meme
from mambomeme.tokens import tokens, tokens_of
from rank_bm25 import BM25Okapi

from tests.bench_rows import Row

CLOSE = 1e-9
"""Scores are sums of a few doubles; only the last digits of these may differ."""


def rows(memes: Sequence[Meme], fields: Mapping[str, Postings], queries: Sequence[str]) -> Iterator[Row]:
    """One row a field: the greatest difference of any score, and the queries with the same order throughout."""
    for number, field in enumerate(FIELDS):
        okapi = BM25Okapi(tokens_of(meme.texts[number] for meme in memes))
        scorer = Scorer([(fields[field], 1.0)], Parameters())
        yield field_row(field, okapi, scorer, queries)


def field_row(field: str, okapi: BM25Okapi, scorer: Scorer, queries: Sequence[str]) -> Row:
    """What one field comes to. Whole lists are compared: every document that scores above 0."""
    differences, same, scored = [], 0, 0
    for query in queries:
        theirs, ours = np.asarray(okapi.get_scores(tokens(query))), scorer.scores(tokens(query))
        differences.append(float(np.abs(theirs - ours).max()))
        same += order(theirs) == order(ours)
        scored += int(np.count_nonzero(theirs))
    found = f"{same} of {len(queries)} queries, {scored:,} scores within {max(differences):.1e}"
    met = same == len(queries) and max(differences) <= CLOSE
    return Row(f"BM25, {field}: rank-bm25's scores and order", found, f"all, within {CLOSE:.0e}", met)


def order(scores: Real) -> list[int]:
    """All documents that score above 0, best first."""
    return best(scores, len(scores)).tolist()
