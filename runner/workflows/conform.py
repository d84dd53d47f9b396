"""Says whether a system keeps the contract: a handshake, a search, a frame, the three suites; nothing is scored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from runner.documents import Document, digest
from runner.errors import VoidRun
from runner.ports import Progress
from runner.provenance.driver_report import DriverReport
from runner.provenance.inputs import Inputs, System
from runner.provenance.manifest import Floors
from runner.provenance.suites.report import ALL_RULES
from runner.retrieval.gates import Verdict
from runner.retrieval.suites import GatesReport
from runner.terminal.rawlog import Left, Role
from runner.workflows.drive import drive, drive_suites
from runner.workflows.evidence import SystemEvidence, read_evidence
from runner.workflows.lock import Seat
from runner.workflows.names import PLAN, REPORT, SUITES_PLAN, raw_folder
from runner.workflows.observe import Bounds
from runner.workflows.plan import Lots, Workload, plan_bytes
from runner.workflows.suites import Follows, judge, read_suites, suites_plan

FORMAT: Literal["mambomeme/conformity/v1"] = "mambomeme/conformity/v1"
CONTRACT = "images/README.md"
#: One search to warm up, one that counts.
FEWEST = {"warmup_searches": 1, "min_searches": 1, "min_blocks": 1, "held_requests": 1}
#: No run.lock.json stands behind this.
_NO_LOCK = digest(b"")


class Shortfall(Document):
    """One rule that is not kept: what was found against it, and what to do."""

    rule: str
    found: str
    advice: str


class Conformity(Document):
    """`conform --json`: what a system lacks (nothing, if it keeps the contract), how each rule of a suite ended, and
    what the engine that was searched last wrote to standard error."""

    format: Literal["mambomeme/conformity/v1"]
    system: str
    findings: tuple[Shortfall, ...]
    gates: GatesReport | None
    stderr: str


class Ground(NamedTuple):
    """Where a system is tried: its place, an empty folder for what it leaves there, and who is told how far it is."""

    seat: Seat
    folder: Path
    progress: Progress


def conform(system: System, inputs: Inputs, ground: Ground) -> Conformity:
    """Try `system` on the corpus of `inputs`. VoidRun where the driver itself could not finish."""
    name = system.manifest.name
    try:
        evidence = _searched(system, inputs, ground)
    except VoidRun as error:
        found = Shortfall(rule="start", found=error.what, advice=f"{CONTRACT}, Processes and Frames.")
        stderr = _stderr(ground.folder / raw_folder(name))
        return Conformity(format=FORMAT, system=name, findings=(found,), gates=None, stderr=stderr)
    gates = _suites(system, inputs, evidence, ground)
    return Conformity(
        format=FORMAT,
        system=name,
        findings=(*_shown(evidence), *_left(evidence), *broken(gates)),
        gates=gates,
        stderr=_stderr(ground.folder / raw_folder(name)),
    )


def broken(gates: GatesReport) -> Iterator[Shortfall]:
    """The rules of the suites that do not pass."""
    advice = {rule.id: rule.advice for rule in ALL_RULES}
    for row in gates.rules:
        if row.verdict is not Verdict.PASS:
            found = row.found if row.verdict is Verdict.FAIL else f"not run: {row.found}"
            yield Shortfall(rule=f"{row.suite}: {row.rule}", found=found, advice=f"{row.sentence} {advice[row.rule]}")


def _searched(system: System, inputs: Inputs, ground: Ground) -> SystemEvidence:
    """Drive one search through engine and UI."""
    name, folder = system.manifest.name, ground.folder / raw_folder(system.manifest.name)
    workload = Workload(
        topics=inputs.partition.topics[:1],
        warmup=inputs.warmup,
        limits=inputs.manifest.limits.model_copy(update=FEWEST),
        floors=Floors(echo=0, null_ui=0),
        engine_path=True,
        terminal=inputs.manifest.terminal,
        lots=Lots(inputs.manifest.seed, _NO_LOCK),
    )
    plan = plan_bytes(system.manifest, system.card, workload, ground.seat.places)
    folder.mkdir(parents=True)
    (folder / PLAN).write_bytes(plan)
    drive(ground.seat.rig("conform"), plan, folder, name=name, progress=ground.progress)
    titles = {doc_id: item.title for doc_id, item in inputs.corpus.items.items()}
    limits = inputs.manifest.limits
    return read_evidence(name, _files(ground.folder), titles, Bounds(limits.time_limit_ms, limits.hold_ms))


def _suites(system: System, inputs: Inputs, evidence: SystemEvidence, ground: Ground) -> GatesReport:
    name = system.manifest.name
    folder = ground.folder / raw_folder(name)
    plan = suites_plan(system, inputs, ground.seat.places, Follows(_NO_LOCK, evidence.log.chain))
    (folder / SUITES_PLAN).write_bytes(plan)
    drive_suites(ground.seat.rig("conform"), plan, folder, name=name, progress=ground.progress)
    return judge(system, inputs, read_suites(plan, evidence, _files(ground.folder), None))


def _stderr(folder: Path) -> str:
    """The last words of the engine that was searched; empty where the driver came to write none."""
    report = folder / REPORT
    return DriverReport.parse(report.read_bytes(), REPORT).stderr if report.exists() else ""


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _shown(evidence: SystemEvidence) -> Iterator[Shortfall]:
    """What the one search through the UI came to."""
    for seen in evidence.observations:
        if seen.outcome.failed:
            advice = f"{CONTRACT}, Screen and Frames; the query was {seen.query_id}."
            yield Shortfall(rule="search", found=seen.reason or seen.outcome.value, advice=advice)
        for violation in seen.violations:
            advice = "What engine and UI may say to each other, and when, is in its contract."
            yield Shortfall(rule="frame", found=violation.value, advice=advice)


def _left(evidence: SystemEvidence) -> Iterator[Shortfall]:
    for left in evidence.log.after.events:
        if isinstance(left, Left) and left.role is Role.UI:
            advice = "Let the UI write nothing: it counts as an interaction event without opt-in."
            yield Shortfall(rule="no traces", found=f"the UI has left {left.kind} {left.path!r}", advice=advice)
