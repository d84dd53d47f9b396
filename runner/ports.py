"""What the workflows ask of the machine; adapters give it, tests fake it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol

from numpy import float64
from numpy.typing import NDArray

from runner.documents import Digest
from runner.provenance.dockerfile import Recipe
from runner.provenance.environment import ContainerFacts
from runner.provenance.images import Blueprint, ImagePins, ImageRef, Layer
from runner.provenance.journal import Entry, RunLog
from runner.provenance.locks import Locks
from runner.provenance.public_key import PublicKey
from runner.provenance.statement import PAYLOAD_TYPE


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
    container: ContainerFacts | None


class Driving(Protocol):
    """One drive under way: iterate for progress, then ask how it ended."""

    def progress(self) -> Iterator[tuple[str, int, int]]:
        """Phase, units done and units in all, until the driver has ended."""
        ...

    def ending(self) -> Ending:
        """How it ended; the evidence is in its folder."""
        ...


class Task(StrEnum):
    """What a driver does with its plan, by the module that is started."""

    SEARCHES = "runner.driver"
    SUITES = "runner.driver.suites"


class Rig(Protocol):
    """Where the driver runs: a container of fixed hardware, or a plain process."""

    def drive(self, task: Task, plan: bytes, to: Path) -> AbstractContextManager[Driving]:
        """Start the driver with `plan`; on leaving the context nothing of it is left but its evidence in `to`."""
        ...


class OpenResult(Protocol):
    """The result of a run under way."""

    path: Path

    def keep(self, name: str, data: bytes) -> None:
        """Write the file `name` once; an existing one is refused."""
        ...

    def publish(self, name: str, data: bytes) -> None:
        """Write a file that anyone may read, whatever else the result keeps."""
        ...

    def files(self) -> dict[str, Path]:
        """Every file kept so far, by its name in the result."""
        ...

    def contents(self) -> dict[str, bytes]:
        """What was kept so far, by the names it was kept under."""
        ...

    def finish(self) -> Path:
        """Give the result its final name, once it is sealed."""
        ...


class Store(Protocol):
    """Where results are kept."""

    def begin(self, run_id: str) -> OpenResult:
        """A new, empty result, marked as unfinished."""
        ...


class Workshop(Protocol):
    """Makes the parts of the image."""

    def require_host(self) -> None:
        """Unavailable if images can't be made and run on this machine."""
        ...

    def recipe(self) -> Recipe:
        """What the Dockerfile says."""
        ...

    def layer(self, name: str) -> Layer:
        """The layer of that name, made now or before from the same inputs; BadInput if any digest is wrong."""
        ...

    def archive(self, image: Blueprint) -> AbstractContextManager[Path]:
        """A file that an engine loads the image from, for as long as the context lasts."""
        ...

    def write_out(self, image: Blueprint, to: Path) -> None:
        """Write the archive, compressed, to the new file `to`, whole or not at all."""
        ...

    def take_in(self, archive: Path) -> Blueprint:
        """The image in an archive, compressed or not, its layers kept; BadInput if any digest is wrong."""
        ...

    def differing_files(self, one: Layer, other: Layer) -> tuple[str, ...]:
        """The files in which two layers differ, sorted; none where the tar of either is not here."""
        ...

    def pins(self) -> ImagePins | None:
        """What is pinned, if anything is."""
        ...

    def pins_of(self, image: Blueprint) -> ImagePins:
        """What would be pinned for an image that was made here."""
        ...

    def keep_pins(self, pins: ImagePins) -> None:
        """Pin an image."""
        ...

    def locks(self) -> Locks:
        """The locks as they are."""
        ...

    def resolve(self) -> Locks:
        """The locks as they would be if they were made today."""
        ...

    def keep_locks(self, locks: Locks, to: Path | None) -> None:
        """Write locks into the folder `to`, or over the present ones."""
        ...


class Images(Protocol):
    """The images of an engine."""

    def has(self, image: ImageRef) -> bool:
        """Whether the engine holds this image."""
        ...

    def load(self, archive: Path) -> None:
        """Load the image in an archive."""
        ...

    def saved(self, name: str) -> AbstractContextManager[Path]:
        """An archive of the image `name` (id or tag) while the context lasts; Unavailable if it is not there."""
        ...


class Signer(Protocol):
    """Holds a private key."""

    @property
    def public_key(self) -> PublicKey:
        """The key that verifies what this one signs."""
        ...

    def sign(self, payload: bytes, kind: str = PAYLOAD_TYPE) -> bytes:
        """The DSSE envelope of `payload` of type `kind`, as the bytes of a file."""
        ...


class OpenJournal(Protocol):
    """The steward's log, held by this process alone."""

    log: RunLog

    def append(self, entry: Entry) -> None:
        """Add `entry` to `log`."""
        ...


class Journal(Protocol):
    """The steward's append-only log of runs."""

    def turn(self) -> AbstractContextManager[OpenJournal]:
        """Hold the log; its chain was checked."""
        ...


class ResultFolder(Protocol):
    """A finished result, read only."""

    def names(self) -> tuple[str, ...]:
        """Everything in it that is not a folder, sorted; names use `/`."""
        ...

    def read(self, name: str) -> bytes:
        """The bytes of one of `names`; Findings where it is no plain file, or larger than any that a run leaves."""
        ...


class Player(NamedTuple):
    """The web player of recordings: its script, style and licence as they were published, and which version."""

    script: bytes
    style: bytes
    licence: bytes
    version: str


class TextModel(Protocol):
    """A model that turns short texts into vectors; none is bundled yet."""

    digest: Digest

    def vectors(self, texts: Sequence[str]) -> Sequence[NDArray[float64]]:
        """A vector for each of `texts`, in their order; none of them is zero."""
        ...
