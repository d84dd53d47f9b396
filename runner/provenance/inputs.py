"""Everything a run manifest names, read and found to be what it says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from runner.errors import UsageError
from runner.provenance.manifest import HardwareProfile, RunManifest, SystemCard, SystemManifest, WarmupQuery
from runner.retrieval.corpora import Corpus
from runner.retrieval.partitions import Partition


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
    """The run manifest (its bytes too) and all it names."""

    manifest: RunManifest
    source: bytes
    corpus: Corpus
    partition: Partition
    warmup: tuple[WarmupQuery, ...]
    hardware: Hardware
    systems: tuple[System, ...]

    def only(self, names: Sequence[str] | None) -> Inputs:
        """These inputs with the systems in `names` alone (null: all of them); UsageError for a strange name."""
        known = [system.manifest.name for system in self.systems]
        strange = [name for name in names or () if name not in known]
        if strange:
            raise UsageError(f"--system {strange[0]}: the manifest has {', '.join(known)}.")
        wanted = tuple(system for system in self.systems if not names or system.manifest.name in names)
        return self._replace(systems=wanted)
