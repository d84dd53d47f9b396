"""Loads a run manifest and every file it names, refusing the first that is not what its digest says."""

from __future__ import annotations

import re
from pathlib import Path

from runner.adapters.formats import read_bytes, read_document, read_pinned
from runner.documents import canonical_bytes, digest, parse_json, pretty_bytes
from runner.errors import BadInput
from runner.provenance.inputs import Corpus, Hardware, Inputs, PartitionFiles, System
from runner.provenance.manifest import FileRef, HardwareProfile, RunManifest, SystemCard, SystemManifest, WarmupQuery
from runner.retrieval.items import CorpusCard, Item, SafetyAudit
from runner.retrieval.judgements import ExactTargets, Judgement, NoMatchAudit, Qrel
from runner.retrieval.partitions import PartitionCard
from runner.retrieval.topics import Topic


def load_inputs(root: Path, path: Path) -> Inputs:
    """All inputs of the run manifest at `path`; paths in it are taken from `root`."""
    data = read_bytes(path)
    manifest = RunManifest.parse(data, str(path))
    corpus = load_corpus(inside(root, manifest.corpus), manifest.corpus.digest)
    partition = load_partition(inside(root, manifest.partition), manifest.partition.digest)
    if partition.card.corpus != corpus.digest:
        raise BadInput(
            f"{manifest.partition.path}: is labelled for corpus {partition.card.corpus}, found {corpus.digest}.",
            advice="Use the corpus it was made for, or repeat its audits and judgements for this one.",
        )
    return Inputs(
        manifest=manifest,
        digest=digest(data),
        partition=partition,
        corpus=corpus,
        audit=load_audit(root, manifest.safety_audit, corpus),
        warmup=WarmupQuery.parse_lines(pinned(root, manifest.warmup), manifest.warmup.path),
        hardware=load_hardware(root, manifest.hardware),
        systems=tuple(load_system(root, reference) for reference in manifest.systems),
    )


def inside(root: Path, reference: FileRef) -> Path:
    """The file of a reference, which must lie below `root`."""
    path = root / reference.path
    if Path(reference.path).is_absolute() or ".." in Path(reference.path).parts:
        raise BadInput(f"{reference.path}: leads out of the project.", advice="Name files from the project's root.")
    return path


def pinned(root: Path, reference: FileRef) -> bytes:
    """The bytes of a referenced file."""
    return read_pinned(inside(root, reference), reference.digest)


def load_corpus(path: Path, expected: str) -> Corpus:
    """The corpus whose card is at `path`; a duplicate doc_id is refused."""
    card = CorpusCard.parse(read_pinned(path, expected), str(path))
    items_path = path.parent / "items.jsonl"
    items = Item.parse_lines(read_pinned(items_path, card.items), str(items_path))
    refuse_repeated([item.doc_id for item in items], items_path, "doc_id")
    return Corpus(card, card.items, items)


def load_partition(path: Path, expected: str) -> PartitionFiles:
    """The partition whose card is at `path`, with every file that it pins."""
    card = PartitionCard.parse(read_pinned(path, expected), str(path))
    files = {name: read_pinned(path.parent / name, value) for name, value in card.files.items()}

    def data(name: str) -> bytes:
        if name not in files:
            raise BadInput(f"{path}: files: {name} is missing.", advice="Pin all files of the partition.")
        return files[name]

    topics = Topic.parse_lines(data("queries.jsonl"), str(path.parent / "queries.jsonl"))
    refuse_repeated([topic.query_id for topic in topics], path.parent / "queries.jsonl", "query_id")
    acts = Judgement.parse_lines(data("judgements.jsonl"), str(path.parent / "judgements.jsonl"))
    return PartitionFiles(
        card=card,
        digest=expected,
        topics=topics,
        qrels=Qrel.parse_lines(data("qrels.jsonl"), str(path.parent / "qrels.jsonl")),
        annotators=frozenset(act.annotator for act in acts),
        targets=ExactTargets.parse_lines(data("exact_targets.jsonl"), str(path.parent / "exact_targets.jsonl")),
        audits=NoMatchAudit.parse_lines(data("no_match_audits.jsonl"), str(path.parent / "no_match_audits.jsonl")),
    )


def load_audit(root: Path, reference: FileRef, corpus: Corpus) -> tuple[SafetyAudit, ...]:
    """The safety audit, which must class each item of this very corpus once (D6)."""
    audit = SafetyAudit.parse_lines(pinned(root, reference), reference.path)
    for number, row in enumerate(audit, 1):
        if row.corpus_digest != corpus.digest:
            raise BadInput(
                f"{reference.path}:{number}: audits corpus {row.corpus_digest}, found {corpus.digest}.",
                advice="Repeat the audit for this corpus.",
            )
    refuse_repeated([row.doc_id for row in audit], root / reference.path, "doc_id")
    missing = sorted({item.doc_id for item in corpus.items} - {row.doc_id for row in audit})
    if missing:
        raise BadInput(f"{reference.path}: does not class {missing[0]} ({len(missing)} missing).", advice="Audit it.")
    return audit


def load_hardware(root: Path, reference: FileRef) -> Hardware:
    """The hardware profile with its system-call profile."""
    profile = HardwareProfile.parse(pinned(root, reference), reference.path)
    seccomp = parse_json(pinned(root, profile.seccomp), profile.seccomp.path)
    return Hardware(profile, reference.digest, canonical_bytes(seccomp).decode())


def load_system(root: Path, reference: FileRef) -> System:
    """A system manifest and the card in the folder it names; other interfaces and protocols are refused."""
    manifest = SystemManifest.parse(pinned(root, reference), reference.path)
    folder = inside(root, FileRef(path=manifest.folder, digest=reference.digest))
    card_path = folder / "system.json"
    card = read_document(card_path, SystemCard)
    if (card.interface, card.protocol) != ("list-80x24-v1", "search-v1"):
        raise BadInput(
            f"{card_path}: speaks {card.interface} and {card.protocol}.",
            advice="This runner scores interface list-80x24-v1 with protocol search-v1.",
        )
    return System(manifest, reference.digest, card)


def refuse_repeated(ids: list[str], path: Path, field: str) -> None:
    """Refuse a file that uses one id on two lines."""
    first: dict[str, int] = {}
    for number, name in enumerate(ids, 1):
        if name in first:
            raise BadInput(
                f"{path}:{number}: {field} {name!r} stands already on line {first[name]}.",
                advice="Give each line an id of its own.",
            )
        first[name] = number


def repin(root: Path, path: Path) -> list[str]:
    """Write the digests of the files as they are now into the manifest at `path`; says what changed."""
    changes: list[str] = []

    def walk(node: object) -> object:
        if isinstance(node, dict):
            if set(node) == {"path", "digest"}:
                return _repinned(root, node, changes)
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
    found = digest(read_bytes(target))
    if found != node["digest"]:
        changes.append(f"{node['path']}: {node['digest']} -> {found}")
    return {"path": node["path"], "digest": found}
