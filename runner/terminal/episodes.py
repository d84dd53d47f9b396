"""Cuts a raw log into requests, each with the moments that its latency is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from runner.errors import BadInput
from runner.terminal.rawlog import (
    Begin,
    Done,
    Event,
    Finish,
    In,
    Input,
    Out,
    RawFile,
    Report,
    Role,
    Said,
    Spawn,
)


class Place(NamedTuple):
    """Where a request stands: system, block, position (from 1, of its phase in its block), UI process."""

    system: str
    block: int
    position: int
    process: int


class Moments(NamedTuple):
    """Stamps of one request in nanoseconds; null where the event was never seen."""

    key: int | None
    accept: int | None
    first_byte: int | None
    done: int | None


class Episode(NamedTuple):
    """One request. `rest`: nanoseconds from done to the next key or the log's end; null without a done."""

    place: Place
    begin: Begin
    moments: Moments
    finish: Finish
    rest: int | None


def episodes(files: Sequence[RawFile]) -> tuple[Episode, ...]:
    """All requests of a run, in the order they were sent."""
    accepts = _accepts(event for file in files for event in file.events)
    cut = list(_cut(files))
    nexts = [events for _, events in cut[1:]] + [[]]
    return tuple(
        _episode(place, events, following, accepts) for (place, events), following in zip(cut, nexts, strict=False)
    )


def _cut(files: Sequence[RawFile]) -> Iterator[tuple[Place, list[Event]]]:
    """Each request's place and events: from its begin to the next begin."""
    process = 0
    place: Place | None = None
    held: list[Event] = []
    for file in files:
        positions: dict[str, int] = {}
        for event in file.events:
            if isinstance(event, Spawn) and event.role is Role.UI:
                process += 1
            if isinstance(event, Begin):
                if place is not None:
                    yield place, held
                position = positions[event.phase] = positions.get(event.phase, 0) + 1
                place, held = Place(file.opening.system, file.block, position, process), []
            held.append(event)
    if place is not None:
        yield place, held


def _episode(
    place: Place, events: Sequence[Event], following: Sequence[Event], accepts: dict[tuple[int, int], int]
) -> Episode:
    begin = events[0]
    if not isinstance(begin, Begin):
        raise TypeError("an episode starts with its begin")
    finish = next((event for event in events if isinstance(event, Finish)), None)
    if finish is None:
        raise BadInput(f"request {begin.request}: has no finish event.", advice="The run did not end well.")
    moments = _moments(events, accepts.get((place.process, begin.submit)))
    return Episode(place, begin, moments, finish, _rest(moments.done, [*events, *following]))


def _moments(events: Sequence[Event], accept: int | None) -> Moments:
    key = next((n for n, event in enumerate(events) if isinstance(event, In) and event.what is Input.SUBMIT), None)
    if key is None:
        return Moments(None, None, None, None)
    after = events[key + 1 :]
    first = next((event.t for event in after if isinstance(event, Out)), None)
    done = next((event.t for event in after if isinstance(event, Done)), None)
    return Moments(events[key].t, accept, first, done)


def _rest(done: int | None, events: Sequence[Event]) -> int | None:
    if done is None:
        return None
    start = next(n for n, event in enumerate(events) if isinstance(event, Done))
    key = next((event.t for event in events[start:] if isinstance(event, In) and event.what.key), events[-1].t)
    return key - done


def _accepts(events: Iterable[Event]) -> dict[tuple[int, int], int]:
    """The first accept of each submit of each UI process; its datagram may be read after the frame."""
    found: dict[tuple[int, int], int] = {}
    process = 0
    for event in events:
        if isinstance(event, Spawn) and event.role is Role.UI:
            process += 1
        if isinstance(event, Said) and event.name is Report.ACCEPT:
            found.setdefault((process, event.submit), event.ns)
    return found
