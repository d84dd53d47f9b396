"""Why a card is provisional, as far as lock and evidence of the run tell (D31)."""

from __future__ import annotations

from collections.abc import Iterator

from runner.counts import counted
from runner.provenance.environment import ContainerFacts, not_found, not_given
from runner.provenance.images import unpinned
from runner.provenance.inputs import Inputs, System
from runner.provenance.manifest import RunManifest
from runner.provenance.run_lock import RunLock, SystemLock
from runner.retrieval.certificate import Certificate, shortcomings
from runner.terminal.profile import Profile
from runner.workflows.evidence import SystemEvidence
from runner.workflows.names import CERTIFICATE, REPORT
from runner.workflows.plan import block_count
from runner.workflows.suites import NOT_ASKED, SuitesEvidence

#: D15: what a run must measure at least to count.
LEAST_SEARCHES, LEAST_BLOCKS = 1000, 5
#: D12, D14, D15: another value would be another score version.
FIXED = {
    "result_limit": 10,
    "time_limit_ms": 2000,
    "late_ms": 2000,
    "hold_ms": 250,
    "warmup_searches": 100,
    "restarts": 3,
}


def foreseen(lock: RunLock, inputs: Inputs) -> Iterator[str]:
    """What is known before anything runs, beside what the labels lack."""
    for system, locked in zip(inputs.systems, lock.systems, strict=True):
        yield from _not_pinned(system, locked, inputs)
    yield from _limits(inputs.manifest, len(inputs.partition.topics))
    if lock.code_commit == "unknown":
        yield "the code is not a git checkout"
    elif not lock.code_clean:
        yield f"the code differs from commit {lock.code_commit[:12]}: {', '.join(lock.code_changed)}"


def uncertified(certificate: Certificate) -> Iterator[str]:
    """What `partition check` found wrong, by check."""
    found = shortcomings(certificate)
    if found:
        yield f"{CERTIFICATE}: the partition check finds {found}"


def _not_pinned(system: System, locked: SystemLock, inputs: Inputs) -> Iterator[str]:
    name, manifest, pins = system.manifest.name, system.manifest, inputs.image.pins
    if locked.files != manifest.files:
        yield f"{name}: {manifest.folder} is not as its manifest pins it"
    if locked.image is None:
        yield "not containerised"
    elif pins is None:
        yield "no image is pinned"
    else:
        layer = manifest.files if system.card.prepare is None else None
        yield from (f"not the pinned image: {difference}" for difference in unpinned(locked.image, pins, layer))


def _limits(manifest: RunManifest, queries: int) -> Iterator[str]:
    limits = manifest.limits
    blocks = block_count(queries, limits)
    for found, least, what in (
        (blocks * queries, LEAST_SEARCHES, ("measured search", "measured searches")),
        (blocks, LEAST_BLOCKS, ("shuffled block", "shuffled blocks")),
        (limits.held_requests, 1, ("held request", "held requests")),
    ):
        if found < least:
            yield f"{counted(found, *what)}, fewer than {least}"
    for name, wanted in FIXED.items():
        if getattr(limits, name) != wanted:
            yield f"limits: {name} is {getattr(limits, name)}, not {wanted}"
    if not manifest.engine_path:
        yield "the engine path was not asked for"
    if not manifest.suites:
        yield NOT_ASKED
    if manifest.terminal is not Profile.FULL:
        yield f"the terminal profile is {manifest.terminal}, not {Profile.FULL}"


def seen(one: SystemEvidence, lock: RunLock, inputs: Inputs, container: ContainerFacts | None) -> Iterator[str]:
    """What one system's run shows: where hardware, counters, handshake or engine path are not as they must be."""
    profile, found = inputs.hardware.profile, one.report.found
    if container is not None:
        for lack in (*not_given(inputs.hardware, container), *not_found(profile, found)):
            yield f"{one.system}: hardware profile {profile.name}: {lack}"
        if not one.network:
            yield f"{one.system}: network counters were not recorded"
    yield from _other_machine(one, lock, container)
    if any(found.refused.values()):
        refused = ", ".join(f"{count} of kind {name}" for name, count in sorted(found.refused.items()))
        yield f"raw/{one.system}/{REPORT}: the driver refused what was not the UI's ({refused})"
    if one.hello is None:
        yield f"{one.system}: the engine gave no handshake"
    else:
        yield from (f"{one.system}: the handshake names no {name}" for name in one.hello.lacking)
    if one.differing:
        queries = counted(len(one.differing), "query", "queries")
        yield f"{one.system}: {queries} had another list straight from the engine"


def seen_in_suites(one: SuitesEvidence, inputs: Inputs) -> Iterator[str]:
    """Where the container of the suites was not as the hardware profile has it."""
    if one.container is not None:
        profile, name = inputs.hardware.profile, one.log.plan.system.name
        for lack in (*not_given(inputs.hardware, one.container), *not_found(profile, one.report.found)):
            yield f"{name}: suites: hardware profile {profile.name}: {lack}"


def _other_machine(one: SystemEvidence, lock: RunLock, container: ContainerFacts | None) -> Iterator[str]:
    """Where the driver saw another machine than the one that is locked; a container has a Python of its own."""
    found = one.report.found
    facts = {"kernel": found.kernel, "architecture": found.machine, "cpu_model": found.processor}
    if container is None:
        facts["python"] = found.python
    locked = lock.platform | lock.host
    for name, value in (facts | found.host).items():
        if value != locked.get(name):
            yield f"raw/{one.system}/{REPORT}: found {name} {value!r}, locked {locked.get(name)!r}"
