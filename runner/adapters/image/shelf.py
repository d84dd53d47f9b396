"""The lock files of a checkout: read, resolved anew, written."""

from __future__ import annotations

from pathlib import Path

from runner.adapters.formats import read_document
from runner.adapters.image.apt import Apt
from runner.adapters.image.model_wheels import resolve_models
from runner.adapters.image.pip import Pip
from runner.ports import Progress
from runner.provenance.locks import Locks, ModelLock, PackageLock, WheelLock


def read_locks(folder: Path, own: Path) -> Locks:
    """The locks in `folder`, some replaced by those in the folder `own`."""
    return Locks(
        read_document(_path(folder, own, "debian"), PackageLock),
        read_document(_path(folder, own, "wheels"), WheelLock),
        read_document(_path(folder, own, "art"), PackageLock),
        read_document(_path(folder, own, "models"), ModelLock),
    )


class LockShelf:
    """Locks in `folder`, some replaced by those in the folder `own`, with the tools that resolve them."""

    def __init__(self, folder: Path, own: Path, apt: Apt, pip: Pip) -> None:
        self._folder = folder
        self._own = own
        self._apt = apt
        self._pip = pip

    def path(self, name: str) -> Path:
        """The file of one lock."""
        return _path(self._folder, self._own, name)

    def read(self) -> Locks:
        """The locks as they are."""
        return read_locks(self._folder, self._own)

    def resolve(self, progress: Progress) -> Locks:
        """The locks with what is offered now; nothing is written."""
        locks = self.read()
        with progress.step("resolving packages, wheels and models", total=4) as step:
            debian = self._apt.resolve(locks.debian, str(self.path("debian")))
            step.advance(1)
            wheels = self._pip.resolve(locks.wheels, str(self.path("wheels")))
            step.advance(2)
            art = self._apt.resolve(locks.art, str(self.path("art")))
            step.advance(3)
            models = resolve_models(self._pip, str(self.path("models")), locks.models)
            step.advance(4)
        return Locks(debian, wheels, art, models)

    def write(self, locks: Locks, to: Path | None) -> None:
        """Write all locks into the folder `to`, or each over its present file."""
        if to is not None:
            to.mkdir(parents=True, exist_ok=True)
        for name, lock in zip(Locks._fields, locks, strict=True):
            (to / f"{name}.json" if to else self.path(name)).write_bytes(lock.pretty())


def _path(folder: Path, own: Path, name: str) -> Path:
    replaced = own / f"{name}.json"
    return replaced if replaced.exists() else folder / f"{name}.json"
