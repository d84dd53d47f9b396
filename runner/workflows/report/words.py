"""Puts numbers and names of a card into the words that stand on its page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from runner.counts import counted
from runner.retrieval.estimates import Interval
from runner.retrieval.gates import Verdict
from runner.retrieval.latency import milliseconds
from runner.retrieval.scorecard import GateRow


def interval(found: Interval) -> str:
    """A 95 % interval in brackets."""
    return f"[{found.low:.3f}, {found.high:.3f}]"


def points(value: float) -> str:
    """A score out of 100, or a bound of one."""
    return f"{value:.2f}"


def figure(value: float) -> str:
    """A figure in [0, 1], or a share of resamples at its full width."""
    return f"{value:.3f}"


def decimals(value: float) -> str:
    """A figure at all the decimals of a card, to be had again by hand."""
    return f"{value:.6f}"


def signed(value: float) -> str:
    """A difference, with its sign."""
    return f"{value:+.3f}"


def signed_interval(found: Interval) -> str:
    """The 95 % interval of a difference."""
    return f"[{found.low:+.3f}, {found.high:+.3f}]"


def share4(value: float) -> str:
    """A fraction of 10,000 resamples."""
    return f"{value:.4f}"


def wanted(gate: GateRow) -> str:
    """What a gate asks for."""
    return gate.rule if gate.threshold is None else f"{gate.rule} {gate.threshold:g}"


def verdict_class(verdict: Verdict) -> str:
    """The style that goes with a verdict, which is always said in words too."""
    return verdict.value.lower().replace(" ", "-")


def megabytes(size: int) -> str:
    """Bytes as MB of a million."""
    return f"{size / 1e6:.1f}"


def thousands(count: int) -> str:
    """A large count."""
    return f"{count:,}"


FILTERS: Mapping[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        decimals, figure, interval, megabytes, points, share4, signed, signed_interval, thousands, verdict_class,
        wanted,
    )
} | {"ms": milliseconds, "counted": counted}  # fmt: skip
