"""What the family bootstrap says of the score."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from matplotlib.axes import Axes

from runner.provenance.card import Scorecard
from runner.retrieval.score import CAP
from runner.retrieval.scorecard import SystemRow
from runner.workflows.report.drawing import (
    INK,
    SERIES,
    SOFT,
    WIDTH,
    blank,
    inline,
    panel,
    rule,
    say,
    settings,
)

_TALL, _GAP = 64, 38
#: Distances between the marks of an axis, in points of score.
_STEPS = (1, 2, 5, 10, 20)


def bootstrap(card: Scorecard) -> Markup:
    """A panel a system: the resampled score, uncapped and gated, with the interval of the uncapped one."""
    rows = card.systems
    low = min(row.uncertainty.distribution.low for row in rows)
    high = max(row.uncertainty.distribution.high for row in rows)
    with settings("bootstrap"):
        figure = blank((_TALL + _GAP) * len(rows) + 4)
        for number, row in enumerate(rows):
            bottom = 22 + (_TALL + _GAP) * (len(rows) - 1 - number)
            axes = panel(figure, (8, bottom, WIDTH - 16, _TALL))
            axes.set_xlim(low, high)
            _marks(axes, low, high)
            _distribution(axes, row, SERIES[number % len(SERIES)])
        return inline(figure, "Resampled scores of each system as histograms; the table below has the numbers.")


def _marks(axes: Axes, low: int, high: int) -> None:
    step = next((step for step in _STEPS if (high - low) / step <= 8), _STEPS[-1])
    for points in range(-(-low // step) * step, high + 1, step):
        rule(axes, (points, points), (0, -0.03), color=SOFT)
        say(axes, (points, 0), f"{points}", off=(0, -13), ha="center", color=SOFT)
    if low < CAP < high:
        rule(axes, (CAP, CAP), (0, 1), color=INK, lw=1.2, ls=(0, (2, 2)))
        say(axes, (CAP, 1), "cap", off=(0, 4), ha="center")


def _distribution(axes: Axes, row: SystemRow, colour: str) -> None:
    """Bars for the uncapped score, an outline for the gated one; both as high as their own highest bin."""
    found, spread = row.uncertainty.distribution, row.uncertainty.uncapped
    width = (found.high - found.low) / len(found.uncapped)
    edges = [found.low + width * place for place in range(len(found.uncapped) + 1)]
    axes.set_ylim(0, 1)
    axes.stairs(_scaled(found.uncapped), edges, fill=True, color=colour, clip_on=False)
    axes.stairs(_scaled(found.gated), edges, color=SOFT, lw=1.2, clip_on=False)
    rule(axes, (spread.low, spread.high), (0.06, 0.06), color=INK, lw=1.5)
    for end in (spread.low, spread.high):
        rule(axes, (end, end), (0, 0.12), color=INK, lw=1.5)
    rule(axes, (row.uncapped, row.uncapped), (0, 1), color=INK, lw=1.5)
    low, high = axes.get_xlim()
    end, anchor = (high, "right") if (low + high) / 2 > CAP else (low, "left")  # away from the word at the cap
    say(axes, (end, 1), f"{row.system} {row.uncapped:.2f}", off=(0, 4), ha=anchor, weight="bold")


def _scaled(counts: Sequence[int]) -> list[float]:
    return [count / max(counts) for count in counts]
