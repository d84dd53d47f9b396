"""The three suites of one system: their plan, and what their log comes to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from runner.errors import Findings
from runner.provenance.driver_report import DriverReport, FileReport
from runner.provenance.environment import ContainerFacts
from runner.provenance.inputs import Inputs, System
from runner.provenance.rawlog import plan_digest
from runner.provenance.suites.plan import SuitesPlan, SuitesSystem
from runner.provenance.suites.report import SuiteLog, judge_suites, no_gates, open_suite_log
from runner.retrieval.suites import GatesReport
from runner.terminal.suite_log import Part
from runner.workflows.differences import differences
from runner.workflows.names import SUITES_LOG, SUITES_PLAN, SUITES_REPORT, need, raw_folder
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
        lock=follows.lock,
        follows=follows.chain,
    )
    return plan.canonical() + b"\n"


def read_suites(
    plan: bytes, system: str, files: Mapping[str, bytes], container: ContainerFacts | None
) -> SuitesEvidence:
    """The record of the suites of `system` among the files of a result; all of it must follow from `plan`, as made."""
    names = {name: f"{raw_folder(system)}/{name}" for name in (SUITES_PLAN, SUITES_LOG, SUITES_REPORT)}
    found = list(differences(names[SUITES_PLAN], need(files, names[SUITES_PLAN]), plan))
    if found:
        raise Findings("\n".join(found))
    log = open_suite_log(plan, need(files, names[SUITES_LOG]), names[SUITES_LOG])
    report = DriverReport.parse(need(files, names[SUITES_REPORT]), names[SUITES_REPORT])
    lines = files[names[SUITES_LOG]].count(b"\n")
    expected = {
        "plan": f"sha256:{plan_digest(plan)}",
        "chain": log.chain,
        "files": (FileReport(name=SUITES_LOG, lines=lines, chain=log.chain),),
    }
    for name, value in expected.items():
        if getattr(report, name) != value:
            raise Findings(f"{names[SUITES_REPORT]}: {name}: says {getattr(report, name)!r}, its log shows {value!r}.")
    return SuitesEvidence(report, log, container)


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
