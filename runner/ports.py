"""What the workflows ask of the machine; adapters give it, tests fake it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol


class Progress(Protocol):
    """Tells a person how far long work has come."""

    def step(self, what: str, total: int | None = None) -> AbstractContextManager[Step]:
        """Open a step of `total` units (None: unknown) that closes with the context."""
        ...


class Step(Protocol):
    """One open step of long work."""

    def advance(self, done: int, total: int | None = None) -> None:
        """Say that `done` units of the step are complete, and of how many where that is known now."""
        ...


class Clock(Protocol):
    """Wall time, for records only."""

    def now(self) -> str:
        """UTC as `YYYY-MM-DDThh:mm:ssZ`."""
        ...


class Ending(NamedTuple):
    """How the driver ended: status (0 complete, 3 void, 4 lifeline cut), what it said, the container as inspected."""

    status: int
    talk: str
    container: Mapping[str, object] | None


class Driving(Protocol):
    """One drive under way: iterate for progress, then ask how it ended."""

    def progress(self) -> Iterator[tuple[str, int, int]]:
        """Phase, units done and units in all, until the driver has ended."""
        ...

    def ending(self) -> Ending:
        """How it ended; the evidence is in its folder."""
        ...


class Rig(Protocol):
    """Where the driver runs: a container of fixed hardware, or a plain process."""

    def drive(self, plan: bytes, to: Path) -> AbstractContextManager[Driving]:
        """Start the driver with `plan`; on leaving the context nothing of it is left but its evidence in `to`."""
        ...


class OpenResult(Protocol):
    """The result of a run under way."""

    path: Path

    def keep(self, name: str, data: bytes) -> None:
        """Write the file `name` once; an existing one is refused."""
        ...

    def files(self) -> dict[str, Path]:
        """Every file kept so far, by its name in the result."""
        ...

    def finish(self) -> Path:
        """Give the result its final name, once it is sealed."""
        ...


class Store(Protocol):
    """Where results are kept."""

    def begin(self, run_id: str) -> OpenResult:
        """A new, empty result, marked as unfinished."""
        ...
