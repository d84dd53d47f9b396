"""What is tried: for each system its stages, and for each stage the values of the parameters that it chooses among."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from mambomeme.dense import DenseParameters
from mambomeme.fusion import Fusion
from mambomeme.lexical import LexicalParameters

Axis = Mapping[str, Sequence[float]]
"""The values of each parameter of a stage."""

LEXICAL: Axis = {
    "weights.ideas": (0.0, 0.3, 0.6, 1.0),
    "template": (0.25, 0.5, 0.75),
    "pairs": (0.5, 1.0, 1.5),
    "names": (1.0, 1.5, 2.0),
}
"""Chosen one after the other, in this order."""

DENSE: Axis = {"ideas": (0.7, 0.8)}

FUSION: Axis = {"constant": (5, 10), "lexical": (0.1, 0.2), "sure": (4.0, 8.0)}
"""Chosen together."""

SIGNALS: Mapping[str, tuple[str, ...]] = {
    "bm25": ("coverage", "cover_all", "named", "order", "unknown", "guessed", "filtered", "brief"),
    "dense": ("nearest", "lead", "filtered", "brief"),
    "hybrid": (
        "coverage", "cover_all", "named", "order", "unknown", "guessed", "nearest", "lead",
        "filtered", "brief",
    ),
}  # fmt: skip
"""What the rule on empty lists of each system may look at."""

WITHHELD = 0.70
"""The share of the no-match queries that the rule leaves without a list: what the gate asks for, and a tenth more."""

PENALTY = 0.1
"""The inverse strength of the L2 penalty on the weights of the standardised signals."""


def lexical_with(base: LexicalParameters, name: str, value: float) -> LexicalParameters:
    """`base` with one parameter replaced; `weights.X` is the weight of field X."""
    if name.startswith("weights."):
        return base._replace(weights={**base.weights, name.removeprefix("weights."): value})
    return base._replace(**{name: value})


def combinations(axis: Axis) -> Iterator[dict[str, Any]]:
    """Every combination of the values, the last parameter's changing fastest."""
    for values in product(*axis.values()):
        yield dict(zip(axis, values, strict=True))


def dense_trials() -> list[DenseParameters]:
    """Every combination of DENSE."""
    return [DenseParameters(**values) for values in combinations(DENSE)]


def fusion_trials() -> list[Fusion]:
    """Every combination of FUSION."""
    return [Fusion(**values) for values in combinations(FUSION)]
