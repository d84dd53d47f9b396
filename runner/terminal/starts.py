"""How one system came up and what it held, from its raw log: times to serve and to answer, and memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from runner.terminal.rawlog import Done, Event, Memory, RawFile, Ready, Role, Spawn


class Starts(NamedTuple):
    """Nanoseconds and bytes of one run; null where the log does not say.

    `engine_load_ns` and `ui_load_ns` go from the start of the first process to its `ready`; `first_answer_ns` from the
    start of the engine to the first done frame of the warm-up. Peaks are the greatest of all processes of a role.
    """

    engine_load_ns: int | None
    ui_load_ns: int | None
    first_answer_ns: int | None
    engine_peak_bytes: int | None
    ui_peak_bytes: int | None


def read_starts(warmup: RawFile, files: Sequence[RawFile]) -> Starts:
    """The first start in the warm-up's file, and the peaks in all `files`."""
    events = warmup.events
    engine = _first(events, Spawn, Role.ENGINE)
    done = next((event.t for event in events if isinstance(event, Done)), None)
    return Starts(
        engine_load_ns=_between(engine, _first(events, Ready, Role.ENGINE)),
        ui_load_ns=_between(_first(events, Spawn, Role.UI), _first(events, Ready, Role.UI)),
        first_answer_ns=_between(engine, done),
        engine_peak_bytes=_peak(files, Role.ENGINE),
        ui_peak_bytes=_peak(files, Role.UI),
    )


def _first(events: Iterable[Event], kind: type[Spawn] | type[Ready], role: Role) -> int | None:
    return next((event.t for event in events if isinstance(event, kind) and event.role is role), None)


def _between(start: int | None, end: int | None) -> int | None:
    return None if start is None or end is None else end - start


def _peak(files: Iterable[RawFile], role: Role) -> int | None:
    """The greatest peak; null where one was not read, since it may have been the greatest."""
    seen = [e.peak_bytes for file in files for e in file.events if isinstance(e, Memory) and e.role is role]
    known = [peak for peak in seen if peak is not None]
    return max(known) if known and len(known) == len(seen) else None
