"""What the screens showed at the done frame of each request, and whether it stood until the next key (D12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from runner.errors import BadInput
from runner.terminal.frames import Mark, Marks
from runner.terminal.interface import Drawn, Reading, reading_of, same_reading
from runner.terminal.rawlog import Begin, Done, Event, Exit, In, Input, Out, Role, Spawn
from runner.terminal.screens import PyteScreen, Screen

#: Bytes of one UI process up to which pyte is asked: it takes a second for each million.
MOST_FOR_PYTE = 16 << 20


class Sighting(NamedTuple):
    """One reading a screen at the done marker. `whole`: no update was left open. `changed`: what became of it, where it
    did not stand until the next key. `third`: what pyte reads where the screens differ; null where they do not, or
    where too much was written before."""

    readings: tuple[Reading, ...]
    whole: bool
    changed: str | None
    third: Reading | None = None


def watch(events: Iterable[Event], emulators: Callable[[], Sequence[Screen]]) -> dict[int, Sighting]:
    """Sightings by request number. Each UI process gets fresh screens and is followed from its first byte."""
    watcher = _Watcher(emulators)
    for event in events:
        watcher.take(event)
    watcher.key()
    return watcher.seen


class _ThirdOpinion:
    """pyte, which is slow: it gets what one UI process wrote only once it is asked."""

    def __init__(self) -> None:
        self._screen = PyteScreen()
        self._queue: list[bytes] = []
        self._weight = 0

    def feed(self, data: bytes) -> None:
        self._weight += len(data)
        if self._weight <= MOST_FOR_PYTE:
            self._queue.append(data)

    def on(self, readings: Sequence[Reading]) -> Reading | None:
        """What it reads where the others do not say the same."""
        first, *others = readings
        if all(same_reading(first, other) for other in others) or self._weight > MOST_FOR_PYTE:
            return None
        self._screen.feed(b"".join(self._queue))
        self._queue.clear()
        return reading_of(self._screen.rows())


class _Standing:
    """A done frame until the next key."""

    def __init__(self, mark: Mark, readings: tuple[Reading, ...], third: Reading | None) -> None:
        self.mark = mark
        self.readings = readings
        self.third = third
        self.request: int | None = None
        self.changed: str | None = None
        self.vanished: str | None = None
        self.ended = False

    def compare(self, readings: tuple[Reading, ...]) -> None:
        for before, now in zip(self.readings, readings, strict=True):
            if isinstance(now, Drawn) and now != before:
                self.changed = self.changed or "the list was drawn anew, and differs"
            elif isinstance(before, Drawn) and not isinstance(now, Drawn):
                self.vanished = self.vanished or str(now)

    def sighting(self) -> Sighting:
        """A UI that ends takes its list from the screen: that is a crash or a quit, not a changed list."""
        changed = self.changed or (None if self.ended else self.vanished)
        return Sighting(self.readings, self.mark.whole, changed, self.third)


class _Watcher:
    """Feeds the screens of the living UI process and keeps what stands."""

    def __init__(self, emulators: Callable[[], Sequence[Screen]]) -> None:
        self._emulators = emulators
        self._screens: Sequence[Screen] = ()
        self._third = _ThirdOpinion()
        self._marks = Marks()
        self._begin: Begin | None = None
        self._waiting = False
        self._standing: _Standing | None = None
        self.seen: dict[int, Sighting] = {}

    def take(self, event: Event) -> None:
        match event:
            case Spawn(role=Role.UI):
                self._end()
                self._settle()
                self._screens, self._marks, self._third = self._emulators(), Marks(), _ThirdOpinion()
            case Exit(role=Role.UI):
                self._end()
            case Begin():
                self._begin, self._waiting = event, False
            case In(what=what) if what.key:
                self.key()
                self._waiting = what is Input.SUBMIT
            case Out():
                self._out(event.data)
            case Done():
                self._done(event)
            case _:
                pass

    def key(self) -> None:
        """The next key: what stood may change from now on."""
        if self._standing is not None and self._marks.updating:
            self._standing.compare(self._read())
        self._settle()

    def _end(self) -> None:
        """The process is gone. What it drew last stays, since the note that it was done may come after."""
        if self._standing is not None:
            self._standing.ended = True

    def _settle(self) -> None:
        standing, self._standing = self._standing, None
        if standing is not None and standing.request is not None:
            self.seen[standing.request] = standing.sighting()

    def _out(self, data: bytes) -> None:
        fed = 0
        for mark in self._marks.feed(data):
            if self._answers(mark):
                self._feed(data[fed : mark.end])
                fed = mark.end
                readings = self._read()
                self._standing, self._waiting = _Standing(mark, readings, self._third.on(readings)), False
        if data[fed:]:
            self._feed(data[fed:])
            if self._standing is not None and not self._marks.updating:
                self._standing.compare(self._read())

    def _answers(self, mark: Mark) -> bool:
        return self._waiting and self._begin is not None and (mark.submit, mark.state) == (self._begin.submit, "done")

    def _done(self, done: Done) -> None:
        standing, begin = self._standing, self._begin
        if (
            begin is None
            or standing is None
            or (standing.mark.submit, standing.mark.frame) != (done.submit, done.frame)
        ):
            request = begin.request if begin else 0
            raise BadInput(f"request {request}: a done event without its marker in the terminal's output.")
        standing.request = begin.request

    def _feed(self, data: bytes) -> None:
        for screen in self._screens:
            screen.feed(data)
        self._third.feed(data)

    def _read(self) -> tuple[Reading, ...]:
        return tuple(reading_of(screen.rows()) for screen in self._screens)
