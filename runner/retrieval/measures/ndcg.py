"""nDCG@10 with exponential gain, from tables, so that every machine gives the same bits (D20, D29)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum

CUT = 10

# 2^grade - 1 for the seven grades that one annotator, or the mean of two, can give.
GAINS: Mapping[float, float] = {
    0.0: 0.0,
    0.5: 0.41421356237309503,
    1.0: 1.0,
    1.5: 1.82842712474619,
    2.0: 3.0,
    2.5: 4.656854249492381,
    3.0: 7.0,
}

# log2(rank + 1) for ranks 1 to 10. Written out: a C library's log2 may differ in its last bit.
DISCOUNTS: Sequence[float] = (
    1.0,
    1.584962500721156,
    2.0,
    2.321928094887362,
    2.584962500721156,
    2.807354922057604,
    3.0,
    3.169925001442312,
    3.321928094887362,
    3.4594316186372973,
)


def dcg(grades: Iterable[float]) -> float:
    """Discounted gain of `grades` in the order shown, cut at 10.

    fsum, because `sum` over floats changed its rounding in Python 3.12.
    """
    return fsum(GAINS[grade] / discount for grade, discount in zip(grades, DISCOUNTS, strict=False))


def ideal_dcg(grades: Iterable[float]) -> float:
    """The highest DCG that any order of the judged serving items reaches."""
    return dcg(sorted(grades, reverse=True))


def shown_dcg(shown: Sequence[str], grades: Mapping[str, float]) -> float:
    """DCG of a list in the order the user saw; an unjudged item has gain 0."""
    return dcg(grades.get(doc_id, 0.0) for doc_id in shown)


def ndcg(shown: Sequence[str], grades: Mapping[str, float]) -> float:
    """DCG over ideal DCG. The caller leaves out queries whose ideal is zero, for which it is undefined."""
    return shown_dcg(shown, grades) / ideal_dcg(grades.values())
