"""The lock files of a checkout: read, resolved anew, written."""

from __future__ import annotations

from pathlib import Path

from runner.adapters.formats import read_document
from runner.adapters.image.apt import Apt
from runner.adapters.image.model_wheels import resolve_models
from runner.adapters.image.pip import Pip
from runner.ports import Progress
from runner.provenance.locks import Locks, ModelLock, PackageLock, WheelLock


class LockShelf:
    """Locks in `folder`, some replaced by those in the folder `own`, with the tools that resolve them."""

    def __init__(self, folder: Path, own: Path, apt: Apt, pip: Pip) -> None:
        self._folder = folder
        self._own = own
        self._apt = apt
        self._pip = pip

    def path(self, name: str) -> Path:
        """The file of one lock."""
        own = self._own / f"{name}.json"
        return own if own.exists() else self._folder / f"{name}.json"

    def read(self) -> Locks:
        """The locks as they are."""
        return Locks(
            read_document(self.path("debian"), PackageLock),
            read_document(self.path("wheels"), WheelLock),
            read_document(self.path("art"), PackageLock),
            read_document(self.path("models"), ModelLock),
        )

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
