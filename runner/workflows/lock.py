"""Writes down everything a number depends on before the first search, and tells a lock that does not follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from runner.documents import Digest, digest
from runner.errors import CannotDecide, Findings
from runner.ports import Rig
from runner.provenance.images import ImageRef, Layer, blueprint
from runner.provenance.inputs import Inputs, System
from runner.provenance.run_lock import RunLock, SystemLock
from runner.provenance.tries import LogPlace, Nonce
from runner.workflows.differences import differences
from runner.workflows.names import LOCK
from runner.workflows.plan import Places

LACKING = "this checkout lacks what the run was made from"
ADVICE = "Check out the commit in its run.lock.json."


class Checkout(NamedTuple):
    """The code and the machine it runs on; `changed` names the first files that differ from the commit."""

    commit: str
    clean: bool
    platform: Mapping[str, str]
    packages: Mapping[str, str]
    host: Mapping[str, str]
    changed: tuple[str, ...] = ()


class Origin(NamedTuple):
    """What one system is run from: the digest of its layer, and all layers of its image (null: a plain process)."""

    layer: Digest
    layers: tuple[Layer, ...] | None

    @classmethod
    def of_image(cls, image: ImageRef) -> Origin:
        """What a container of `image` is run from."""
        found = next((layer.diff_id for layer in image.layers if layer.name == "system"), digest(b""))
        return cls(found, image.layers)


class Seat(NamedTuple):
    """Where one system runs: what from, its folders, and its rig by run id."""

    origin: Origin
    places: Places
    rig: Callable[[str], Rig]


class Launch(NamedTuple):
    """What a lock holds that follows from no input: moment, place in the log, code, what each system was run from, and
    what a witness gave out for it."""

    started_at: str
    log: LogPlace
    checkout: Checkout
    origins: Mapping[str, Origin]
    nonce: Nonce | None = None


def name_run(launch: Launch, name: str) -> str:
    """A run's name: when it started (to the second, UTC), by which manifest, and which entry of the log that is."""
    return f"{launch.started_at.replace('-', '').replace(':', '')}-{name}-{launch.log.index}"


def lock_run(launch: Launch, inputs: Inputs) -> RunLock:
    """The lock of a run that is about to start."""
    checkout = launch.checkout
    return RunLock(
        format="mambomeme/run-lock/v1",
        run_id=name_run(launch, inputs.manifest.name),
        started_at=launch.started_at,
        log=launch.log,
        nonce=launch.nonce,
        manifest=digest(inputs.source),
        partition=inputs.partition.digest,
        queries=inputs.partition.files.queries,
        judgement_set=inputs.partition.judgement_set,
        corpus=inputs.corpus.digest,
        hardware=inputs.hardware.digest,
        terminal=inputs.manifest.terminal,
        systems=tuple(_lock_system(system, launch.origins[system.manifest.name], inputs) for system in inputs.systems),
        locks=dict(inputs.image.digests),
        code_commit=checkout.commit,
        code_clean=checkout.clean,
        code_changed=checkout.changed,
        platform=dict(checkout.platform),
        packages=dict(checkout.packages),
        host=dict(checkout.host),
    )


def _lock_system(system: System, origin: Origin, inputs: Inputs) -> SystemLock:
    return SystemLock(
        name=system.manifest.name,
        version=system.card.version,
        manifest=system.digest,
        configuration=system.manifest.configuration_digest,
        files=system.files,
        layer=origin.layer,
        image=blueprint(inputs.image.recipe, origin.layers).ref if origin.layers else None,
    )


def launch_of(lock: RunLock) -> Launch:
    """What a lock says that no input can confirm."""
    code, machine = (lock.code_commit, lock.code_clean), (lock.platform, lock.packages, lock.host)
    checkout = Checkout(*code, *machine, lock.code_changed)
    origins = {one.name: Origin.of_image(one.image) if one.image else Origin(one.layer, None) for one in lock.systems}
    return Launch(lock.started_at, lock.log, checkout, origins, lock.nonce)


def hold_lock(lock: RunLock, inputs: Inputs) -> None:
    """CannotDecide where this checkout lacks what the run was made from; Findings where the lock contradicts it."""
    lacking = list(_lacking(lock, inputs))
    if lacking:
        raise CannotDecide(f"{LACKING}: {'; '.join(lacking)}.", advice=ADVICE)
    expected = lock_run(launch_of(lock), inputs)
    found = list(differences(LOCK, lock.pretty(), expected.pretty()))
    if found:
        raise Findings("\n".join(found))


def _lacking(lock: RunLock, inputs: Inputs) -> Iterator[str]:
    here = inputs.image.digests
    for name in sorted(lock.locks.keys() | here.keys()):
        if lock.locks.get(name) != here.get(name):
            yield f"{name} is {here.get(name, 'not there')}, not {lock.locks.get(name, 'part of it')}"
    for locked, system in zip(lock.systems, inputs.systems, strict=True):
        if locked.files != system.files:
            yield f"{system.manifest.folder} holds {system.files}, not {locked.files}"
