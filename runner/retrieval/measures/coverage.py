"""Whether answers come when there is something to find, stay away when there is not, and can be shown (C, S)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from runner.retrieval.items import Safety

Values = NDArray[np.float64]


def correct_empty(shown: Sequence[str]) -> float:
    """1 for an empty list, the right answer to a no-match query."""
    return float(not shown)


def safe_list(shown: Sequence[str], classes: Mapping[str, Safety]) -> float:
    """1 if every item shown is of a class that may be shown; an empty list is safe."""
    return float(all(classes[doc_id].displayable for doc_id in shown))


def coverage(hit: Values, correct: Values) -> Values:
    """C: harmonic mean of Hit@10 and CorrectEmpty, 0 where both are 0."""
    total = hit + correct
    return np.divide(2 * hit * correct, total, out=np.zeros_like(total), where=total > 0)
