"""Everything a run manifest names, read and found to be what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from runner.provenance.manifest import HardwareProfile, RunManifest, SystemCard, SystemManifest, WarmupQuery
from runner.retrieval.items import CorpusCard, Item, SafetyAudit
from runner.retrieval.judgements import ExactTargets, NoMatchAudit, Qrel
from runner.retrieval.partitions import PartitionCard
from runner.retrieval.topics import Topic


class Corpus(NamedTuple):
    """The frozen corpus; its digest is that of `items.jsonl`."""

    card: CorpusCard
    digest: str
    items: tuple[Item, ...]

    @property
    def titles(self) -> Mapping[str, str]:
        """Title of each doc_id."""
        return {item.doc_id: item.title for item in self.items}


class PartitionFiles(NamedTuple):
    """One partition with all its labels; its digest is that of `partition.json`."""

    card: PartitionCard
    digest: str
    topics: tuple[Topic, ...]
    qrels: tuple[Qrel, ...]
    annotators: frozenset[str]
    targets: tuple[ExactTargets, ...]
    audits: tuple[NoMatchAudit, ...]

    @property
    def judgement_set(self) -> str:
        """Digest of the final grades."""
        return self.card.files["qrels.jsonl"]


class Hardware(NamedTuple):
    """The fixed hardware, its digest, and the text of its system-call profile."""

    profile: HardwareProfile
    digest: str
    seccomp: str


class System(NamedTuple):
    """A row to be scored: its manifest with digest, and the card in its folder."""

    manifest: SystemManifest
    digest: str
    card: SystemCard


class Inputs(NamedTuple):
    """The run manifest and all it names."""

    manifest: RunManifest
    digest: str
    partition: PartitionFiles
    corpus: Corpus
    audit: tuple[SafetyAudit, ...]
    warmup: tuple[WarmupQuery, ...]
    hardware: Hardware
    systems: tuple[System, ...]
