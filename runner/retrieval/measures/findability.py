"""How early something relevant, or the exact target, stands in a list (D3, D21)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from runner.retrieval.measures.ndcg import CUT

RELEVANT_FROM = 2.0


def relevant(grades: Mapping[str, float]) -> frozenset[str]:
    """The items of `grades` that count as relevant."""
    return frozenset(doc_id for doc_id, grade in grades.items() if grade >= RELEVANT_FROM)


def hit(shown: Sequence[str], wanted: Collection[str], cut: int) -> float:
    """1 if one of `wanted` stands in the first `cut`, else 0."""
    return float(any(doc_id in wanted for doc_id in shown[:cut]))


def reciprocal_rank(shown: Sequence[str], wanted: Collection[str]) -> float:
    """1 / rank of the first of `wanted` in the first ten, else 0."""
    for rank, doc_id in enumerate(shown[:CUT], 1):
        if doc_id in wanted:
            return 1 / rank
    return 0.0


def recall(shown: Sequence[str], wanted: Collection[str]) -> float:
    """Share of `wanted`, which is not empty, that stands in the first ten."""
    return len(set(shown[:CUT]) & set(wanted)) / len(wanted)


def exact_reciprocal_rank(shown: Sequence[str], groups: Sequence[Collection[str]]) -> float:
    """1 / rank of the first exact target; an equivalence group counts at its first member."""
    return max((reciprocal_rank(shown, group) for group in groups), default=0.0)
