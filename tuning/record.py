"""The record of a tuning run, as it is kept under `manifests/tuning/` and named by the system manifests."""

from __future__ import annotations

from typing import Any, Literal

from runner.documents import Digest, Document
from tuning.quality import Quality


class Inputs(Document):
    """Digests of all that the choice rests on; the partition was pinned before tuning began."""

    corpus: Digest
    index: Digest
    model: Digest
    ideas: Digest
    partition: Digest
    judgement_set: Digest


class Grid(Document):
    """What was tried: `lexical` one parameter after the other, `dense` and `fusion` in all combinations.

    The rule on empty lists is a logistic regression on `signals` with an L2 penalty of strength 1 / `penalty`, and a
    bias that leaves the share `withheld` of the no-match queries without a list.
    """

    lexical: dict[str, tuple[float, ...]]
    dense: dict[str, tuple[float, ...]]
    fusion: dict[str, tuple[float, ...]]
    signals: dict[str, tuple[str, ...]]
    penalty: float
    withheld: float


class Outcome(Document):
    """One system. `configuration` was chosen on all families; `cross_validated` are its figures where the choice for
    each fold was made on the other folds' families; `same_data` where it was made on all; `ranking_alone` with every
    list shown."""

    configuration: dict[str, Any]
    cross_validated: Quality
    same_data: Quality
    ranking_alone: Quality


class Ablation(Document):
    """One part taken out of a chosen configuration, every list shown."""

    system: str
    without: str
    ranking_alone: Quality


class TuningRecord(Document):
    """`manifests/tuning/*.json`."""

    format: Literal["mambomeme/tuning/v1"]
    inputs: Inputs
    grid: Grid
    folds: int
    families: int
    caveats: tuple[str, ...]
    systems: dict[str, Outcome]
    ablations: tuple[Ablation, ...]
