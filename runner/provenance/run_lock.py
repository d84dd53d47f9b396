"""Everything a number depends on, written down and hashed before the first search."""

from __future__ import annotations

from typing import Literal

from runner.documents import Digest, Document
from runner.provenance.images import ImageRef


class SystemLock(Document):
    """What one row was scored with. `image` is null outside a container."""

    name: str
    manifest: Digest
    configuration: Digest
    image: ImageRef | None
    layer: Digest


class RunLock(Document):
    """`run.lock.json`; `reasons` are those already known against eligibility."""

    format: Literal["mambomeme/run-lock/v1"]
    run_id: str
    started_at: str
    manifest: Digest
    partition: Digest
    judgement_set: Digest
    corpus: Digest
    hardware: Digest
    systems: tuple[SystemLock, ...]
    locks: dict[str, Digest]
    code_commit: str
    code_clean: bool
    platform: dict[str, str]
    packages: dict[str, str]
    reasons: tuple[str, ...]
