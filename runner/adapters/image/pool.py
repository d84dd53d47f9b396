"""The pool: locked files by their digest, fetched once and checked at every build."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from runner.adapters.image.tree import file_digest
from runner.counts import counted
from runner.documents import digest
from runner.errors import BadInput
from runner.ports import Progress
from runner.provenance.locks import Locked, ModelFile

AFile = TypeVar("AFile", Locked, ModelFile)
AFile_co = TypeVar("AFile_co", Locked, ModelFile, covariant=True)

Fetch = Callable[[tuple[AFile, ...], Path], dict[str, Path]]
"""Downloads locked files into a folder; gives them by name."""


class Lock(Protocol[AFile_co]):
    """A lock with files of one kind."""

    @property
    def files(self) -> tuple[AFile_co, ...]: ...

    def canonical(self) -> bytes: ...


class Stock(Generic[AFile]):
    """The files of one lock. `where` is the lock's file, named in errors."""

    def __init__(self, folder: Path, where: str, lock: Lock[AFile], fetch: Fetch[AFile]) -> None:
        self._folder = folder
        self._where = where
        self._files: tuple[AFile, ...] = lock.files
        self._fetch: Fetch[AFile] = fetch
        self.digest = digest(lock.canonical())

    def check(self) -> None:
        """BadInput if a file that is in the pool is not what the lock says."""
        for locked in self._files:
            path = self._path(locked)
            if path.exists():
                self._compare(locked, path, f"Delete {path}; it will be fetched again.")

    def take(self, progress: Progress) -> list[tuple[AFile, Path]]:
        """All files, checked; those not yet in the pool are fetched."""
        self.check()
        missing = tuple(locked for locked in self._files if not self._path(locked).exists())
        if missing:
            with progress.step(f"fetching {counted(len(missing), 'file')} of {self._where}"):
                self._add(missing)
        return [(locked, self._path(locked)) for locked in self._files]

    def _add(self, missing: tuple[AFile, ...]) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._folder, prefix="fetch-") as folder:
            fetched = self._fetch(missing, Path(folder))
            for locked in missing:
                if locked.name not in fetched:
                    raise BadInput(f"{self._where}: {locked.label} was not among the files fetched.")
                self._compare(locked, fetched[locked.name], "Restore the lock, or re-pin with `nox -s lock`.")
                fetched[locked.name].replace(self._path(locked))

    def _compare(self, locked: AFile, path: Path, advice: str) -> None:
        found = file_digest(path)
        if found != locked.digest:
            what = f"{self._where}: {locked.label} ({path.name[:80]})"
            raise BadInput(f"{what}: expected {locked.digest}, found {found}.", advice=advice)
        if path.stat().st_size != locked.size:
            raise BadInput(
                f"{self._where}: {locked.name}: size is {path.stat().st_size}, locked {locked.size}.", advice=advice
            )

    def _path(self, locked: AFile) -> Path:
        return self._folder / locked.digest.replace(":", "-")
