"""Everything a run manifest names, read and found to be what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from runner.documents import Digest
from runner.errors import UsageError
from runner.provenance.dockerfile import Recipe
from runner.provenance.images import ImagePins
from runner.provenance.locks import Locks
from runner.provenance.manifest import HardwareProfile, RunManifest, SystemCard, SystemManifest, WarmupQuery
from runner.retrieval.corpora import Corpus
from runner.retrieval.partitions import Partition
from runner.terminal.profile import Profile


class Hardware(NamedTuple):
    """The fixed hardware, its digest, and the text of its system-call profile."""

    profile: HardwareProfile
    digest: Digest
    seccomp: str


class System(NamedTuple):
    """A row to be scored: its manifest with digest, the card in its folder, the digest of the folder's files, and what
    its image is built from besides."""

    manifest: SystemManifest
    digest: Digest
    card: SystemCard
    files: Digest
    locks: Locks


class ImageSources(NamedTuple):
    """What images are made by and held against; null pins: none. `digests` has the Dockerfile, pins and lock files."""

    recipe: Recipe
    pins: ImagePins | None
    digests: Mapping[str, Digest]


class Inputs(NamedTuple):
    """The run manifest (its bytes too) and all it names."""

    manifest: RunManifest
    source: bytes
    corpus: Corpus
    partition: Partition
    warmup: tuple[WarmupQuery, ...]
    hardware: Hardware
    systems: tuple[System, ...]
    image: ImageSources

    def only(self, names: Sequence[str] | None) -> Inputs:
        """These inputs with the systems in `names` alone (null: all of them); UsageError for a strange name."""
        known = [system.manifest.name for system in self.systems]
        strange = [name for name in names or () if name not in known]
        if strange:
            raise UsageError(f"--system {strange[0]}: the manifest has {', '.join(known)}.")
        wanted = tuple(system for system in self.systems if not names or system.manifest.name in names)
        return self._replace(systems=wanted)

    def on_terminal(self, profile: Profile | None) -> Inputs:
        """These inputs with the UI on this terminal (null: on that of the manifest)."""
        if profile is None:
            return self
        manifest = self.manifest.model_copy(update={"terminal": profile})
        return self._replace(manifest=manifest, source=manifest.pretty())
