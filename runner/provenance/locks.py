"""What the image is built from: every package, wheel, piece of art and model file by name, digest and size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from runner.documents import Digest, Document


class Locked(Document):
    """One file that may go into a build."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.+_-]*$")]
    version: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.+:~!-]*$")]
    digest: Digest
    size: Annotated[int, Field(gt=0)]

    @property
    def label(self) -> str:
        """How it is called in messages."""
        return f"{self.name} {self.version}"


class Release(Document):
    """A distribution and its release, in the words of `/etc/os-release`."""

    id: str
    version_id: str


class PackageLock(Document):
    """Distribution packages: `wanted` and what they depend on, without those `left_out`."""

    format: Literal["mambomeme/package-lock/v1"]
    release: Release
    architecture: Literal["amd64"]
    wanted: tuple[str, ...]
    left_out: tuple[str, ...]
    files: tuple[Locked, ...]


class WheelLock(Document):
    """Wheels for the image's Python: `wanted` (name==version) and what they depend on, without those `left_out`."""

    format: Literal["mambomeme/wheel-lock/v1"]
    python: Annotated[str, Field(pattern=r"^3\.\d+$")]
    wanted: tuple[str, ...]
    left_out: tuple[str, ...]
    files: tuple[Locked, ...]


class ModelWheel(Document):
    """A wheel that is known to hold a model's file, at `path` inside."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.+_-]*$")]
    version: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.+!-]*$")]
    path: str


class ModelEdit(Document):
    """What is done to a model's file before it goes into the image, and what must come out of it."""

    edit: Literal["softmax-in-double"]
    digest: Digest
    size: Annotated[int, Field(gt=0)]


class ModelFile(Document):
    """One file of a model, whatever wheel it comes in: `digest` and `size` are those of the file inside.

    `name` is the model's folder and the file's name in it.
    """

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*$")]
    digest: Digest
    size: Annotated[int, Field(gt=0)]
    wheels: Annotated[tuple[ModelWheel, ...], Field(min_length=1)]
    edited: ModelEdit | None

    @property
    def label(self) -> str:
        """How it is called in messages."""
        return self.name

    @property
    def version(self) -> str:
        """The wheels that hold it."""
        return " ".join(f"{wheel.name}=={wheel.version}" for wheel in self.wheels)


class ModelLock(Document):
    """The files of the models. Their digests stay; only the wheels that hold them come and go."""

    format: Literal["mambomeme/model-lock/v1"]
    files: tuple[ModelFile, ...]


class Locks(NamedTuple):
    """All that an image is built from beside the files of the project itself."""

    debian: PackageLock
    wheels: WheelLock
    art: PackageLock
    models: ModelLock


class Moved(NamedTuple):
    """One locked file whose version or digest changed; a version is empty where the file is new or gone."""

    lock: str
    name: str
    old: str
    new: str


def moved(old: Locks, new: Locks) -> tuple[Moved, ...]:
    """What changed between two sets of locks, by lock and name."""
    return tuple(
        move
        for lock, before, after in zip(Locks._fields, _files(old), _files(new), strict=True)
        for move in _moves(lock, before, after)
    )


def _files(locks: Locks) -> tuple[Iterable[Locked | ModelFile], ...]:
    return tuple(lock.files for lock in locks)


def _moves(lock: str, before: Iterable[Locked | ModelFile], after: Iterable[Locked | ModelFile]) -> Iterable[Moved]:
    old = {locked.name: locked for locked in before}
    new = {locked.name: locked for locked in after}
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield Moved(lock, name, _version(old.get(name)), _version(new.get(name)))


def _version(locked: Locked | ModelFile | None) -> str:
    return locked.version if locked else ""
