"""Lets the memes of one template share in what the best of them scores: they show the same picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mambomeme.bm25 import Real, Whole, best


class Siblings:
    """Which documents share a template; `templates` has one name for each document, blank where it has none."""

    def __init__(self, templates: Sequence[str]) -> None:
        numbers: dict[str, int] = {}
        self._family = np.array(
            [numbers.setdefault(name or f"\0{at}", len(numbers)) for at, name in enumerate(templates)], dtype=np.int32
        )
        self._nobody = np.full(len(numbers), -1, dtype=np.int32)

    def share(self, scores: Real, part: float, *, among: int) -> Whole:
        """Adds to every document of a family `part` of the family's best score, for the families of the `among` best
        documents. The best document of each family, or -1."""
        documents = best(scores, among)[::-1]
        families = self._family[documents]
        leading = self._nobody.copy()
        leading[families] = documents  # of one family the last set stays, which is the best
        gains = np.zeros(len(leading))
        gains[families] = part * scores[leading[families]]
        scores += gains[self._family]
        return leading

    def leaders(self, documents: Whole, leading: Whole) -> Whole:
        """For each document the best of its family as `share` gave it, itself where there is none."""
        found = leading[self._family[documents]]
        return np.where(found < 0, documents, found)
