"""The whole run: plan, lock, drive, observe, score, seal; the same path in a container and as a plain process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from runner.documents import Digest, digest
from runner.ports import Clock, Ending, Journal, Progress, Rig, Signer, Store
from runner.provenance.card import Scorecard
from runner.provenance.environment import Environment, SystemEnvironment
from runner.provenance.inputs import Inputs, System
from runner.workflows.drive import drive
from runner.workflows.evidence import SystemEvidence, examine
from runner.workflows.lock import Checkout, Stage, lock_run
from runner.workflows.observe import Bounds
from runner.workflows.plan import Places, Workload, plan_bytes
from runner.workflows.products import RAW, keep_inputs, keep_products, raw_files
from runner.workflows.rescore import score_run
from runner.workflows.seal import seal
from runner.workflows.summary import short_card


class Desk(NamedTuple):
    """What a run needs beside its stage."""

    checkout: Checkout
    store: Store
    signer: Signer
    journal: Journal
    clock: Clock
    progress: Progress


class Finished(NamedTuple):
    """A sealed result."""

    path: Path
    card: Scorecard


def official(inputs: Inputs, stage: Stage, desk: Desk) -> Finished:
    """Score every system of the manifest and seal the result; whatever breaks off leaves its evidence unsealed."""
    started = desk.clock.now()
    run_id = name_run(started, inputs.manifest.name)
    result = desk.store.begin(run_id)
    lock = lock_run(run_id, started, inputs, stage, desk.checkout)
    locked = digest(lock.pretty())
    plans = {
        system.manifest.name: plan_for(system, inputs, stage.seats[system.manifest.name].places, locked)
        for system in inputs.systems
    }
    keep_inputs(result, inputs.source, plans, lock)
    endings = {
        name: _drive(name, plan, result.path, stage.seats[name].rig(run_id), desk.progress)
        for name, plan in plans.items()
    }
    evidence = tuple(_examine(name, result.path, inputs, desk) for name in plans)
    environment = environment_of(desk.checkout.platform, endings, evidence)
    with desk.progress.step("scoring"):
        card = score_run(inputs, lock, environment, evidence)
    keep_products(result, card, environment, evidence)
    path = seal(
        result,
        short_card(card),
        run_id=run_id,
        signer=desk.signer,
        journal=desk.journal,
        now=desk.clock.now(),
    )
    return Finished(path, card)


def name_run(started: str, name: str) -> str:
    """A run's name: when it started (to the second, UTC) and by which manifest."""
    return f"{started.replace('-', '').replace(':', '')}-{name}"


def plan_for(system: System, inputs: Inputs, places: Places, lock: Digest) -> bytes:
    """What the driver is handed for one system; `lock` is the digest of run.lock.json."""
    manifest = inputs.manifest
    workload = Workload(
        topics=inputs.partition.topics,
        warmup=inputs.warmup,
        limits=manifest.limits,
        floors=manifest.floors,
        engine_path=manifest.engine_path,
        seed=manifest.seed,
        lock=lock,
    )
    return plan_bytes(system.manifest, system.card, workload, places)


def environment_of(
    platform: Mapping[str, str], endings: Mapping[str, Ending], evidence: tuple[SystemEvidence, ...]
) -> Environment:
    """The machine and each system's container as found."""
    systems = tuple(
        SystemEnvironment(system=one.system, container=endings[one.system].container, found=one.report.found)
        for one in evidence
    )
    return Environment(platform=dict(platform), systems=systems)


def _drive(name: str, plan: bytes, result: Path, rig: Rig, progress: Progress) -> Ending:
    return drive(rig, plan, result / RAW / name, name=name, progress=progress)


def _examine(name: str, result: Path, inputs: Inputs, desk: Desk) -> SystemEvidence:
    titles = {doc_id: item.title for doc_id, item in inputs.corpus.items.items()}
    limits = inputs.manifest.limits
    bounds = Bounds(limits.time_limit_ms, limits.hold_ms)
    with desk.progress.step(f"{name}: looking at the screens"):
        return examine(name, raw_files(result / RAW / name), titles, bounds)
