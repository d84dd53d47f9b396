"""The distribution of both latencies of each system, over the floors of the measuring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_lowercase
from typing import Any, NamedTuple

from markupsafe import Markup
from matplotlib.axes import Axes

from runner.provenance.card import Floor, Scorecard
from runner.retrieval.latency import NS_PER_MS, percentile
from runner.workflows.report.drawing import (
    INK,
    SERIES,
    SOFT,
    TEXT,
    WIDTH,
    blank,
    inline,
    panel,
    rule,
    say,
    settings,
)
from runner.workflows.report.traces import Trace

#: Full credit for speed ends at the first, all credit at the second.
LIMITS_MS = (200, 1000)
#: Percentiles in steps of half a percent.
_STEPS = range(5, 1001, 5)
_LEFT, _TALL, _GAP = 34, 92, 34
_DECADES_MS = (0.01, 0.1, 1, 10, 100, 1000)
_SPAN_MS = (0.01, 3000)


class LetteredFloor(NamedTuple):
    """A floor with the letter by which the figure calls it."""

    letter: str
    floor: Floor


def lettered(floors: Sequence[Floor]) -> Sequence[LetteredFloor]:
    """The floors in their order, the same probe of every system under the same letter."""
    kinds = list(dict.fromkeys(_kind(floor) for floor in floors))
    return [LetteredFloor(ascii_lowercase[kinds.index(_kind(floor)) % 26], floor) for floor in floors]


def latency(card: Scorecard, traces: Sequence[Trace]) -> Markup:
    """A panel a system: the share of requests that took no longer, UI path and engine path."""
    floors = lettered(card.floors)
    with settings("latency"):
        figure = blank((_TALL + _GAP) * len(traces) + 8)
        for number, one in enumerate(traces):
            bottom = 20 + (_TALL + _GAP) * (len(traces) - 1 - number)
            axes = panel(figure, (_LEFT, bottom, WIDTH - _LEFT - 8, _TALL))
            axes.set_xscale("log")
            axes.set_xlim(*_SPAN_MS)
            axes.set_ylim(0, 1)
            _ground(axes, one.system)
            _floors(axes, [each for each in floors if each.floor.name.startswith(f"{one.system}: ")])
            colour = SERIES[number % len(SERIES)]
            _curve(axes, (seen.latency_ns for seen in one.observations), color=colour, lw=2)
            _curve(axes, one.engine_ns, color=colour, lw=1.4, ls=(0, (3, 2)))
        return inline(figure, "Share of requests by time, for each system; the tables below have the numbers.")


def _kind(floor: Floor) -> str:
    return floor.name.partition(": ")[2]


def _ground(axes: Axes, system: str) -> None:
    """Name, decades, limits and shares."""
    say(axes, (_SPAN_MS[0], 1), system, off=(0, 5), weight="bold")
    for ms in _DECADES_MS:
        rule(axes, (ms, ms), (0, 1), zorder=0)
        say(axes, (ms, 0), f"{ms:g}", off=(0, -11), ha="center", color=SOFT)
    say(axes, (_SPAN_MS[1], 0), "ms", off=(0, -11), ha="center", color=SOFT)
    for ms in LIMITS_MS:
        rule(axes, (ms, ms), (0, 1), color=INK, lw=1.2, ls=(0, (2, 2)))
        say(axes, (ms, 1), f"{ms:,}", off=(0, 5), ha="center")
    for share in (0, 0.5, 0.95, 1):
        rule(axes, _SPAN_MS, (share, share), zorder=0)
    for share, words in ((0.5, "50 %"), (0.95, "95 %")):
        say(axes, (_SPAN_MS[0], share), words, off=(-4, -3.5), ha="right", color=SOFT, fontsize=TEXT - 1)


def _floors(axes: Axes, floors: Sequence[LetteredFloor]) -> None:
    """From p50 to p95 of each probe."""
    for number, (letter, floor) in enumerate(floors):
        low, high = (max(ns / NS_PER_MS, _SPAN_MS[0]) for ns in (floor.p50_ns, floor.p95_ns))
        height = 0.06 + 0.11 * number
        rule(axes, (low, high), (height, height), color=SOFT, lw=3)
        say(axes, (low, height), letter, off=(-4, -3), ha="right", color=SOFT, fontsize=TEXT - 1)


def _curve(axes: Axes, latencies: Iterable[int], **look: Any) -> None:
    ordered = sorted(latencies)
    if ordered:
        times = [min(max(percentile(ordered, step) / NS_PER_MS, _SPAN_MS[0]), _SPAN_MS[1]) for step in _STEPS]
        axes.plot(times, [step / 1000 for step in _STEPS], clip_on=False, **look)
