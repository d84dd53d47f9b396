"""Joins the lists of several routes into one by reciprocal ranks, the lexical one heavier the surer it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mambomeme.bm25 import best
from mambomeme.routes import Found


class Fusion(NamedTuple):
    """`constant` and `depth` of reciprocal-rank fusion, the weight of each route, and `sure`.

    The lexical route's weight grows by `sure` where one document holds all that was asked for, so that names, quotes
    and typing errors do not lose to something that only lies near.
    """

    constant: float = 10.0
    depth: int = 50
    lexical: float = 0.3
    dense: float = 1.0
    sure: float = 4.0

    def weights(self, coverage: float) -> Mapping[str, float]:
        """The weight of each route where the best document covers so much of the query, from 0 to 1."""
        return {"lexical": self.lexical + self.sure * coverage * coverage * coverage, "dense": self.dense}


def fuse(lists: Mapping[str, Found], weights: Mapping[str, float], constant: float, size: int) -> Found:
    """All documents of `lists`, scored by the sum of weight / (constant + rank) over the routes that found them
    (Cormack, Clarke and Büttcher 2009); `size` is the number of documents there are."""
    total = np.zeros(size)
    for name, found in lists.items():
        total[found.documents] += weights[name] / (constant + np.arange(1, len(found.documents) + 1))
    documents = best(total, int(np.count_nonzero(total)))
    return Found(documents, total[documents])
