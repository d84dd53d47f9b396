"""Differences between two systems, each with its interval."""

from __future__ import annotations

from math import ceil

from markupsafe import Markup
from matplotlib.axes import Axes

from runner.retrieval.paired import SCORE, Difference, Pair
from runner.workflows.report.drawing import INK, SERIES, SOFT, WIDTH, blank, inline, panel, rule, say, settings


def differences(pair: Pair) -> Markup:
    """One pair of systems: every figure's difference with its interval, those out of 100 as shares of 100."""
    row = 27
    found = [_unit(each) for each in pair.differences]
    reach = ceil(20 * max(0.01, *(abs(end) for _, *ends in found for end in ends))) / 20
    with settings(f"differences-{pair.one}-{pair.other}"):
        figure = blank(row * len(found) + 18)
        axes = panel(figure, (8, 16, WIDTH - 16, row * len(found)))
        axes.set_xlim(-reach, reach)
        axes.set_ylim(-row * len(found), 0)
        rule(axes, (0, 0), (0, -row * len(found)), color=INK, lw=1, ls=(0, (2, 2)))
        for place in (-reach, 0, reach):
            anchor = {-reach: "left", reach: "right"}.get(place, "center")
            say(
                axes, (place, -row * len(found)), f"{place:+.2f}" if place else "0", off=(0, -12), ha=anchor, color=SOFT
            )
        for number, (each, (value, low, high)) in enumerate(zip(pair.differences, found, strict=True)):
            say(axes, (-reach, -row * number), each.figure, off=(0, -11))
            _interval(axes, -row * number - 19, value, (low, high))
        return inline(figure, f"Differences, {pair.one} less {pair.other}; the table has the numbers.")


def _unit(each: Difference) -> tuple[float, float, float]:
    """Value and interval between -1 and 1: the score is out of 100, everything else out of 1."""
    scale = 100 if each.figure == SCORE else 1
    return each.value / scale, each.interval.low / scale, each.interval.high / scale


def _interval(axes: Axes, height: float, value: float, ends: tuple[float, float]) -> None:
    rule(axes, ends, (height, height), color=SERIES[0], lw=2)
    for end in ends:
        rule(axes, (end, end), (height - 3, height + 3), color=SERIES[0], lw=2)
    axes.plot([value], [height], marker="o", ms=5, color=SERIES[0], clip_on=False)
