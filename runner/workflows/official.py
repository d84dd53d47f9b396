"""The whole run: lock, plan, drive, examine, seal; the same path in a container and as a plain process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from runner.documents import digest
from runner.errors import Findings, VoidRun
from runner.ports import Clock, Journal, OpenResult, Progress, Signer, Store
from runner.provenance.card import Scorecard
from runner.provenance.environment import ContainerFacts, Environment
from runner.provenance.inputs import Inputs
from runner.provenance.run_lock import RunLock
from runner.retrieval.certificate import certificate_of
from runner.retrieval.eligibility import partition_reasons
from runner.workflows.drive import drive
from runner.workflows.examine import Examined, examine
from runner.workflows.lock import Checkout, Launch, Seat, lock_run
from runner.workflows.names import CERTIFICATE, ENVIRONMENT, LOCK, MANIFEST, PLAN, raw_folder
from runner.workflows.plan import plan_for
from runner.workflows.reasons import foreseen, uncertified
from runner.workflows.seal import seal

#: A seat for each system, by name.
Stage = Mapping[str, Seat]


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
    lock = lock_run(_launch(desk.clock.now(), stage, desk.checkout), inputs)
    result = desk.store.begin(lock.run_id)
    result.keep(MANIFEST, inputs.source)
    result.keep(LOCK, lock.pretty())
    result.keep(CERTIFICATE, certificate_of(inputs.partition, inputs.corpus).pretty())
    plans = {
        system.manifest.name: plan_for(system, inputs, stage[system.manifest.name].places, digest(lock.pretty()))
        for system in inputs.systems
    }
    for name, plan in plans.items():
        result.keep(f"{raw_folder(name)}/{PLAN}", plan)
    containers = {name: _drive(name, plan, lock, result, stage, desk) for name, plan in plans.items()}
    result.keep(ENVIRONMENT, Environment(systems=containers).pretty())
    found = _examine(result, inputs, desk)
    for name, data in found.products.items():
        result.keep(name, data)
    path = seal(result, found.card, signer=desk.signer, journal=desk.journal, now=desk.clock.now())
    return Finished(path, found.card)


def shortfalls(inputs: Inputs, stage: Stage, checkout: Checkout) -> list[str]:
    """Every condition of D31 that a run would miss, as far as that is known before it starts."""
    lock = lock_run(_launch("", stage, checkout), inputs)
    labels = partition_reasons(inputs.partition, inputs.corpus)
    certificate = certificate_of(inputs.partition, inputs.corpus)
    return list(dict.fromkeys([*foreseen(lock, inputs), *uncertified(certificate), *labels]))


def _launch(started: str, stage: Stage, checkout: Checkout) -> Launch:
    return Launch(started, checkout, {name: seat.origin for name, seat in stage.items()})


def _drive(
    name: str, plan: bytes, lock: RunLock, result: OpenResult, stage: Stage, desk: Desk
) -> ContainerFacts | None:
    rig = stage[name].rig(lock.run_id)
    return drive(rig, plan, result.path / raw_folder(name), name=name, progress=desk.progress).container


def _examine(result: OpenResult, inputs: Inputs, desk: Desk) -> Examined:
    files = {name: path.read_bytes() for name, path in result.files().items()}
    try:
        return examine(files, lambda _manifest: inputs, desk.progress)
    except Findings as error:
        raise VoidRun(error.what, advice=f"Its evidence is in {result.path}.") from None
