"""Loads a run manifest and every file it names, refusing the first that is not what its digest says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from runner.adapters.formats import name_of, read_bytes, read_document, read_pinned
from runner.adapters.image.shelf import read_locks
from runner.adapters.image.system import source_digest
from runner.adapters.image.workshop import BUNDLED, OWN_LOCKS
from runner.documents import Source, canonical_bytes, digest, parse_json, pretty_bytes
from runner.errors import BadInput
from runner.provenance.dockerfile import parse_dockerfile
from runner.provenance.images import ImagePins
from runner.provenance.inputs import Hardware, ImageSources, Inputs, System
from runner.provenance.manifest import FileRef, HardwareProfile, RunManifest, SystemCard, SystemManifest, WarmupQuery
from runner.provenance.sealed import is_sealed
from runner.retrieval.corpora import OVERRIDES, Corpus, parse_corpus
from runner.retrieval.partition_check import admit
from runner.retrieval.partitions import Kind, PartitionCard, PartitionFiles, parse_partition
from runner.retrieval.topics import Topic
from runner.retrieval.words import normal


class Places(NamedTuple):
    """Where a run's inputs lie: the checkout, and the folder of locks to build from."""

    root: Path
    locks: Path


def load_inputs(places: Places, source: Source, sealed: PartitionFiles | None = None) -> Inputs:
    """All inputs of a run manifest; paths in it are taken from the root of the checkout.

    `sealed` is the partition that it names, where that was sealed.
    """
    root = places.root
    manifest = RunManifest.parse(source.data, source.where)
    pinned(root, manifest.safety_policy)
    systems = tuple(load_system(places, reference) for reference in manifest.systems)
    _refuse_twins([system.manifest.name for system in systems], source.where)
    corpus = load_corpus(root, manifest)
    partition = admit(_partition(root, manifest, sealed), corpus)
    return Inputs(
        manifest=manifest,
        source=source.data,
        corpus=corpus,
        partition=partition,
        warmup=load_warmup(root, manifest.warmup, partition.topics),
        hardware=load_hardware(root, manifest.hardware),
        systems=systems,
        image=load_image_sources(places),
    )


def _refuse_twins(names: list[str], where: str) -> None:
    twice = [name for number, name in enumerate(names) if name in names[:number]]
    if twice:
        raise BadInput(
            f"{where}: systems: names {twice[0]} twice.", advice="Give each row a system and name of its own."
        )


def inside(root: Path, reference: FileRef) -> Path:
    """The file of a reference, which must lie below `root`."""
    path = root / reference.path
    if ".." in Path(reference.path).parts or not path.resolve().is_relative_to(root.resolve()):
        raise BadInput(f"{reference.path}: leads out of the project.", advice="Name files from the project's root.")
    return path


def pinned(root: Path, reference: FileRef) -> bytes:
    """The bytes of a referenced file."""
    return read_pinned(inside(root, reference), reference.digest)


def source(root: Path, reference: FileRef) -> Source:
    """A referenced file as the parsers take it."""
    return Source(reference.path, pinned(root, reference))


def load_corpus(root: Path, manifest: RunManifest) -> Corpus:
    """The corpus with its safety audit."""
    folder = inside(root, manifest.corpus).parent
    items = Source(str(folder / "items.jsonl"), read_bytes(folder / "items.jsonl"))
    return parse_corpus(
        source(root, manifest.corpus), items, source(root, manifest.safety_audit), load_overrides(folder)
    )


def load_overrides(folder: Path) -> Source | None:
    """The group overrides beside a corpus, if it has any."""
    path = folder / OVERRIDES
    return Source(str(path), read_bytes(path)) if path.exists() else None


def load_partition(path: Path, expected: str) -> PartitionFiles:
    """The partition whose card is at `path`, with every file that it pins; a hidden one is never run in the clear."""
    card = Source(str(path), read_pinned(path, expected))
    pins = PartitionCard.parse(card.data, card.where).files
    sources = {name: Source(str(path.parent / name), read_pinned(path.parent / name, pins[name])) for name in pins}
    found = parse_partition({path.name: card, **sources})
    if found.card.kind is Kind.HIDDEN:
        what = f"{name_of(path)}: is a hidden partition, and a run would show all of it."
        raise BadInput(what, advice="Seal it with `partition seal`, and give the sealed file.")
    return found


