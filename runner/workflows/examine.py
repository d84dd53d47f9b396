"""Makes of the records of a run all that follows from them, for the run itself and for whoever checks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from runner.documents import digest, parse_json
from runner.errors import BadInput, Findings
from runner.ports import Progress
from runner.provenance.card import Scorecard
from runner.provenance.environment import Environment
from runner.provenance.inputs import Inputs, System
from runner.provenance.manifest import RunManifest
from runner.provenance.plan import Plan
from runner.provenance.run_lock import RunLock, SystemLock
from runner.retrieval.certificate import Certificate, certificate_of
from runner.workflows.differences import differences
from runner.workflows.evidence import SystemEvidence, read_evidence
from runner.workflows.lock import hold_lock
from runner.workflows.names import (
    CERTIFICATE,
    ENVIRONMENT,
    LOCK,
    MANIFEST,
    PLAN,
    RAW,
    REPORT,
    SUITES_FILES,
    need,
    raw_folder,
)
from runner.workflows.observe import Bounds
from runner.workflows.plan import IN_CONTAINER, Places, plan_for
from runner.workflows.products import products
from runner.workflows.rescore import SystemRecord, score_run
from runner.workflows.suites import Follows, SuitesEvidence, read_suites, suites_plan

#: Loads what a run manifest (its bytes) names; CannotDecide where that is not at hand.
Load = Callable[[bytes], Inputs]


class Ground(NamedTuple):
    """What all systems of a run share: what they were made from, and the containers they ran in."""

    inputs: Inputs
    environment: Environment


class Examined(NamedTuple):
    """What a result comes to. `recorded` are the files it rests on; `products` those that follow, with their bytes."""

    inputs: Inputs
    lock: RunLock
    records: tuple[SystemRecord, ...]
    card: Scorecard
    recorded: frozenset[str]
    products: Mapping[str, bytes]


def examine(files: Mapping[str, bytes], load: Load, progress: Progress) -> Examined:
    """What the records among `files` (by name) give, whatever else stands there.

    Findings name the file where one contradicts another or the inputs; CannotDecide where the inputs are not at hand.
    """
    try:
        return _examine(files, load, progress)
    except BadInput as error:
        raise Findings(error.what, advice=error.advice) from None


def _examine(files: Mapping[str, bytes], load: Load, progress: Progress) -> Examined:
    lock = RunLock.parse(need(files, LOCK), LOCK)
    hold_start(files)
    inputs = run_inputs(lock, files, load)
    hold_lock(lock, inputs)
    environment = hold_environment(lock, inputs.manifest, files)
    records = []
    for system, locked in zip(inputs.systems, lock.systems, strict=True):
        _hold_plan((system, locked), inputs, files)
        with progress.step(f"{locked.name}: looking at the screens"):
            evidence = _read(locked, inputs, files)
            suites = _suites(system, Ground(inputs, environment), evidence, files) if inputs.manifest.suites else None
            records.append(SystemRecord(system, locked, environment.systems[locked.name], evidence, suites))
    with progress.step("scoring"):
        certificate = certificate_of(inputs.partition, inputs.corpus)
        _hold_certificate(certificate, files)
        card = score_run(inputs, lock, records, certificate)
    return Examined(
        inputs=inputs,
        lock=lock,
        records=tuple(records),
        card=card,
        recorded=frozenset({MANIFEST, LOCK, CERTIFICATE, ENVIRONMENT}).union(*map(_recorded, records)),
        products=products(card, [record.evidence for record in records], inputs),
    )


def hold_start(files: Mapping[str, bytes]) -> None:
    """Findings where a plan, and so the chain of a raw log, starts from another lock than the one here.

    Of a plan nothing else is read, so that this holds whatever the version of the two.
    """
    lock = digest(need(files, LOCK))
    for name in files:
        if name.startswith(RAW) and name.endswith(f"/{PLAN}"):
            plan = parse_json(files[name], name)
            said = plan.get("lock") if isinstance(plan, dict) else None
            if said != lock:
                raise Findings(f"{LOCK}: expected {said} by {name}, found {lock}.")


def run_inputs(lock: RunLock, files: Mapping[str, bytes], load: Load) -> Inputs:
    """What the run was made from, with the systems that it measured."""
    manifest = need(files, MANIFEST)
    if digest(manifest) != lock.manifest:
        raise Findings(f"{MANIFEST}: expected {lock.manifest} by {LOCK}, found {digest(manifest)}.")
    inputs = load(manifest)
    names = [locked.name for locked in lock.systems]
    systems = tuple(system for system in inputs.systems if system.manifest.name in names)
    if not names or [system.manifest.name for system in systems] != names:
        raise Findings(
            f"{LOCK}: systems: {', '.join(names) or 'none'}, which are not those of {MANIFEST} in their order."
        )
    return inputs._replace(systems=systems)


def hold_environment(lock: RunLock, manifest: RunManifest, files: Mapping[str, bytes]) -> Environment:
    """The containers of all systems; Findings unless exactly those that have an image ran in one."""
    found = Environment.parse(need(files, ENVIRONMENT), ENVIRONMENT)
    names = [locked.name for locked in lock.systems]
    suites = names if manifest.suites else []
    for field, facts, wanted in (("systems", found.systems, names), ("suites", found.suites, suites)):
        if sorted(facts) != sorted(wanted):
            raise Findings(f"{ENVIRONMENT}: {field}: {', '.join(facts)} where {LOCK} has {', '.join(wanted)}.")
        for locked in lock.systems:
            if locked.name in facts and (facts[locked.name] is None) != (locked.image is None):
                what = "an image, but no container" if locked.image else "a container, but no image"
                raise Findings(f"{ENVIRONMENT}: {field}: {locked.name}: {LOCK} and this file together have {what}.")
    return found


def _hold_plan(record: tuple[System, SystemLock], inputs: Inputs, files: Mapping[str, bytes]) -> None:
    """Findings where the plan is not what these inputs make under this lock, byte for byte."""
    system, locked = record
    name = f"{raw_folder(locked.name)}/{PLAN}"
    kept = need(files, name, LOCK)
    places = IN_CONTAINER if locked.image else Places(Plan.parse(kept, name).paths, "none")
    found = list(differences(name, kept, plan_for(system, inputs, places, digest(files[LOCK]))))
    if found:
        raise Findings("\n".join(found))


def _hold_certificate(certificate: Certificate, files: Mapping[str, bytes]) -> None:
    """Findings where the certificate is not that of the partition, byte for byte."""
    found = list(differences(CERTIFICATE, need(files, CERTIFICATE), certificate.pretty()))
    if found:
        raise Findings("\n".join(found))


def _read(locked: SystemLock, inputs: Inputs, files: Mapping[str, bytes]) -> SystemEvidence:
    titles = {doc_id: item.title for doc_id, item in inputs.corpus.items.items()}
    limits = inputs.manifest.limits
    return read_evidence(locked.name, files, titles, Bounds(limits.time_limit_ms, limits.hold_ms))


def _suites(system: System, ground: Ground, evidence: SystemEvidence, files: Mapping[str, bytes]) -> SuitesEvidence:
    """What is on record of the suites of a system."""
    places = Places(evidence.log.plan.paths, evidence.log.plan.isolation)
    plan = suites_plan(system, ground.inputs, places, Follows(digest(files[LOCK]), evidence.log.chain))
    return read_suites(plan, evidence, files, ground.environment.suites[system.manifest.name])


def _recorded(record: SystemRecord) -> Iterator[str]:
    """The files that one system's drive and suites leave."""
    evidence = record.evidence
    names = (PLAN, REPORT, *(SUITES_FILES if record.suites else ()))
    yield from (f"{raw_folder(evidence.system)}/{name}" for name in names)
    yield from (file.name for file in evidence.log.files)
