"""MMTS-Search-v1: components, aggregate, cap and bands (D21-D23, D25, D26)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import numpy as np

from runner.retrieval.groups import Subset
from runner.retrieval.latency import Integers
from runner.retrieval.measures.coverage import Values, coverage
from runner.retrieval.measures.names import Measure
from runner.retrieval.sample import Sample
from runner.retrieval.topics import ANSWERABLE, Slice

SCORE_VERSION = "MMTS-Search-v1"
CAP = 59.0

_FULL_NS, _NO_CREDIT_NS = 200_000_000, 1_000_000_000


class Components(NamedTuple):
    """The six inputs of the score, each in [0, 1]; one array entry for each row of weights."""

    Q: Values
    E: Values
    C: Values
    S: Values
    L: Values
    R: Values


class Band(StrEnum):
    """What a score means."""

    EXCELLENT = "excellent"
    STRONG = "strong"
    GOOD = "good"
    ACCEPTABLE = "acceptable"
    NOT_READY = "not release-ready"


def components(sample: Sample) -> Components:
    """The inputs of the score under each row of weights."""
    means = sample.means
    return Components(
        Q=macro_mean([means[Measure.NDCG, s] for s in ANSWERABLE]),
        E=means[Measure.EXACT_RR, Subset.EXACT],
        C=coverage(means[Measure.HIT_10, Subset.ANSWERABLE], means[Measure.CORRECT_EMPTY, Slice.NO_MATCH]),
        S=macro_mean([means[Measure.SAFE, Subset.ORDINARY], means[Measure.SAFE, Subset.SAFETY]]),
        L=latency_credit(sample.p95_ns),
        R=reliability_credit(sample.failed, sample.requests),
    )


def macro_mean(parts: list[Values]) -> Values:
    """The mean of `parts`, added in their order."""
    total = np.zeros_like(parts[0])
    for part in parts:
        total = total + part
    return total / len(parts)


def latency_credit(p95_ns: Integers) -> Values:
    """L: 1 up to 200 ms, 0 from 1,000 ms on, straight between."""
    return np.clip((_NO_CREDIT_NS - p95_ns) / (_NO_CREDIT_NS - _FULL_NS), 0.0, 1.0)


def reliability_credit(failed: Integers, requests: Integers) -> Values:
    """R: 1 without errors and timeouts, 0 from 1 % of the requests on."""
    return np.clip((requests - 100 * failed) / requests, 0.0, 1.0)


def aggregate(parts: Components) -> Values:
    """The uncapped score, 0 to 100."""
    return 55 * parts.Q + 15 * parts.E + 10 * parts.C + 10 * parts.S + 5 * parts.L + 5 * parts.R


def band(score: float) -> Band:
    """The half-open band that the unrounded `score` falls into."""
    for least, name in ((90, Band.EXCELLENT), (80, Band.STRONG), (70, Band.GOOD), (60, Band.ACCEPTABLE)):
        if score >= least:
            return name
    return Band.NOT_READY
