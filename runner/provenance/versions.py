"""Every fact that a score depends on, and which of them must agree before two scores are compared (D32)."""

from __future__ import annotations

from runner.documents import Digest, Document


class VersionTuple(Document):
    """What one system was scored with. `image_id` is null outside a container; `locks` maps lock files, pins and
    Dockerfile to digests."""

    system: str
    system_version: str
    system_digest: Digest
    configuration: Digest
    index: Digest | None
    model: Digest | None
    image_id: Digest | None
    benchmark: str
    partition: Digest
    judgement_set: Digest
    corpus: Digest
    policy: Digest
    hardware_profile: Digest
    cpu_model: str
    interface: str
    protocol: str
    score: str
    manifest: Digest
    code_commit: str
    code_clean: bool
    locks: dict[str, Digest]
    runtime: dict[str, str]


COMPARED = (
    "benchmark",
    "partition",
    "judgement_set",
    "corpus",
    "policy",
    "hardware_profile",
    "cpu_model",
    "interface",
    "protocol",
    "score",
)


def differences(one: VersionTuple, other: VersionTuple) -> tuple[str, ...]:
    """The facts that forbid a comparison, as `name: this, that`; empty if two scores are comparable."""
    pairs = ((name, getattr(one, name), getattr(other, name)) for name in COMPARED)
    return tuple(f"{name}: {this}, {that}" for name, this, that in pairs if this != that)
