"""The kinds of layer: what each is made from, how its sources are checked, how it is made."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol

from runner.adapters.image.corpus import check_corpus, corpus_tree
from runner.adapters.image.depot import Depot
from runner.adapters.image.driver import driver_files, driver_tree
from runner.adapters.image.pool import AFile, Stock
from runner.adapters.image.sources import digests, project_files
from runner.adapters.image.system import Surroundings, system_files, system_tree
from runner.adapters.image.tree import Tree
from runner.documents import canonical_bytes, digest
from runner.ports import Progress
from runner.provenance.images import Layer
from runner.provenance.locks import Locked

_SURROUNDINGS = ("corpus", "models")


class Maker(Protocol):
    """Makes one layer."""

    def inputs(self) -> str:
        """Digest of all that the layer is made from, but for this program."""
        ...

    def check(self) -> None:
        """BadInput if a source at hand is not what a digest says."""
        ...

    def tree(self) -> Tree:
        """The layer's files."""
        ...


@dataclass(frozen=True, slots=True)
class StockMaker(Generic[AFile]):
    """Locked files, which `lay_out` puts into place: distribution packages, wheels, or models."""

    stock: Stock[AFile]
    lay_out: Callable[[list[tuple[AFile, Path]]], Tree]
    progress: Progress

    def inputs(self) -> str:
        return self.stock.digest

    def check(self) -> None:
        self.stock.check()

    def tree(self) -> Tree:
        return self.lay_out(self.stock.take(self.progress))


@dataclass(frozen=True, slots=True)
class CorpusMaker:
    """The corpus in `folder`, its previews drawn from the art in `stock`."""

    folder: Path
    stock: Stock[Locked]
    progress: Progress

    def inputs(self) -> str:
        return _digest(digests(project_files(self.folder)) | {"art": self.stock.digest})

    def check(self) -> None:
        self.stock.check()
        check_corpus(self.folder)

    def tree(self) -> Tree:
        art = self.stock.take(self.progress)
        with self.progress.step("drawing previews") as step:
            return corpus_tree(self.folder, art, step)


@dataclass(frozen=True, slots=True)
class SystemMaker:
    """The search system in `folder`, prepared for the corpus with the models of the layers that `layer` gives.

    `bundled` is the checkout's own system; `known` is where what was prepared is kept, for the next time.
    """

    folder: Path
    bundled: Path
    layer: Callable[[str], Layer]
    depot: Depot
    known: Path

    def inputs(self) -> str:
        surroundings = {name: self.layer(name).diff_id for name in _SURROUNDINGS}
        return _digest(digests(system_files(self.folder, self.bundled)) | surroundings)

    def check(self) -> None:
        """Nothing here is named by a digest."""

    def tree(self) -> Tree:
        with tempfile.TemporaryDirectory(prefix="surroundings-") as scratch:
            for name in _SURROUNDINGS:
                self.depot.unpack(self.layer(name), Path(scratch))
            corpus, models = (Path(scratch) / "opt" / name for name in _SURROUNDINGS)
            return system_tree(self.folder, Surroundings(corpus, models, self.known), self.bundled)


@dataclass(frozen=True, slots=True)
class DriverMaker:
    """The driver of the checkout at `root`."""

    root: Path

    def inputs(self) -> str:
        return _digest(digests(driver_files(self.root)))

    def check(self) -> None:
        """Nothing here is named by a digest."""

    def tree(self) -> Tree:
        return driver_tree(self.root)


def _digest(files: dict[str, str]) -> str:
    return digest(canonical_bytes(files))
