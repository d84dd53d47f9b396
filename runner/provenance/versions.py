"""Every fact that a score depends on, and which of them must agree before two scores are compared (D32)."""

from __future__ import annotations

from collections.abc import Iterator

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
    terminal: str
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
    "terminal",
    "protocol",
    "score",
)


def differences(one: VersionTuple, other: VersionTuple) -> tuple[str, ...]:
    """The facts that forbid a comparison, as `name: this, that`; empty if two scores are comparable."""
    pairs = ((name, getattr(one, name), getattr(other, name)) for name in COMPARED)
    return tuple(f"{name}: {this}, {that}" for name, this, that in pairs if this != that)


#: What may be another where a run is repeated: the machine, and the code around the image.
_AROUND = {"cpu_model", "code_commit", "code_clean", "runtime"}


def repeat_differences(one: VersionTuple, other: VersionTuple) -> Iterator[str]:
    """The facts that make a run no repetition of another, as `system: name: this, again that`."""
    this, that = (_flat(versions) for versions in (one, other))
    for name in sorted(this.keys() | that.keys()):
        if this.get(name) != that.get(name):
            yield f"{one.system}: {name} {this.get(name)}, again {that.get(name)}"


def _flat(versions: VersionTuple) -> dict[str, object]:
    """Each fact by name, of the locks each file."""
    facts = versions.model_dump(mode="json", exclude={*_AROUND, "locks"})
    return {**facts, **versions.locks}
