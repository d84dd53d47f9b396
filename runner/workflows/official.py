"""The whole run: lock, plan, drive, examine, seal; the same path in a container and as a plain process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from runner.documents import digest
from runner.errors import Findings, VoidRun
from runner.ports import Clock, Journal, OpenResult, Progress, Signer, Store
from runner.provenance.card import Scorecard
from runner.provenance.driver_report import DriverReport
from runner.provenance.environment import ContainerFacts, Environment, Offered, not_offered
from runner.provenance.inputs import Inputs, System
from runner.provenance.journal import EMPTY, place_of
from runner.provenance.public_card import publish
from runner.provenance.run_lock import RunLock
from runner.provenance.sealed import is_sealed
from runner.provenance.tries import LogPlace, Nonce
from runner.retrieval.certificate import certificate_of
from runner.retrieval.eligibility import partition_reasons
from runner.workflows.drive import drive, drive_suites
from runner.workflows.examine import Examined, examine
from runner.workflows.lock import Checkout, Launch, Seat, lock_run
from runner.workflows.names import (
    CERTIFICATE,
    ENVIRONMENT,
    LOCK,
    MANIFEST,
    PLAN,
    REPORT,
    SUITES_PLAN,
    raw_folder,
)
from runner.workflows.plan import plan_for
from runner.workflows.products import public_products
from runner.workflows.reasons import foreseen, uncertified
from runner.workflows.seal import Notary, attempt, begun, seal
from runner.workflows.suites import Follows, suites_plan

#: A seat for each system, by name.
Stage = Mapping[str, Seat]


class Desk(NamedTuple):
    """What a run needs beside its stage; `nonce` is what a witness gave out for it, if one was asked."""

    checkout: Checkout
    store: Store
    signer: Signer
    journal: Journal
    clock: Clock
    progress: Progress
    nonce: Nonce | None = None


class Finished(NamedTuple):
    """A sealed result."""

    path: Path
    card: Scorecard


class Run(NamedTuple):
    """A run under way: what it is made from, its lock, its result, where its systems stand."""

    inputs: Inputs
    lock: RunLock
    result: OpenResult
    stage: Stage
    desk: Desk


def official(inputs: Inputs, stage: Stage, desk: Desk) -> Finished:
    """Score every system of the manifest and seal the result; whatever breaks off leaves its evidence unsealed."""
    lock, result = _begin(inputs, stage, desk)
    with attempt(lock, desk.journal, desk.clock):
        return _finish(Run(inputs, lock, result, stage, desk))


def _begin(inputs: Inputs, stage: Stage, desk: Desk) -> tuple[RunLock, OpenResult]:
    """The lock of a run, kept in a result of its own and entered in the log: from here on it is a try."""
    with desk.journal.turn() as journal:
        place = place_of(journal.log, inputs.partition.digest, digest(inputs.source))
        launch = _launch((desk.clock.now(), place), stage, desk.checkout)._replace(nonce=desk.nonce)
        lock = lock_run(launch, inputs)
        result = desk.store.begin(lock.run_id)
        result.keep(MANIFEST, inputs.source)
        result.keep(LOCK, lock.pretty())
        journal.append(begun(lock, place.index))
    return lock, result


def _finish(run: Run) -> Finished:
    inputs, _, result, _, desk = run
    result.keep(CERTIFICATE, certificate_of(inputs.partition, inputs.corpus).pretty())
    result.keep(ENVIRONMENT, _driven(run).pretty())
    found = _examine(result, inputs, desk)
    for name, data in found.products.items():
        result.keep(name, data)
    card = _published(run, found.card) if is_sealed(inputs.manifest) else found.card
    path = seal(result, run.lock, card, Notary(desk.signer, desk.journal, desk.clock.now()))
    return Finished(path, card)


def _published(run: Run, card: Scorecard) -> Scorecard:
    """The card of a sealed partition as anyone may read it, kept."""
    public = publish(card)
    for name, data in public_products(public).items():
        run.result.publish(name, data)
    return public


def _driven(run: Run) -> Environment:
    """Have every system driven, then its suites run; the containers they ran in."""
    plans = {
        system.manifest.name: plan_for(
            system, run.inputs, run.stage[system.manifest.name].places, digest(run.lock.pretty())
        )
        for system in run.inputs.systems
    }
    for name, plan in plans.items():
        run.result.keep(f"{raw_folder(name)}/{PLAN}", plan)
    asked = run.inputs.systems if run.inputs.manifest.suites else ()
    return Environment(
        systems={name: _drive(name, plan, run) for name, plan in plans.items()},
        suites={system.manifest.name: _play(system, run) for system in asked},
    )


def shortfalls(inputs: Inputs, stage: Stage, checkout: Checkout, offered: Offered) -> list[str]:
    """Every condition of D31 that a run would miss, as far as that is known before it starts."""
    profile = inputs.hardware.profile
    hardware = (f"hardware profile {profile.name}: {lack}" for lack in not_offered(profile, offered))
    place = place_of(EMPTY, inputs.partition.digest, digest(inputs.source))
    lock = lock_run(_launch(("", place), stage, checkout), inputs)
    labels = partition_reasons(inputs.partition, inputs.corpus)
    certificate = certificate_of(inputs.partition, inputs.corpus)
    return list(dict.fromkeys([*foreseen(lock, inputs), *hardware, *uncertified(certificate), *labels]))


def _launch(start: tuple[str, LogPlace], stage: Stage, checkout: Checkout) -> Launch:
    return Launch(*start, checkout, {name: seat.origin for name, seat in stage.items()})


def _drive(name: str, plan: bytes, run: Run) -> ContainerFacts | None:
    rig = run.stage[name].rig(run.lock.run_id)
    return drive(rig, plan, run.result.path / raw_folder(name), name=name, progress=run.desk.progress).container


def _play(system: System, run: Run) -> ContainerFacts | None:
    """Run the suites of a system that was driven, in a container of their own."""
    name = system.manifest.name
    folder, seat = raw_folder(name), run.stage[name]
    report = DriverReport.parse(run.result.contents()[f"{folder}/{REPORT}"], REPORT)
    plan = suites_plan(system, run.inputs, seat.places, Follows(digest(run.lock.pretty()), report.chain))
    run.result.keep(f"{folder}/{SUITES_PLAN}", plan)
    rig = seat.rig(run.lock.run_id)
    return drive_suites(rig, plan, run.result.path / folder, name=name, progress=run.desk.progress).container


def _examine(result: OpenResult, inputs: Inputs, desk: Desk) -> Examined:
    try:
        return examine(result.contents(), lambda _manifest: inputs, desk.progress)
    except Findings as error:
        raise VoidRun(error.what, advice=f"Its evidence is in {result.path}.") from None
