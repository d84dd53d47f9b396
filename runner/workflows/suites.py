"""The three suites of one system: their plan, and what their log comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from runner.counts import counted
from runner.errors import Findings
from runner.provenance.driver_report import DriverReport, FileReport
from runner.provenance.environment import ContainerFacts
from runner.provenance.inputs import Inputs, System
from runner.provenance.suites.plan import SuitesPlan, SuitesSystem
from runner.provenance.suites.report import SuiteLog, judge_suites, no_gates, open_suite_log
from runner.retrieval.suites import GatesReport
from runner.retrieval.violations import Critical, CriticalViolation
from runner.terminal.rawlog import Left, Net, Role
from runner.terminal.suite_log import Part
from runner.workflows.differences import differences
from runner.workflows.evidence import SystemEvidence
from runner.workflows.names import REPORT, SUITES_LOG, SUITES_PLAN, SUITES_REPORT, need, raw_folder
from runner.workflows.plan import Places

NOT_ASKED = "the suites were not asked for"
#: How many texts of the warm-up list are asked of each release, and how long the suites may take.
TEXTS, WALL_LIMIT_S = 4, 300


class Follows(NamedTuple):
    """What the suites come after: the digest of run.lock.json, and the last link of the drive's chain (hex)."""

    lock: str
    chain: str


class SuitesEvidence(NamedTuple):
    """What is on record of one system's suites; `container` is null for a plain process."""

    report: DriverReport
    log: SuiteLog
    container: ContainerFacts | None


def suites_plan(system: System, inputs: Inputs, places: Places, follows: Follows) -> bytes:
    """What the driver is handed for the suites of one system: one line of canonical JSON with its newline."""
    card = system.card
    plan = SuitesPlan(
        system=SuitesSystem(
            name=system.manifest.name,
            engine=card.engine,
            tui=card.tui,
            release=card.release or (),
            configuration=system.manifest.configuration,
        ),
        parts=tuple(part.value for part in Part),
        texts=tuple(query.text for query in inputs.warmup[:TEXTS]),
        seed=inputs.manifest.seed,
        time_limit_ms=inputs.manifest.limits.time_limit_ms,
        wall_limit_s=WALL_LIMIT_S,
        paths=places.paths,
        isolation=places.isolation,
        terminal=inputs.manifest.terminal,
        lock=follows.lock,
        follows=follows.chain,
    )
    return plan.canonical() + b"\n"


def read_suites(
    plan: bytes, drive: SystemEvidence, files: Mapping[str, bytes], container: ContainerFacts | None
) -> SuitesEvidence:
    """The record of the suites of a system that was driven, among the files of a result; all of it must follow from
    `plan`, as made."""
    where = raw_folder(drive.system)
    name = f"{where}/{SUITES_PLAN}"
    found = list(differences(name, need(files, name), plan))
    if found:
        raise Findings("\n".join(found))
    name = f"{where}/{SUITES_LOG}"
    log = open_suite_log(plan, need(files, name), name)
    name = f"{where}/{SUITES_REPORT}"
    report = DriverReport.parse(need(files, name), name)
    _hold_report(name, report, log, drive.report)
    return SuitesEvidence(report, log, container)


def _hold_report(name: str, report: DriverReport, log: SuiteLog, drive: DriverReport) -> None:
    """Findings where the driver's account is not what its log shows, or of another machine than the drive."""
    lines = FileReport(name=SUITES_LOG, lines=len(log.events), chain=log.chain)
    expected = {"plan": log.plan_digest, "chain": log.chain, "files": (lines,), "requests": {}, "restarts": 0}
    expected |= {"engine_restarts": 0, "reason": "" if report.how == "complete" else report.reason}
    for field, value in expected.items():
        if getattr(report, field) != value:
            raise Findings(f"{name}: {field}: says {getattr(report, field)!r}, its log shows {value!r}.")
    if report.how not in {"complete", "void"}:
        raise Findings(f"{name}: how: says {report.how}, which leaves no result.")
    found = report.found
    for field in ("kernel", "machine", "processor", "host", "python", "refused"):
        value = {} if field == "refused" else getattr(drive.found, field)
        if getattr(found, field) != value:
            other = f"raw/{log.plan.system.name}/{REPORT}"
            raise Findings(f"{name}: found: {field} is {getattr(found, field)!r}, but {other} has {value!r}.")
    if found.ended_ns is None or not found.started_ns <= found.ended_ns:
        raise Findings(f"{name}: found: it does not end after it starts.")


def violations_in_suites(system: str, evidence: SuitesEvidence) -> Iterator[CriticalViolation]:
    """What a system must not do there either: reach the network, leave traces of what was typed (D24)."""
    events = evidence.log.events
    counts = [event.counters for event in events if isinstance(event, Net)]
    if evidence.container and counts:
        moved = {name: counts[-1].get(name, 0) - counts[0].get(name, 0) for name in sorted(counts[0])}
        if any(moved.values()):
            detail = ", ".join(f"{name} {by:+}" for name, by in moved.items() if by)
            yield CriticalViolation(system=system, kind=Critical.NETWORK.value, detail=f"suites: {detail}")
    for event in events:
        if isinstance(event, Left) and event.role is Role.UI:
            detail = f"suites: {event.kind} {event.path!r}, {counted(event.size, 'byte')}"
            yield CriticalViolation(system=system, kind=Critical.EVENTS.value, detail=detail)


def judge(system: System, inputs: Inputs, evidence: SuitesEvidence | None) -> GatesReport:
    """The verdict on every rule."""
    if evidence is None:
        return no_gates(system.manifest.name, NOT_ASKED)
    manifest = inputs.manifest
    versions = {
        "protocol": manifest.protocol,
        "interface": manifest.interface,
        "system": system.card.name,
        "version": system.card.version,
        "corpus": inputs.corpus.digest,
        "configuration": system.manifest.configuration_digest,
    }
    return judge_suites(system.manifest.name, evidence.log, versions)
