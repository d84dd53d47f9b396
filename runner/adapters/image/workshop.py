"""The workshop: makes each layer of the image from the files of one checkout, or finds it made already."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

from runner.adapters.formats import read_bytes, read_document
from runner.adapters.image.apt import Apt
from runner.adapters.image.archive import read_archive, write_archive
from runner.adapters.image.base import base_tree
from runner.adapters.image.depot import Depot
from runner.adapters.image.host import Host
from runner.adapters.image.layer_files import differing_files
from runner.adapters.image.makers import CorpusMaker, DriverMaker, Maker, StockMaker, SystemMaker
from runner.adapters.image.model_wheels import fetch_models
from runner.adapters.image.models import models_tree
from runner.adapters.image.packed import compress
from runner.adapters.image.pip import Pip
from runner.adapters.image.pool import Stock
from runner.adapters.image.shelf import LockShelf
from runner.adapters.image.site import site_tree
from runner.adapters.image.sources import digests, source_files
from runner.documents import canonical_bytes, digest
from runner.errors import BadInput
from runner.ports import Progress
from runner.provenance.dockerfile import Recipe, parse_dockerfile
from runner.provenance.images import Blueprint, ImagePins, Layer, PinnedLayer
from runner.provenance.locks import Locks

BUNDLED = "images/mambomeme"
#: Where a system keeps locks of its own.
OWN_LOCKS = "locks"


class Places(NamedTuple):
    """Where everything is: the checkout, the cache, the locks, and the system to be scored."""

    root: Path
    cache: Path
    locks: Path
    system: Path

    @classmethod
    def of(cls, root: Path, cache: Path) -> Places:
        """The usual places of the checkout at `root`."""
        return cls(root, cache, root / "images/locks", root / BUNDLED)

    @property
    def bundled(self) -> Path:
        """The system that is part of the checkout."""
        return self.root / BUNDLED

    @property
    def own_locks(self) -> Path:
        """The locks that the system brings for its image, if it brings any."""
        return self.system / OWN_LOCKS

    @property
    def corpus(self) -> Path:
        """The frozen corpus."""
        return self.root / "images/corpus"

    @property
    def pins(self) -> Path:
        """The pinned ids."""
        return self.root / "images/pins.json"


class LocalWorkshop:
    """See `runner.ports.Workshop`."""

    def __init__(self, places: Places, host: Host, progress: Progress) -> None:
        self._places = places
        self._host = host
        self._progress = progress
        self._depot = Depot(places.cache / "layers")
        self._apt = Apt(host, places.cache / "apt")
        self._pip = Pip()
        self._shelf = LockShelf(places.locks, places.own_locks, self._apt, self._pip)
        self._layers: dict[str, Layer] = {}

    def require_host(self) -> None:
        """See `runner.ports.Workshop`."""
        self._host.require_amd64()

    def recipe(self) -> Recipe:
        """See `runner.ports.Workshop`."""
        path = self._places.root / "Dockerfile"
        recipe = parse_dockerfile(read_bytes(path).decode(errors="replace"), str(path))
        unknown = sorted(set(recipe.layers) - self._makers.keys())
        if unknown:
            advice = f"There are {', '.join(self._makers)}."
            raise BadInput(f"{path}: ADD {unknown[0]}.tar: no such layer.", advice=advice)
        return recipe

    def layer(self, name: str) -> Layer:
        """See `runner.ports.Workshop`."""
        if name not in self._layers:
            maker = self._makers[name]
            maker.check()
            inputs = maker.inputs()
            self._layers[name] = self._found(name, inputs) or self._made(name, inputs, maker)
        return self._layers[name]

    def folder(self, name: str) -> Path:
        """A folder with the files that lie below `/opt/<name>` in the image."""
        return self._depot.folder(self.layer(name)) / "opt" / name

    def path(self, layer: Layer) -> Path:
        """The tar of a layer that was made here."""
        return self._depot.path(layer)

    @contextmanager
    def archive(self, image: Blueprint) -> Iterator[Path]:
        """See `runner.ports.Workshop`."""
        self._places.cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._places.cache, prefix="archive-") as folder:
            path = Path(folder) / "image.tar"
            write_archive(image, self._depot, path)
            yield path

    def write_out(self, image: Blueprint, to: Path) -> None:
        """See `runner.ports.Workshop`."""
        if to.exists():
            raise BadInput(f"{to}: exists.", advice="Name a new file.")
        if not to.parent.is_dir():
            raise BadInput(f"{to.parent}: no such folder.")
        with tempfile.TemporaryDirectory(dir=to.parent, prefix=".image-") as folder:
            tar, packed = Path(folder) / "image.tar", Path(folder) / "image.tar.zst"
            write_archive(image, self._depot, tar)
            compress(tar, packed)
            packed.rename(to)

    def take_in(self, archive: Path) -> Blueprint:
        """See `runner.ports.Workshop`."""
        return read_archive(archive, self._depot)

    def differing_files(self, one: Layer, other: Layer) -> tuple[str, ...]:
        """See `runner.ports.Workshop`."""
        return differing_files(self._depot, one, other)

    def pins(self) -> ImagePins | None:
        """See `runner.ports.Workshop`."""
        path = self._places.pins
        return read_document(path, ImagePins) if path.exists() else None

    def pins_of(self, image: Blueprint) -> ImagePins:
        """See `runner.ports.Workshop`."""
        layers = {
            layer.name: PinnedLayer(diff_id=layer.diff_id, inputs=self._makers[layer.name].inputs())
            for layer in image.ref.layers
        }
        return ImagePins(
            format="mambomeme/image-pins/v1", image=image.ref.image, manifest=image.ref.manifest, layers=layers
        )

    def keep_pins(self, pins: ImagePins) -> None:
        """See `runner.ports.Workshop`."""
        self._places.pins.write_bytes(pins.pretty())

    def locks(self) -> Locks:
        """See `runner.ports.Workshop`."""
        return self._shelf.read()

    def resolve(self) -> Locks:
        """See `runner.ports.Workshop`."""
        return self._shelf.resolve(self._progress)

    def keep_locks(self, locks: Locks, to: Path | None) -> None:
        """See `runner.ports.Workshop`."""
        self._shelf.write(locks, to)

    @cached_property
    def _makers(self) -> dict[str, Maker]:
        places, progress, locks = self._places, self._progress, self.locks()
        debian, wheels, art, models = (str(self._shelf.path(name)) for name in Locks._fields)
        pool = places.cache / "pool"
        base = Stock(pool, debian, locks.debian, partial(self._apt.fetch, locks.debian, debian))
        site = Stock(pool, wheels, locks.wheels, partial(self._pip.fetch, locks.wheels, wheels))
        drawings = Stock(pool, art, locks.art, partial(self._apt.fetch, locks.art, art))
        weights = Stock(pool, models, locks.models, partial(fetch_models, self._pip, models))
        return {
            "base": StockMaker(base, base_tree, progress),
            "site": StockMaker(site, site_tree, progress),
            "corpus": CorpusMaker(places.corpus, drawings, progress),
            "models": StockMaker(weights, models_tree, progress),
            "system": SystemMaker(places.system, places.bundled, self.layer, self._depot, places.cache / "prepared"),
            "driver": DriverMaker(places.root),
        }

    @cached_property
    def _code(self) -> str:
        """Digest of the program that makes layers."""
        return digest(canonical_bytes(digests(source_files(Path(__file__).parent))))

    def _found(self, name: str, inputs: str) -> Layer | None:
        """The layer if it was made from these inputs before: here, or (pinned, then imported) elsewhere."""
        pins = self.pins()
        pinned = pins.layers.get(name) if pins else None
        if pinned and pinned.inputs == inputs:
            imported = self._depot.find(name, pinned.diff_id)
            if imported:
                return imported
        return self._depot.recall(self._key(inputs))

    def _made(self, name: str, inputs: str, maker: Maker) -> Layer:
        with self._progress.step(f"making layer {name}"):
            layer = self._depot.keep(name, maker.tree().write)
        self._depot.remember(self._key(inputs), layer)
        return layer

    def _key(self, inputs: str) -> str:
        return digest(f"{self._code} {inputs}".encode())
