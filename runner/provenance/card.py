"""The scorecard: one row a system, under the versions it was scored with and the standing it has (D31)."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from runner.documents import Digest, Document
from runner.provenance.tries import RunId, Tries
from runner.provenance.versions import VersionTuple
from runner.retrieval.gates import CRITICAL, Verdict
from runner.retrieval.instrument import Instrument
from runner.retrieval.paired import Pair, Power
from runner.retrieval.partitions import Kind
from runner.retrieval.scorecard import SystemRow
from runner.retrieval.suites import GatesReport


class Standing(StrEnum):
    """What a card may be taken for; `verify` alone derives `official`."""

    ELIGIBLE = "eligible"
    PROVISIONAL = "provisional"


class PartitionLine(Document):
    """Which partition was scored, for readers; `certificate` is the digest of what `partition check` says of it."""

    name: str
    version: str
    kind: Kind
    queries: int
    families: int
    certificate: Digest


class Floor(Document):
    """How fast the measuring itself is: probes of the bare terminal, or of a UI that does nothing."""

    name: str
    n: int
    p50_ns: int
    p95_ns: int
    max_ns: int


#: Of a card as it is, and of one of a sealed partition as anyone may read it.
FULL, PUBLIC = "mambomeme/scorecard/v1", "mambomeme/public-scorecard/v1"


class Scorecard(Document):
    """`scorecard.json`. `reasons` say why a card is provisional; an eligible one has none.

    `tries` says how often the steward had run the same before; null where no run was scored.
    `instrument` says for each system what the checks inside its run found.
    `pairs` holds each system against those before it. A public one, of a sealed partition, has no rows by query, and
    no figure over fewer than five queries.
    """

    format: Literal["mambomeme/scorecard/v1", "mambomeme/public-scorecard/v1"]
    run_id: RunId
    standing: Standing
    reasons: tuple[str, ...]
    partition: PartitionLine
    tries: Tries | None
    systems: tuple[SystemRow, ...]
    pairs: tuple[Pair, ...]
    power: Power
    versions: tuple[VersionTuple, ...]
    floors: tuple[Floor, ...]
    instrument: tuple[Instrument, ...]
    gates: tuple[GatesReport, ...]


def against(row: SystemRow) -> str:
    """What stands against a PASS, in one line; empty for a pass."""
    kinds = dict.fromkeys(seen.kind for seen in row.violations)
    gates = [gate for gate in row.gates if gate.verdict is not Verdict.PASS and gate.name != CRITICAL]
    return "; ".join([*(f"{CRITICAL}: {kind}" for kind in kinds), *(f"{gate.name} {gate.verdict}" for gate in gates)])
