"""The names of the measures, as they stand on cards and in `measure --json`."""

from __future__ import annotations

from enum import StrEnum


class Measure(StrEnum):
    """One figure of one answer to one query; each lies in [0, 1]."""

    NDCG = "nDCG@10"
    EXACT_RR = "ExactRR@10"
    HIT_1 = "Hit@1"
    HIT_5 = "Hit@5"
    HIT_10 = "Hit@10"
    RECALL = "Recall@10"
    RR = "RR@10"
    CORRECT_EMPTY = "CorrectEmpty"
    SAFE = "SafeList"

    @property
    def proportion(self) -> bool:
        """Whether its mean is a share of queries, and so carries a Wilson interval too (D28)."""
        return self in {Measure.HIT_10, Measure.CORRECT_EMPTY, Measure.SAFE}
