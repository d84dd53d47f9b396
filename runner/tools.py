"""Builds the tools of one checkout, as workflows ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from rich.console import Console

from runner.adapters.containers import ContainerRig, connect, sweep
from runner.adapters.formats import read_bytes
from runner.adapters.host import SystemClock, commit, packages, platform_facts
from runner.adapters.image.depot import Depot
from runner.adapters.image.engine import DockerImages
from runner.adapters.image.host import read_host
from runner.adapters.image.system import system_tree
from runner.adapters.image.workshop import LocalWorkshop
from runner.adapters.image.workshop import Places as BuildPlaces
from runner.adapters.inputs import load_inputs
from runner.adapters.journal import Journal
from runner.adapters.process import ProcessRig
from runner.adapters.progress import progress_on
from runner.adapters.signer import checkout_key
from runner.adapters.store import ResultStore
from runner.documents import Source, digest
from runner.errors import BadInput, CannotDecide
from runner.provenance.inputs import Inputs
from runner.retrieval.corpora import Corpus, parse_corpus
from runner.retrieval.partitions import FILES
from runner.workflows.build import Built, build
from runner.workflows.lock import Checkout, Stage
from runner.workflows.official import Desk
from runner.workflows.plan import Places
from runner.workflows.products import MANIFEST

IN_CONTAINER = Places(system="/opt/system", corpus="/opt/corpus", run="/run", isolation="users")


class Tools:
    """The tools of the checkout at `root`; `talk` is where people are told how far things are."""

    def __init__(self, root: Path, cache: Path, talk: Console) -> None:
        self.root = root
        self.cache = cache
        self.progress = progress_on(talk)

    @cached_property
    def images(self) -> DockerImages:
        """The running engine's images."""
        return DockerImages(connect())

    @cached_property
    def workshop(self) -> LocalWorkshop:
        """Where layers are made."""
        return LocalWorkshop(BuildPlaces.of(self.root, self.cache), read_host(), self.progress)

    @cached_property
    def checkout(self) -> Checkout:
        """The code and machine at hand."""
        found = commit(self.root)
        locks = sorted((self.root / "images/locks").glob("*.json"))
        return Checkout(
            commit=found.name,
            clean=found.clean,
            platform=platform_facts(),
            packages=packages(),
            locks={path.name: digest(read_bytes(path)) for path in locks},
        )

    def inputs(self, manifest: Path) -> Inputs:
        """A run manifest with all it names."""
        return load_inputs(self.root, manifest)

    def inputs_of(self, results: Path) -> Inputs:
        """What a kept result was made from, as this checkout has it; CannotDecide where it has something else."""
        try:
            return self.inputs(results / MANIFEST)
        except BadInput as error:
            advice = "Check out the commit in its run.lock.json."
            raise CannotDecide(f"this checkout lacks what the run was made from: {error.what}", advice=advice) from None

    def partition_sources(self, folder: Path) -> Mapping[str, Source]:
        """The files of a partition, whatever its card says of them."""
        return {name: Source(str(folder / name), read_bytes(folder / name)) for name in FILES}

    def corpus(self, folder: Path, audit: Path) -> Corpus:
        """The corpus in `folder` with its safety audit."""
        card, items = (Source(str(path), read_bytes(path)) for path in (folder / "corpus.json", folder / "items.jsonl"))
        return parse_corpus(card, items, Source(str(audit), read_bytes(audit)))

    def build(self) -> Built:
        """The image of this checkout, in the engine."""
        return build(self.workshop, self.images, self.progress)

    def container_stage(self, inputs: Inputs, results: Path) -> Stage:
        """The pinned image in a container of fixed hardware, after what dead runs left was swept."""
        client = connect()
        sweep(client, results)
        built = self.build()
        return Stage(
            image=built.image,
            layer=next(layer.diff_id for layer in built.image.layers if layer.name == "system"),
            places=IN_CONTAINER,
            rig=lambda run_id: ContainerRig(
                client, built.image.tag, inputs.hardware.profile, inputs.hardware.seccomp, run_id
            ),
            reasons=tuple(f"not the pinned image: {difference}" for difference in built.unpinned),
        )

    def plain_stage(self, scratch: Path) -> Stage:
        """A plain process of this user; `scratch` is a short path for its sockets."""
        digest_, folder = self.prepared_system()
        return Stage(
            image=None,
            layer=digest_,
            places=Places(str(folder), str(self.root / "images/corpus"), str(scratch), "none"),
            rig=lambda _run_id: ProcessRig(self.root),
            reasons=("not containerised",),
        )

    def prepared_system(self) -> tuple[str, Path]:
        """The bundled system as it stands in the image: digest of its layer, and a folder with its files."""
        depot = Depot(self.cache / "layers")
        tree = system_tree(self.root / "images/mambomeme", self.root / "images/corpus")
        layer = depot.keep("system", tree.write)
        return layer.diff_id, depot.folder(layer) / "opt/system"

    def desk(self, results: Path) -> Desk:
        """What a run needs beside its stage; results go below `results`."""
        return Desk(
            checkout=self.checkout,
            store=ResultStore(results),
            signer=checkout_key(self.root / ".keys"),
            journal=Journal(self.root / "results/log.jsonl"),
            clock=SystemClock(),
            progress=self.progress,
        )
