"""From the records of a run to its scorecard: the step that anyone can repeat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from runner.documents import digest
from runner.provenance.card import Floor, Scorecard
from runner.provenance.environment import ContainerFacts
from runner.provenance.handshake import Handshake
from runner.provenance.inputs import Inputs, System
from runner.provenance.manifest import RunManifest
from runner.provenance.run_lock import RunLock, SystemLock
from runner.provenance.versions import VersionTuple
from runner.retrieval.certificate import Certificate
from runner.retrieval.latency import percentile
from runner.retrieval.scorecard import Pipeline, Resources
from runner.retrieval.violations import CriticalViolation
from runner.workflows.evidence import SystemEvidence
from runner.workflows.pipeline import pipeline_of
from runner.workflows.reasons import foreseen, seen, seen_in_suites, uncertified
from runner.workflows.score import RunFacts, score
from runner.workflows.suites import SuitesEvidence, judge, violations_in_suites
from runner.workflows.violations import image_violations, violations_outside


class SystemRecord(NamedTuple):
    """All that is on record of one system: what it is, what was locked, its container (null: none), what it did, and
    what its suites saw (null: not asked for)."""

    system: System
    locked: SystemLock
    container: ContainerFacts | None
    evidence: SystemEvidence
    suites: SuitesEvidence | None


def score_run(inputs: Inputs, lock: RunLock, records: Sequence[SystemRecord], certificate: Certificate) -> Scorecard:
    """The scorecard of a run on a certified partition; equal arguments give equal bytes."""
    evidence = [record.evidence for record in records]
    gates = tuple(judge(record.system, inputs, record.suites) for record in records)
    facts = RunFacts(
        run_id=lock.run_id,
        tries=lock.log.tries,
        certificate=digest(certificate.pretty()),
        versions=tuple(versions_of(one.locked, one.evidence.hello, inputs.manifest, lock) for one in records),
        violations=tuple(violation for record in records for violation in _violations(record, inputs)),
        suites=tuple(result for report in gates for result in report.suites),
        gates=gates,
        hosts=tuple(one.host for one in evidence if one.host is not None),
        engine=tuple(request for one in evidence for request in one.engine),
        pipelines=_pipelines(records, inputs),
        resources={one.system: _resources(one) for one in evidence},
        floors=tuple(floor for one in evidence for floor in _floors(one)),
        instrument=tuple(one.instrument for one in evidence),
        reasons=(
            *foreseen(lock, inputs),
            *uncertified(certificate),
            *(reason for record in records for reason in seen(record.evidence, lock, inputs, record.container)),
            *(reason for record in records if record.suites for reason in seen_in_suites(record.suites, inputs)),
        ),
    )
    observations = [observation for one in evidence for observation in one.observations]
    return score(observations, inputs.partition, inputs.corpus, facts)


def _violations(record: SystemRecord, inputs: Inputs) -> Iterator[CriticalViolation]:
    yield from violations_outside(record.evidence, record.locked, inputs, record.container)
    if record.suites is not None:
        yield from image_violations(record.evidence.system, record.locked, record.suites.container)
        yield from violations_in_suites(record.evidence.system, record.suites)


def versions_of(locked: SystemLock, hello: Handshake | None, manifest: RunManifest, lock: RunLock) -> VersionTuple:
    """Everything one row depends on (D32); of index and model as the handshake names them, if there is one."""
    return VersionTuple(
        system=locked.name,
        system_version=locked.version,
        system_digest=locked.layer,
        configuration=locked.configuration,
        index=hello.index if hello else None,
        model=hello.model if hello else None,
        image_id=locked.image.image if locked.image else None,
        benchmark=manifest.benchmark,
        partition=lock.partition,
        judgement_set=lock.judgement_set,
        corpus=lock.corpus,
        policy=manifest.safety_policy.digest,
        hardware_profile=lock.hardware,
        cpu_model=lock.platform.get("cpu_model", "unknown"),
        interface=manifest.interface,
        terminal=lock.terminal,
        protocol=manifest.protocol,
        score=manifest.score,
        manifest=lock.manifest,
        code_commit=lock.code_commit,
        code_clean=lock.code_clean,
        locks=lock.locks,
        runtime=lock.platform | {f"package {name}": version for name, version in lock.packages.items()},
    )


def _pipelines(records: Sequence[SystemRecord], inputs: Inputs) -> dict[str, Pipeline]:
    found = {
        record.evidence.system: pipeline_of(record.suites.log.events, inputs.corpus)
        for record in records
        if record.suites is not None
    }
    return {system: made for system, made in found.items() if made is not None}


def _resources(one: SystemEvidence) -> Resources:
    return Resources(**one.starts._asdict(), index_bytes=one.hello.index_bytes if one.hello else None)


def _floors(one: SystemEvidence) -> Iterator[Floor]:
    """The floors of the measuring itself, beside one system's latency."""
    for name, times in (
        ("terminal echo", one.floors.echo_ns),
        ("null UI, key to frame", one.floors.null_ui_ns),
        ("null UI, absolute error of the read stamp", [abs(ns) for ns in one.floors.null_ui_error_ns]),
    ):
        if times:
            ordered = sorted(times)
            yield Floor(
                name=f"{one.system}: {name}",
                n=len(ordered),
                p50_ns=percentile(ordered, 500),
                p95_ns=percentile(ordered, 950),
                max_ns=ordered[-1],
            )
