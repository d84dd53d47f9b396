"""The depot: layer tars by their digest, and which inputs each came from."""

from __future__ import annotations

import hashlib
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from runner.adapters.image.tree import Hashing, Sink
from runner.errors import BadInput
from runner.provenance.images import Layer


class Checked:
    """A file that remembers the digest of what was read."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes."""
        data = self._file.read(size)
        self._hash.update(data)
        return data

    @property
    def digest(self) -> str:
        """`sha256:<hex>` of all that was read."""
        return "sha256:" + self._hash.hexdigest()


class Depot:
    """Layers kept below `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, layer: Layer) -> Path:
        """Where the tar of `layer` is, or would be."""
        return self._tar(layer.diff_id)

    def find(self, name: str, diff_id: str) -> Layer | None:
        """The layer with this digest, if it is here."""
        path = self._tar(diff_id)
        return Layer(name=name, diff_id=diff_id, size=path.stat().st_size) if path.exists() else None

    def recall(self, key: str) -> Layer | None:
        """The layer once made from the inputs that `key` stands for, if it is still here."""
        note = self._note(key)
        if not note.exists():
            return None
        layer = Layer.parse(note.read_bytes(), str(note))
        return layer if self.find(layer.name, layer.diff_id) == layer else None

    def keep(self, name: str, write: Callable[[Sink], None]) -> Layer:
        """Store the tar that `write` writes."""
        with self._scratch() as (path, file):
            sink = Hashing(file)
            write(sink)
            file.close()
            layer = Layer(name=name, diff_id=sink.digest, size=sink.size)
            path.replace(self.path(layer))
        return layer

    def remember(self, key: str, layer: Layer) -> None:
        """Note that `layer` comes from the inputs that `key` stands for."""
        with self._scratch() as (path, file):
            file.write(layer.pretty())
            file.close()
            self._note(key).parent.mkdir(parents=True, exist_ok=True)
            path.replace(self._note(key))

    @contextmanager
    def open(self, layer: Layer) -> Iterator[Checked]:
        """The tar of `layer`, to be read to its end; BadInput afterwards if it is not what its digest says."""
        path = self.path(layer)
        with path.open("rb") as file:
            reader = Checked(file)
            yield reader
        if reader.digest != layer.diff_id:
            path.unlink(missing_ok=True)
            raise BadInput(
                f"{path}: expected {layer.diff_id}, found {reader.digest}.", advice="It was removed; build again."
            )

    def unpack(self, layer: Layer, to: Path) -> None:
        """Lay the files of `layer` into the folder `to`; BadInput if the tar is not what its digest says."""
        with self.open(layer) as file:
            with tarfile.open(fileobj=file, mode="r|") as tar:  # type: ignore[call-overload]
                # Set, not passed: Python 3.11.2 knows no filters. Only layers made here or pinned are ever unpacked.
                tar.extraction_filter = lambda member, _to: member
                tar.extractall(to)
            while file.read(1 << 20):
                pass

    def folder(self, layer: Layer) -> Path:
        """A folder that holds the files of `layer`, unpacked once."""
        target = self._folder / "unpacked" / layer.diff_id.replace(":", "-")
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
                whole = Path(scratch) / "whole"
                self.unpack(layer, whole)
                # Another process may have been quicker with the same files.
                with suppress(OSError):
                    whole.rename(target)
        return target

    def _tar(self, diff_id: str) -> Path:
        return self._folder / "tars" / diff_id.replace(":", "-")

    def _note(self, key: str) -> Path:
        return self._folder / "notes" / f"{key.removeprefix('sha256:')}.json"

    @contextmanager
    def _scratch(self) -> Iterator[tuple[Path, BinaryIO]]:
        folder = self._folder / "tars"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix="new-", delete=False) as file:
            path = Path(file.name)
            try:
                yield path, file  # type: ignore[misc]
            finally:
                path.unlink(missing_ok=True)
