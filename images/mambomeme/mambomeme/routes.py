"""What a route to documents gives back, and what every route can do."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mambomeme.query import Query


class Found(NamedTuple):
    """Documents, best first, each by its place in the corpus, and their scores (higher is better)."""

    documents: npt.NDArray[np.int32]
    scores: npt.NDArray[np.float64]


class Route(Protocol):
    """One way from a query to documents."""

    name: str

    def find(self, query: Query, allowed: npt.NDArray[np.bool_] | None, depth: int) -> Found:
        """At most `depth` documents, of those that `allowed` marks (all where it is None)."""
        ...
