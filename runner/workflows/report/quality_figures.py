"""The figures of the page; each has the same numbers in a table beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup
from matplotlib.axes import Axes

from runner.provenance.card import Scorecard
from runner.retrieval.estimates import Estimate
from runner.retrieval.gates import MEASURED
from runner.retrieval.measures.names import Measure
from runner.retrieval.scorecard import GroupRow, SystemRow
from runner.retrieval.topics import Slice
from runner.workflows.report.drawing import (
    GRID,
    INK,
    SERIES,
    SOFT,
    TEXT,
    WIDTH,
    blank,
    inline,
    mark,
    panel,
    rule,
    say,
    settings,
)

_LEFT, _RIGHT = 56, 34
_BAR, _GAP = 11, 9


class SliceFigure(NamedTuple):
    """The figure that a slice is held to."""

    measure: Measure
    gate: float


def slice_figure(name: str) -> SliceFigure:
    """nDCG@10, or CorrectEmpty where nothing is to be found; with the gate on it."""
    measure = Measure.NDCG if Slice(name).answerable else Measure.CORRECT_EMPTY
    named = f"{measure} {name}" if Slice(name).answerable else str(measure)
    return SliceFigure(measure, next(gate.threshold for gate in MEASURED if gate.name == named))


def slices(card: Scorecard) -> Markup:
    """Bars by slice and system with intervals and gates."""
    rows = card.systems
    names = [group.group for group in rows[0].slices]
    group = _BAR * len(rows) + _GAP
    with settings("slices"):
        figure = blank(group * len(names) + 26)
        axes = panel(figure, (_LEFT, 14, WIDTH - _LEFT - _RIGHT, group * len(names)))
        axes.set_xlim(0, 1)
        axes.set_ylim(-group * len(names), 0)
        _scale(axes, (0, -group * len(names)))
        for number, name in enumerate(names):
            _slice(axes, name, -group * number - _GAP / 2, rows)
        return inline(figure, f"Bars of {_LIST} by slice; the table below has the numbers.")


_LIST = "nDCG@10, and of CorrectEmpty where nothing is to be found,"


def _scale(axes: Axes, ys: tuple[float, float]) -> None:
    for tenths in range(0, 11, 2):
        rule(axes, (tenths / 10, tenths / 10), ys, zorder=0)
        say(axes, (tenths / 10, ys[1]), f"{tenths / 10:g}", off=(0, -11), ha="center", color=SOFT)


def _slice(axes: Axes, name: str, top: float, rows: Sequence[SystemRow]) -> None:
    wanted = slice_figure(name)
    say(axes, (0, top - _BAR * len(rows) / 2), name, off=(-4, -3.5), ha="right")
    for number, row in enumerate(rows):
        found = _figure(row.slices, name, wanted.measure)
        if found is not None:
            _bar(axes, top - _BAR * (number + 0.5), found, SERIES[number % len(SERIES)])
    bottom = top - _BAR * len(rows)
    rule(axes, (wanted.gate, wanted.gate), (top + 3, bottom - 3), color=INK, lw=1.2, ls=(0, (2, 2)))


def _figure(groups: Sequence[GroupRow], name: str, measure: Measure) -> Estimate | None:
    return next((group.figures.get(measure) for group in groups if group.group == name), None)


def _bar(axes: Axes, middle: float, found: Estimate, colour: str) -> None:
    axes.barh([middle], [found.value], height=_BAR - 2, color=colour, clip_on=False)
    low, high = found.interval.low, found.interval.high
    rule(axes, (low, high), (middle, middle), color=INK, lw=1.2)
    for end in (low, high):
        rule(axes, (end, end), (middle - 2.5, middle + 2.5), color=INK, lw=1.2)
    say(axes, (1, middle), f"{found.value:.3f}", off=(5, -3.5), fontsize=TEXT - 1)


def gates(card: Scorecard) -> Markup:
    """For each gate on a figure, the share of resamples in which each system passes it."""
    names = [gate.name for gate in MEASURED]
    row = 30
    with settings("gates"):
        figure = blank(row * len(names) + 16)
        axes = panel(figure, (6, 14, WIDTH - 12, row * len(names)))
        axes.set_xlim(0, 1)
        axes.set_ylim(-row * len(names), 0)
        for tenths in range(0, 11, 2):
            say(axes, (tenths / 10, -row * len(names)), f"{tenths / 10:g}", off=(0, -11), ha="center", color=SOFT)
        for number, name in enumerate(names):
            _gate(axes, name, -row * number, card.systems)
        return inline(figure, "Share of resamples that pass each gate; the table of gates has the numbers.")


def _gate(axes: Axes, name: str, top: float, rows: Sequence[SystemRow]) -> None:
    say(axes, (0, top), name, off=(0, -11))
    rule(axes, (0, 1), (top - 20, top - 20), color=GRID, lw=1.5)
    for number, row in enumerate(rows):
        passed = next(gate.resamples_passed for gate in row.gates if gate.name == name)
        if passed is not None:
            mark(axes, (passed, top - 20), number)
