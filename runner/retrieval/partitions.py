"""A partition: the queries, labels and audits that one benchmark half consists of (D1, D5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from runner.documents import Digest, Document, Source, digest
from runner.errors import BadInput
from runner.retrieval.judgements import ExactTargets, Judgement, NoMatchAudit
from runner.retrieval.qrels import Qrels
from runner.retrieval.topics import QueryId, Topic


class Kind(StrEnum):
    """Which half of the benchmark."""

    DEVELOPMENT = "development"
    HIDDEN = "hidden"


class PartitionCard(Document):
    """`partition.json`; its own digest names the partition. `files` maps file names to digests."""

    name: str
    version: str
    kind: Kind
    corpus: Digest
    counts: dict[str, int]
    files: dict[str, Digest]
    provisional: tuple[str, ...]


CARD = "partition.json"
QUERIES = "queries.jsonl"
JUDGEMENTS = "judgements.jsonl"
TARGETS = "exact_targets.jsonl"
AUDITS = "no_match_audits.jsonl"
FILES = (CARD, QUERIES, JUDGEMENTS, TARGETS, AUDITS)
# Derived from the judgements; kept for readers and other tools, and never read for a score.
QRELS = "qrels.jsonl"


@dataclass(frozen=True, slots=True)
class PartitionFiles:
    """The parsed files of one partition, line by line; `sources` holds their bytes. Nothing is checked across lines."""

    sources: Mapping[str, Source]
    card: PartitionCard
    topics: tuple[Topic, ...]
    judgements: tuple[Judgement, ...]
    targets: tuple[ExactTargets, ...]
    audits: tuple[NoMatchAudit, ...]

    @property
    def digest(self) -> Digest:
        """The digest of `partition.json`, which names the partition."""
        return digest(self.sources[CARD].data)

    @property
    def queries(self) -> Digest:
        """The digest of `queries.jsonl`, whatever card stands beside it."""
        return digest(self.sources[QUERIES].data)

    def place(self, file: str) -> str:
        """The name of `file` in messages."""
        return self.sources[file].where


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition that was checked against its corpus and can be scored: make it with `partition_check.admit`."""

    files: PartitionFiles
    qrels: Qrels
    targets: Mapping[QueryId, ExactTargets]

    @property
    def card(self) -> PartitionCard:
        """`partition.json`."""
        return self.files.card

    @property
    def digest(self) -> Digest:
        """The digest of `partition.json`."""
        return self.files.digest

    @property
    def topics(self) -> tuple[Topic, ...]:
        """The queries, in the order of the file."""
        return self.files.topics

    @property
    def judgement_set(self) -> Digest:
        """The digest of `judgements.jsonl`, which names the judgement set."""
        return digest(self.files.sources[JUDGEMENTS].data)


def parse_partition(sources: Mapping[str, Source]) -> PartitionFiles:
    """The partition in `sources` (by file name; all of FILES), or BadInput naming file, line and field."""
    for name in FILES:
        if name not in sources:
            raise BadInput(f"{name}: the partition has no such file.", advice="Give the whole folder.")
    card, queries, judgements, targets, audits = (sources[name] for name in FILES)
    return PartitionFiles(
        sources=sources,
        card=PartitionCard.parse(card.data, card.where),
        topics=Topic.parse_lines(queries.data, queries.where),
        judgements=Judgement.parse_lines(judgements.data, judgements.where),
        targets=ExactTargets.parse_lines(targets.data, targets.where),
        audits=NoMatchAudit.parse_lines(audits.data, audits.where),
    )
