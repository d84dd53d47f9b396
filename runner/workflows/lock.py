"""Writes down everything a number depends on, before the first search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from runner.documents import Digest, digest
from runner.ports import Rig
from runner.provenance.images import ImageRef
from runner.provenance.inputs import Inputs, System
from runner.provenance.run_lock import RunLock, SystemLock
from runner.retrieval.eligibility import partition_reasons
from runner.workflows.plan import Places, block_count

#: D15: what a run must measure at least to count.
LEAST_SEARCHES, LEAST_BLOCKS, LEAST_WARMUP = 1000, 5, 100


class Checkout(NamedTuple):
    """The code and the machine it runs on. `locks` maps lock files to digests."""

    commit: str
    clean: bool
    platform: Mapping[str, str]
    packages: Mapping[str, str]
    locks: Mapping[str, Digest]


class Seat(NamedTuple):
    """Where one system runs: its image (null for a plain process), the digest of its layer, its rig by run id."""

    image: ImageRef | None
    layer: Digest
    places: Places
    rig: Callable[[str], Rig]


class Stage(NamedTuple):
    """A seat for each system, by name, and what is known of the stage against eligibility."""

    seats: Mapping[str, Seat]
    reasons: tuple[str, ...]


def lock_run(run_id: str, started: str, inputs: Inputs, stage: Stage, checkout: Checkout) -> RunLock:
    """The lock of a run that is about to start."""
    return RunLock(
        format="mambomeme/run-lock/v1",
        run_id=run_id,
        started_at=started,
        manifest=digest(inputs.source),
        partition=inputs.partition.digest,
        judgement_set=inputs.partition.judgement_set,
        corpus=inputs.corpus.digest,
        hardware=inputs.hardware.digest,
        systems=tuple(_lock_system(system, stage) for system in inputs.systems),
        locks=dict(checkout.locks),
        code_commit=checkout.commit,
        code_clean=checkout.clean,
        platform=dict(checkout.platform),
        packages=dict(checkout.packages),
        reasons=(*stage.reasons, *known_reasons(inputs, checkout)),
    )


def _lock_system(system: System, stage: Stage) -> SystemLock:
    seat = stage.seats[system.manifest.name]
    return SystemLock(
        name=system.manifest.name,
        manifest=system.digest,
        configuration=system.manifest.configuration_digest,
        image=seat.image,
        layer=seat.layer,
    )


def foreseen(inputs: Inputs, stage: Stage, checkout: Checkout) -> list[str]:
    """Every reason against eligibility (D31) that is known before anything runs."""
    return [
        *stage.reasons,
        *known_reasons(inputs, checkout),
        *partition_reasons(inputs.partition, inputs.corpus),
    ]


def known_reasons(inputs: Inputs, checkout: Checkout) -> Iterator[str]:
    """Why this run cannot be eligible, as far as that is known before it starts (D15, D31)."""
    limits = inputs.manifest.limits
    blocks = block_count(len(inputs.partition.topics), limits)
    searches = blocks * len(inputs.partition.topics)
    for found, least, what in (
        (searches, LEAST_SEARCHES, "measured searches"),
        (blocks, LEAST_BLOCKS, "shuffled blocks"),
        (limits.warmup_searches, LEAST_WARMUP, "warm-up searches"),
    ):
        if found < least:
            yield f"{found} {what}, fewer than {least}"
    if checkout.commit == "unknown":
        yield "the code is not a git checkout"
    elif not checkout.clean:
        yield f"the code differs from commit {checkout.commit[:12]}"
