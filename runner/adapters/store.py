"""Keeps what a run produces: written once, atomically, under a name that says whether the run was finished."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from runner.errors import BadInput, Findings
from runner.provenance.statement import ENVELOPES

UNFINISHED = ".unfinished"
#: No file of a result comes near this; what is larger is not read.
LARGEST_BYTES = 256_000_000


class ResultStore:
    """The results folder of a checkout."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def begin(self, run_id: str) -> OpenResult:
        """A new, empty result; it stays `<run-id>.unfinished` until it is finished."""
        path = self._root / (run_id + UNFINISHED)
        if path.exists() or (self._root / run_id).exists():
            raise BadInput(f"{self._root / run_id}: exists already.", advice="Results are never overwritten.")
        path.mkdir(parents=True)
        return OpenResult(path)


class OpenResult:
    """A result that is being written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep(self, name: str, data: bytes) -> None:
        """Write the file `name` once; the whole of it or nothing is there afterwards."""
        write_once(self.path / name, data)

    def files(self) -> dict[str, Path]:
        """Every file kept so far, by its name in the result."""
        found = (path for path in self.path.rglob("*") if path.is_file())
        return {path.relative_to(self.path).as_posix(): path for path in sorted(found)}

    def contents(self) -> dict[str, bytes]:
        """The bytes of every file kept so far."""
        return {name: path.read_bytes() for name, path in self.files().items()}

    def publish(self, name: str, data: bytes) -> None:
        """As `keep`: anyone may read all of this result."""
        self.keep(name, data)

    def finish(self) -> Path:
        """Give the result its final name; nothing is written into it afterwards but the witness's signature."""
        final = self.path.with_name(self.path.name.removesuffix(UNFINISHED))
        self.path.rename(final)
        return final


class FinishedResult:
    """A result folder, read only."""

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            raise BadInput(f"{path}: no such result.", advice="Name a folder below results/, or an archive of one.")
        self._path = path

    def names(self) -> tuple[str, ...]:
        """Everything in it that is not a folder, links included; sorted, with `/`.

        An unfinished one is not sealed, even where a signature was written before it broke off.
        """
        found = (path for path in self._path.rglob("*") if path.is_symlink() or not path.is_dir())
        names = {path.relative_to(self._path).as_posix() for path in found}
        return tuple(sorted(names - {*ENVELOPES} if self._path.resolve().suffix == UNFINISHED else names))

    def read(self, name: str) -> bytes:
        """The bytes of a plain file; a link, a device or a huge file is not what was kept."""
        path = self._path / name
        if path.is_symlink() or not path.is_file():
            raise Findings(f"{name}: is not a plain file.")
        if path.stat().st_size > LARGEST_BYTES:
            raise Findings(f"{name}: is larger than any file of a result, {LARGEST_BYTES} bytes at most.")
        return path.read_bytes()


class OpenedResult:
    """A result in memory: what a hidden run kept, or an archive holds, read as any folder is."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def names(self) -> tuple[str, ...]:
        """See `runner.ports.ResultFolder`."""
        return tuple(sorted(self._files))

    def read(self, name: str) -> bytes:
        """See `runner.ports.ResultFolder`."""
        if name not in self._files:
            raise Findings(f"{name}: missing.")
        return self._files[name]


def write_once(path: Path, data: bytes) -> None:
    """Write `data` to `path` atomically; an existing file is refused."""
    if path.exists():
        raise BadInput(f"{path}: exists already.", advice="Results are never overwritten.")
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, data, os.link)


def replace(path: Path, data: bytes) -> None:
    """Write `data` to `path` atomically, over what is there."""
    _write(path, data, os.replace)


def _write(path: Path, data: bytes, name_it: Callable[[str, Path], object]) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        name_it(name, path)
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        Path(name).unlink(missing_ok=True)
