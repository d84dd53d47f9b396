"""Finds in a recorded block where each query was asked, and what its done frames showed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from runner.terminal.asciicast.events import Event
from runner.terminal.frames import Marks
from runner.terminal.interface import Reading, reading_of
from runner.terminal.screens import Screen


class DoneFrame(NamedTuple):
    """A frame marked as done: the submit number it names, nanoseconds from the start, what each screen reads."""

    submit: int
    ns: int
    readings: tuple[Reading, ...]


class Passage(NamedTuple):
    """A stretch of a recording from one marker to the next, in nanoseconds from its start."""

    label: str
    ns: int
    end_ns: int
    frames: tuple[DoneFrame, ...]

    @property
    def query_id(self) -> str:
        """What the marker of a query starts with."""
        return self.label.partition("  ")[0]


def passages(events: Sequence[Event], screens: Sequence[Screen]) -> tuple[Passage, ...]:
    """The passages of a recording that is followed from its start on `screens`."""
    found: list[Passage] = []
    marks = Marks()
    for event in events:
        if event.code == "m":
            if found:
                found[-1] = found[-1]._replace(end_ns=event.ns)
            found.append(Passage(event.text, event.ns, event.ns, ()))
        elif event.code == "o":
            frames = _frames(event, marks, screens)
            if found:
                last = found[-1]
                found[-1] = last._replace(end_ns=event.ns, frames=(*last.frames, *frames))
    return tuple(found)


def _frames(event: Event, marks: Marks, screens: Sequence[Screen]) -> tuple[DoneFrame, ...]:
    """The done frames that an output completes; the screens are fed with it."""
    data, fed = event.text.encode(), 0
    frames = []
    for mark in marks.feed(data):
        _feed(screens, data[fed : mark.end])
        fed = mark.end
        if mark.state == "done":
            frames.append(DoneFrame(mark.submit, event.ns, tuple(reading_of(screen.rows()) for screen in screens)))
    _feed(screens, data[fed:])
    return tuple(frames)


def _feed(screens: Sequence[Screen], data: bytes) -> None:
    for screen in screens:
        screen.feed(data)
