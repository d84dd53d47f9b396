"""A partition: the queries, labels and audits that one benchmark half consists of (D1, D5)."""

from __future__ import annotations

from enum import StrEnum

from runner.documents import Digest, Document


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
