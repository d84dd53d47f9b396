"""Builds the tools of one checkout, as workflows ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from docker import DockerClient
from pydantic import JsonValue
from rich.console import Console

from runner.adapters.containers import ContainerRig, offered, sweep
from runner.adapters.engine import connect
from runner.adapters.formats import name_of, read_bytes, read_document
from runner.adapters.host import SystemClock, commit, packages, platform_facts
from runner.adapters.image.depot import Depot
from runner.adapters.image.engine import DockerImages
from runner.adapters.image.host import read_host
from runner.adapters.image.shelf import read_locks
from runner.adapters.image.system import Surroundings, source_digest, system_tree
from runner.adapters.image.workshop import BUNDLED, OWN_LOCKS, LocalWorkshop
from runner.adapters.image.workshop import Places as BuildPlaces
from runner.adapters.inputs import Places, load_inputs, load_overrides
from runner.adapters.journal import Journal
from runner.adapters.memory import MemoryFile
from runner.adapters.passphrase import passphrase
from runner.adapters.private_containers import PrivateContainerRig
from runner.adapters.process import ProcessRig
from runner.adapters.progress import progress_on
from runner.adapters.sealed_store import Vault
from runner.adapters.signer import checkout_key
from runner.adapters.store import ResultStore
from runner.documents import Source, digest, parse_json
from runner.driver.machine import machine_facts
from runner.errors import BadInput, CannotDecide
from runner.ports import Rig
from runner.provenance.environment import Offered
from runner.provenance.host_spread import HostSpread
from runner.provenance.images import ImageRef
from runner.provenance.inputs import Hardware, Inputs, System
from runner.provenance.manifest import FileRef, RunManifest, SystemCard, SystemManifest
from runner.provenance.plan import PlanPaths
from runner.retrieval.corpora import Corpus, parse_corpus
from runner.retrieval.corpus_check import CorpusFiles, parse_corpus_files
from runner.retrieval.partitions import CARD, FILES, PartitionFiles
from runner.workflows.build import Built, build
from runner.workflows.lock import ADVICE, LACKING, Checkout, Origin, Seat
from runner.workflows.locked_image import Wanted, supply_locked
from runner.workflows.names import MANIFEST
from runner.workflows.official import Desk, Stage
from runner.workflows.original import Original
from runner.workflows.plan import IN_CONTAINER
from runner.workflows.plan import Places as RunPlaces

#: The steward's log of runs, from the root of a checkout.
LOG = "results/log.jsonl"
#: Where the spread of several runs on one host stands beside the hardware profile.
HARDWARE, SPREAD = "manifests/hardware", "-spread.json"


class Tools:
    """The tools of the checkout at `root`; `locks` is the folder of locks to build from, `talk` where people look."""

    def __init__(self, root: Path, cache: Path, locks: Path, talk: Console) -> None:
        self.root = root
        self.cache = cache
        self.locks = locks
        self.progress = progress_on(talk)

    @cached_property
    def images(self) -> DockerImages:
        """The running engine's images."""
        return DockerImages(connect())

    def workshop(self, folder: str = BUNDLED) -> LocalWorkshop:
        """Where the layers of an image with the system in `folder` are made."""
        places = BuildPlaces.of(self.root, self.cache)._replace(system=self.root / folder, locks=self.locks)
        return LocalWorkshop(places, read_host(), self.progress)

    @cached_property
    def checkout(self) -> Checkout:
        """The code and machine at hand."""
        found = commit(self.root)
        return Checkout(found.name, found.clean, platform_facts(), packages(), machine_facts(), found.changed)

    def inputs(self, manifest: Path) -> Inputs:
        """A run manifest with all it names."""
        return load_inputs(Places(self.root, self.locks), Source(str(manifest), read_bytes(manifest)))

    def inputs_of(self, manifest: bytes, sealed: PartitionFiles | None = None) -> Inputs:
        """What a kept result was made from, as this checkout has it; CannotDecide where it has something else."""
        try:
            return load_inputs(Places(self.root, self.locks), Source(MANIFEST, manifest), sealed)
        except BadInput as error:
            raise CannotDecide(f"{LACKING}: {error.what}", advice=ADVICE) from None

    def inputs_on(self, manifest: Path, folder: Path) -> Inputs:
        """As `inputs`, with the partition in a folder of the project in place of the one that the manifest names."""
        card, root = folder.resolve() / CARD, self.root.resolve()
        if not card.is_relative_to(root):
            what = f"{name_of(folder)}: leads out of the project."
            raise BadInput(what, advice="Move it into the project; a hidden partition is given sealed.")
        reference = FileRef(path=card.relative_to(root).as_posix(), digest=digest(read_bytes(card)))
        wanted = read_document(manifest, RunManifest).model_copy(update={"partition": reference})
        return load_inputs(Places(self.root, self.locks), Source(str(manifest), wanted.pretty()))

    def partition_sources(self, folder: Path) -> Mapping[str, Source]:
        """The files of a partition, whatever its card says of them; those that every partition has must be there."""
        found = {path.name for path in folder.glob("*.json*")} | set(FILES)
        return {name: Source(str(folder / name), read_bytes(folder / name)) for name in sorted(found)}

    def corpus(self, folder: Path, audit: Path) -> Corpus:
        """The corpus in `folder` with its safety audit."""
        card, items = (Source(str(path), read_bytes(path)) for path in (folder / "corpus.json", folder / "items.jsonl"))
        return parse_corpus(card, items, Source(str(audit), read_bytes(audit)), load_overrides(folder))

    def corpus_files(self, folder: Path) -> CorpusFiles:
        """The files of the corpus in `folder`, whatever its card says of them."""
        card = Source(str(folder / "corpus.json"), read_bytes(folder / "corpus.json"))
        return parse_corpus_files(card, {p.name: Source(str(p), read_bytes(p)) for p in sorted(folder.glob("*.jsonl"))})

    def previews(self) -> Path:
        """The corpus folder as it stands in the image, its pictures drawn; drawn now if they were not before."""
        return Depot(self.cache / "layers").folder(self.workshop().layer("corpus")) / "opt/corpus"

    def models(self, folder: str = BUNDLED) -> Path:
        """The models folder as it stands in the image with the system in `folder`; made now if it was not before."""
        return self.workshop(folder).folder("models")

    def build(self, folder: str = BUNDLED) -> Built:
        """The image of this checkout with the system in `folder`, in the engine."""
        return build(self.workshop(folder), self.images, self.progress)

    def container_stage(self, inputs: Inputs, results: Path, vault: Vault | None = None) -> Stage:
        """Images in containers of fixed hardware, after what dead runs left was swept; `vault` takes the evidence of a
        hidden run."""
        client = connect()
        sweep(client, results)
        folders = dict.fromkeys(system.manifest.folder for system in inputs.systems)
        images = {folder: self.build(folder).image for folder in folders}
        return {
            system.manifest.name: _container_seat(images[system.manifest.folder], client, inputs.hardware, vault)
            for system in inputs.systems
        }

    def offered(self) -> Offered:
        """What the running engine can give to containers."""
        return offered(connect())

    def locked_stage(self, original: Original, archives: Sequence[Path], results: Path) -> Stage:
        """As `container_stage`, in the very images that a result was made in."""
        client = connect()
        sweep(client, results)
        inputs, locked = original.inputs, original.lock.systems
        shops = {system.manifest.name: self.workshop(system.manifest.folder) for system in inputs.systems}
        wanted = {one.name: Wanted(one.image, shops[one.name]) for one in locked if one.image is not None}
        supplied = supply_locked(wanted, archives, self.images, self.progress)
        return {name: _container_seat(ref, client, inputs.hardware, None) for name, ref in supplied.items()}

    def plain_stage(self, inputs: Inputs, scratch: Path) -> Stage:
        """Plain processes of this user; `scratch` is a short path for their sockets."""
        return {system.manifest.name: self.plain_seat(system.manifest.folder, scratch) for system in inputs.systems}

    def prepared_system(self, folder: str = BUNDLED) -> tuple[str, Path]:
        """A system as it stands in its image: digest of its layer, and a folder with its files."""
        depot = Depot(self.cache / "layers")
        surroundings = Surroundings(self.root / "images/corpus", self.models(folder), self.cache / "prepared")
        made = system_tree(self.root / folder, surroundings, self.root / BUNDLED)
        layer = depot.keep("system", made.write)
        return layer.diff_id, depot.folder(layer) / "opt/system"

    def system(self, folder: Path, configuration: Path | None) -> System:
        """The system in `folder`, started with the configuration in a file, else as the checkout would start it."""
        card = read_document(folder / "system.json", SystemCard)
        manifest = SystemManifest(
            name=card.name,
            title=card.name,
            folder=str(folder.resolve()),
            files=source_digest(folder, self.root / BUNDLED),
            configuration=self._configuration(folder, configuration),
        )
        locks = read_locks(self.locks, folder / OWN_LOCKS)
        return System(manifest, digest(manifest.pretty()), card, manifest.files, locks)

    def _configuration(self, folder: Path, given: Path | None) -> dict[str, JsonValue]:
        """That of the file `given`, else of the first system manifest here that names the folder, else an empty one."""
        if given is not None:
            found = parse_json(read_bytes(given), str(given))
            if not isinstance(found, dict):
                raise BadInput(f"{given}: not an object.", advice="Write the configuration as a JSON object.")
            return found
        manifest = self.named(folder)
        return manifest.configuration if manifest else {}

    def named(self, folder: Path) -> SystemManifest | None:
        """The first system manifest of the checkout that names `folder`."""
        return next((one for one in self.systems() if (self.root / one.folder).resolve() == folder.resolve()), None)

    def systems(self) -> list[SystemManifest]:
        """The system manifests of the checkout."""
        return [
            read_document(path, SystemManifest) for path in sorted((self.root / "manifests/systems").glob("*.json"))
        ]

    def retrievers(self) -> dict[tuple[str, str], str]:
        """The name that the checkout has for what an engine calls itself, with the digest of its configuration."""
        systems = self.systems()
        cards = [read_document(self.root / one.folder / "system.json", SystemCard) for one in systems]
        return {(card.name, one.configuration_digest): one.name for card, one in zip(cards, systems, strict=True)}

    def plain_seat(self, folder: str, scratch: Path) -> Seat:
        """A plain process of this user for the system in `folder`."""
        layer, prepared = self.prepared_system(folder)
        corpus, models = str(self.root / "images/corpus"), str(self.models(folder))
        paths = PlanPaths(system=str(prepared), corpus=corpus, models=models, run=str(scratch))
        return Seat(Origin(layer, None), RunPlaces(paths, "none"), lambda _run_id: ProcessRig(self.root))

    def spreads(self) -> Sequence[HostSpread]:
        """What is kept here of several runs on one host."""
        return [read_document(path, HostSpread) for path in sorted((self.root / HARDWARE).glob(f"*{SPREAD}"))]

    @property
    def memory(self) -> MemoryFile:
        """What this checkout saw last of trust files and logs."""
        return MemoryFile(self.root / ".keys/seen.json")

    def desk(self, results: Path) -> Desk:
        """What a run needs beside its stage; results go below `results`."""
        return Desk(
            checkout=self.checkout,
            store=ResultStore(results),
            signer=checkout_key(self.root / ".keys", passphrase),
            journal=Journal(self.root / LOG),
            clock=SystemClock(),
            progress=self.progress,
        )


def _container_seat(image: ImageRef, client: DockerClient, hardware: Hardware, vault: Vault | None) -> Seat:
    def rig(run_id: str) -> Rig:
        if vault is None:
            return ContainerRig(client, image.tag, hardware.profile, hardware.seccomp, run_id)
        seccomp = hardware.seccomp
        return PrivateContainerRig(client, image.tag, hardware.profile, seccomp=seccomp, take=vault.take)

    return Seat(Origin.of_image(image), IN_CONTAINER, rig)
