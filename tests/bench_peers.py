"""Our BM25 beside rank-bm25 and bm25s on many documents of one field: the same order, and how much sooner."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator

import bm25s
import numpy as np
from mambomeme.bm25 import Parameters, Real, Scorer, best, count_postings
from rank_bm25 import BM25Okapi

from tests.bench_rows import Row, at_least
from tests.synthetic import synthetic_texts

QUERIES = 40
MOST = 10
MS = 1_000_000


def rows(size: int) -> Iterator[Row]:
    """The same ten in the same order as rank-bm25, and the ratio of the median times to both."""
    documents = synthetic_texts(size)
    queries = [random.Random(at).sample(documents[at * 97 % size], 4) for at in range(QUERIES)]
    scorer = Scorer([(count_postings(documents), 1.0)], Parameters())
    okapi = BM25Okapi(documents)
    robertson = bm25s.BM25(method="robertson", k1=1.5, b=0.75)
    robertson.index(documents, show_progress=False)
    ours = median(lambda query: best(scorer.scores(query), MOST), queries)
    slow = median(lambda query: top(okapi.get_scores(query)), queries)
    sparse = median(lambda query: robertson.retrieve([query], k=MOST, show_progress=False, n_threads=0), queries)
    same = sum(best(scorer.scores(query), MOST).tolist() == top(okapi.get_scores(query)) for query in queries)
    what = f"BM25, one field, {size:,} documents"
    yield Row(f"{what}: the ten of rank-bm25", f"{same} of {QUERIES} queries", "all, in order", same == QUERIES)
    for name, theirs, wanted in (("rank-bm25", slow, 20), ("bm25s robertson", sparse, 2)):
        peers = f"{theirs:.2f} ms, ours {ours:.2f} ms"
        yield at_least(f"{what}: faster than {name}", theirs / ours, wanted, "times", peers=peers)


def top(scores: Real) -> list[int]:
    """The best documents by (-round(score, 5), document), as the library's scores have them."""
    near = np.flatnonzero(scores >= np.partition(scores, -MOST)[-MOST] - 1e-4)
    return sorted(near.tolist(), key=lambda at: (-round(float(scores[at]), 5), at))[:MOST]


def median(search: Callable[[list[str]], object], queries: list[list[str]]) -> float:
    """Milliseconds of the middle query."""
    found = []
    for query in queries:
        started = time.perf_counter_ns()
        search(query)
        found.append((time.perf_counter_ns() - started) / MS)
    return statistics.median(found)
