"""Makes the casts of a run, one a block, from its raw log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from runner.terminal.cast import cast
from runner.terminal.rawlog import Event, Out, RawFile, Role, Spawn
from runner.terminal.screens import AvtScreen


def casts(files: Sequence[RawFile]) -> Iterator[tuple[str, bytes]]:
    """Name (`block-000.cast`) and bytes for each raw file, which must come in the order of the run."""
    screen: AvtScreen | None = None
    for file in files:
        yield cast_name(file), cast(file, screen.dump() if screen else "")
        screen = _follow(screen, file.events)


def cast_name(file: RawFile) -> str:
    """The raw file's name with another ending."""
    return file.name.rpartition("/")[2].removesuffix(".jsonl") + ".cast"


def _follow(screen: AvtScreen | None, events: Iterable[Event]) -> AvtScreen | None:
    for event in events:
        if isinstance(event, Spawn) and event.role is Role.UI:
            screen = AvtScreen()
        elif isinstance(event, Out) and screen is not None:
            screen.feed(event.data)
    return screen