def _partition(root: Path, manifest: RunManifest, sealed: PartitionFiles | None) -> PartitionFiles:
    reference = manifest.partition
    if not is_sealed(manifest):
        return load_partition(inside(root, reference), reference.digest)
    if sealed is None:
        raise BadInput(f"partition: {reference.path}: is sealed.", advice="Give it with --partition, and its key.")
    if sealed.digest != reference.digest:
        raise BadInput(f"partition: expected {reference.digest}, found {sealed.digest}.", advice="Give that version.")
    return sealed


def load_warmup(root: Path, reference: FileRef, topics: Sequence[Topic]) -> tuple[WarmupQuery, ...]:
    """The warm-up list; BadInput for a text that is a query too (D15)."""
    found = WarmupQuery.parse_lines(pinned(root, reference), reference.path)
    asked = {normal(topic.text): topic.query_id for topic in topics}
    for number, query in enumerate(found, 1):
        if normal(query.text) in asked:
            raise BadInput(
                f"{reference.path}:{number}: text: {query.text!r} is that of query {asked[normal(query.text)]}.",
                advice="Warm up with other words.",
            )
    return found


def load_hardware(root: Path, reference: FileRef) -> Hardware:
    """The hardware profile with its system-call profile."""
    profile = HardwareProfile.parse(pinned(root, reference), reference.path)
    seccomp = parse_json(pinned(root, profile.seccomp), profile.seccomp.path)
    return Hardware(profile, reference.digest, canonical_bytes(seccomp).decode())


def load_system(places: Places, reference: FileRef) -> System:
    """A system manifest, the card in the folder it names, what that folder holds now, and the locks of its image."""
    root = places.root
    manifest = SystemManifest.parse(pinned(root, reference), reference.path)
    folder = inside(root, FileRef(path=manifest.folder, digest=reference.digest))
    if manifest.tuning:
        pinned(root, manifest.tuning)
    card = read_document(folder / "system.json", SystemCard)
    files, locks = source_digest(folder, root / BUNDLED), read_locks(places.locks, folder / OWN_LOCKS)
    return System(manifest, reference.digest, card, files, locks)


def load_image_sources(places: Places) -> ImageSources:
    """Dockerfile, pins and locks as they are."""
    dockerfile, pins = places.root / "Dockerfile", places.root / "images/pins.json"
    paths = {path.name: path for path in (dockerfile, pins, *sorted(places.locks.glob("*.json"))) if path.exists()}
    return ImageSources(
        recipe=parse_dockerfile(read_bytes(dockerfile).decode(errors="replace"), str(dockerfile)),
        pins=read_document(pins, ImagePins) if pins.exists() else None,
        digests={name: digest(read_bytes(path)) for name, path in paths.items()},
    )


def repin(root: Path, path: Path) -> list[str]:
    """Write the digests of the files as they are now into the manifest at `path`; says what changed."""
    changes: list[str] = []

    def walk(node: object) -> object:
        if isinstance(node, dict):
            if set(node) == {"path", "digest"}:
                return _repinned(root, node, changes)
            if {"folder", "files"} <= node.keys():
                found = source_digest(root / node["folder"], root / BUNDLED)
                node = node | {"files": _replaced(node["folder"], node["files"], found, changes)}
            return {key: walk(value) for key, value in node.items()}
        return [walk(value) for value in node] if isinstance(node, list) else node

    before = read_bytes(path)
    after = pretty_bytes(walk(parse_json(before, str(path))))
    if after != before:
        path.write_bytes(after)
    return changes


def _repinned(root: Path, node: dict[str, str], changes: list[str]) -> dict[str, str]:
    target = root / node["path"]
    if target.suffix == ".json" and re.match(r"manifests/(hardware|systems)/", node["path"]):
        changes += repin(root, target)
    found = _replaced(node["path"], node["digest"], digest(read_bytes(target)), changes)
    return {"path": node["path"], "digest": found}


def _replaced(what: str, before: str, now: str, changes: list[str]) -> str:
    if before != now:
        changes.append(f"{what}: {before} -> {now}")
    return now
