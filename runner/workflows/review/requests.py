"""Puts beside each request of a result what its recording shows, as two emulators read it, and on a sample a third."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from runner.retrieval.runs import Observation, Outcome
from runner.terminal.asciicast.reading import Recording
from runner.terminal.exchange import Found, Refused, Returned
from runner.terminal.interface import Drawn, Line, Reading, same_reading
from runner.terminal.passages import DoneFrame, Passage, passages
from runner.terminal.screens import PyteScreen
from runner.workflows.observe import EMULATORS, THIRD, difference, emulators
from runner.workflows.report.moments import seconds

#: pyte is slow, so it reads a sample: the first block of each system, and every block in which the others differ.
SAMPLE = "block-001.cast"


class Verdict(NamedTuple):
    """The list that one emulator reads on the done frame, and how it is not the returned one; empty where it is."""

    emulator: str
    lines: tuple[Line, ...]
    differs: str


class Shown(NamedTuple):
    """A request with its place in a cast, in seconds; null where the cast has no such moment. `third` is that of pyte,
    null where it was not asked."""

    observation: Observation
    cast: str
    at: str | None
    done: str | None
    verdicts: tuple[Verdict, ...]
    third: Verdict | None
    agree: bool

    @property
    def read(self) -> tuple[Verdict, ...]:
        """The verdicts of all that were asked."""
        return (*self.verdicts, self.third) if self.third else self.verdicts

    @property
    def differs(self) -> bool:
        """Whether no emulator shows what was returned, though the request counts as answered."""
        return not self.observation.outcome.failed and not any(not one.differs for one in self.verdicts)


def shown_requests(
    observations: Sequence[Observation], casts: Mapping[str, Recording], titles: Mapping[str, str]
) -> Iterator[Shown]:
    """Every request in its order. `casts` are the recordings by name, `casts/<system>/block-NNN.cast`."""
    found = {name: _by_query(read, name.endswith(SAMPLE)) for name, read in casts.items()}
    for seen in observations:
        name = cast_of(seen)
        passage = found.get(name, {}).get(seen.query_id)
        frame = _frame(passage, seen) if passage else None
        yield Shown(
            observation=seen,
            cast=name,
            at=seconds(passage.ns) if passage else None,
            done=seconds(frame.ns) if frame else None,
            verdicts=tuple(_verdicts(frame, seen, titles)),
            third=_third(frame, seen, titles),
            agree=_agree(frame) if frame else True,
        )


def cast_of(seen: Observation) -> str:
    """The recording of a request's block."""
    return f"casts/{seen.system}/block-{seen.block:03}.cast"


def _by_query(read: Recording, sampled: bool) -> Mapping[str, Passage]:  # noqa: FBT001 - of the sample
    """The last passage of each query: one that was asked again after a restart counts as asked then."""
    found = passages(read.events, emulators())
    if sampled or not all(_agree(frame) for passage in found for frame in passage.frames):
        found = passages(read.events, (*emulators(), PyteScreen()))
    return {passage.query_id: passage for passage in found}


def _frame(passage: Passage, seen: Observation) -> DoneFrame | None:
    return next((frame for frame in passage.frames if frame.submit == seen.submit), None)


def _verdicts(frame: DoneFrame | None, seen: Observation, titles: Mapping[str, str]) -> Iterator[Verdict]:
    if frame is None:
        return
    for name, reading in zip(EMULATORS, frame.readings, strict=False):
        yield _verdict(name, reading, seen, titles)


def _third(frame: DoneFrame | None, seen: Observation, titles: Mapping[str, str]) -> Verdict | None:
    if frame is None or len(frame.readings) == len(EMULATORS):
        return None
    return _verdict(THIRD, frame.readings[-1], seen, titles)


def _verdict(name: str, reading: Reading, seen: Observation, titles: Mapping[str, str]) -> Verdict:
    lines = reading.lines if isinstance(reading, Drawn) else ()
    return Verdict(name, lines, _difference(reading, seen, titles))


def _difference(reading: Reading, seen: Observation, titles: Mapping[str, str]) -> str:
    if not isinstance(reading, Drawn):
        return str(reading)
    return difference(reading, seen.submit, _reply(seen), titles) or ""


def _reply(seen: Observation) -> Returned | Refused:
    """What the engine returned, as far as the observation keeps it."""
    if seen.outcome is Outcome.ERROR and not seen.returned:
        return Refused(seen.reason or "")
    return Returned(tuple(map(Found, seen.returned, seen.routes)))


def _agree(frame: DoneFrame) -> bool:
    one, other, *_ = frame.readings
    return same_reading(one, other)
