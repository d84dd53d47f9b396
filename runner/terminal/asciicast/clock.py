"""Brings the times of events into order, leaving as many as possible as they are."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from runner.terminal.asciicast.events import AT_THE_LAST, Event, Raw
from runner.terminal.asciicast.findings import MOST_SECONDS, Finding, Rule
from runner.terminal.asciicast.numbers import NS, seconds

_MOST = MOST_SECONDS * NS


def placed(raws: Sequence[Raw], version: int, start: int) -> tuple[list[Event], list[Finding]]:
    """The events on one clock that goes on from `start`; what of their times had to be changed."""
    return _by_intervals(raws, start) if version == 3 else _by_stamps(raws, start)


def _by_stamps(raws: Sequence[Raw], start: int) -> tuple[list[Event], list[Finding]]:
    events, found, latest = [], [], start
    raws = [raw for raw in raws if raw.code]
    orderly = in_order([raw.ns for raw in raws])
    for place, raw in enumerate(raws):
        if place in orderly and raw.ns is not None and start + raw.ns <= _MOST:
            latest = start + raw.ns
        elif raw.ns is not None:
            found.append(Finding(raw.line, Rule.TIME, f"{seconds(raw.ns)} is out of order", AT_THE_LAST))
        events.append(Event(raw.line, latest, raw.code, raw.text))
    return events, found


def _by_intervals(raws: Sequence[Raw], start: int) -> tuple[list[Event], list[Finding]]:
    events, found, latest = [], [], start
    for raw in raws:
        if raw.ns is not None and latest + raw.ns <= _MOST:
            latest += raw.ns
        elif raw.ns is not None and raw.code:
            what = f"{seconds(raw.ns)} brings it past {MOST_SECONDS} seconds"
            found.append(Finding(raw.line, Rule.TIME, what, AT_THE_LAST))
        if raw.code:
            events.append(Event(raw.line, latest, raw.code, raw.text))
    growing = [raw.ns for raw in raws if raw.ns is not None]
    if len(growing) > 2 and all(one < other for one, other in pairwise(growing)):
        what = "every interval is longer than the one before, as if they were times from the start"
        found.append(Finding(raws[0].line, Rule.CLOCK, what))
    return events, found


def in_order(stamps: Sequence[int | None]) -> frozenset[int]:
    """Places of a longest run of stamps that never falls (patience sorting); nulls are never among them."""
    tails: list[int] = []
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for place, stamp in enumerate(stamps):
        if stamp is None:
            continue
        at = bisect_right(tails, stamp)
        before[place] = ends[at - 1] if at else None
        tails[at : at + 1], ends[at : at + 1] = [stamp], [place]
    kept: set[int] = set()
    place_: int | None = ends[-1] if ends else None
    while place_ is not None:
        kept.add(place_)
        place_ = before[place_]
    return frozenset(kept)
