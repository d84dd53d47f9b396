"""Has one system driven through a plan, and keeps what came of it."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

from runner.errors import MAKE_ROOM, BadInput, Unavailable, VoidRun
from runner.ports import Driving, Ending, Progress, Rig, Task
from runner.provenance.driver_report import DriverReport
from runner.retrieval.gates import Suite
from runner.workflows.names import REPORT, SUITES_REPORT

_PHASES = {
    "start": "starting",
    "warmup": "warming up",
    "block": "searching",
    "engine": "asking the engine alone",
    "repeat": "repeating the first block",
    "floors": "measuring the floors",
    "instrument": "checking the instrument",
    "protocol": f"suite {Suite.PROTOCOL}",
    "publication": f"suite {Suite.ROLLBACK}",
    "restoration": f"suite {Suite.RESTORATION}",
}


def drive(rig: Rig, plan: bytes, to: Path, *, name: str, progress: Progress) -> Ending:
    """Run `plan` for the system `name` and leave the raw log in `to`; VoidRun where the driver could not finish."""
    ending = _driven(rig, Task.SEARCHES, plan, to, Talk(name, progress))
    if ending.status != 0:
        raise VoidRun(f"{name}: {_why(ending, to / REPORT)}", advice=f"Its evidence is in {to}.")
    return ending


def drive_suites(rig: Rig, plan: bytes, to: Path, *, name: str, progress: Progress) -> Ending:
    """As `drive`, for the suites. What could not be run to its end is no reason to void a run: its rules say so."""
    ending = _driven(rig, Task.SUITES, plan, to, Talk(name, progress))
    if ending.status not in {0, 3}:
        raise VoidRun(f"{name}: suites: {_why(ending, to / SUITES_REPORT)}", advice=f"Its evidence is in {to}.")
    return ending


class Talk(NamedTuple):
    """Whose drive it is, and who is told how far it has come."""

    name: str
    progress: Progress


def _driven(rig: Rig, task: Task, plan: bytes, to: Path, talk: Talk) -> Ending:
    with rig.drive(task, plan, to) as driving:
        _follow(driving, talk)
        ending = driving.ending()
    if ending.status == 65:
        raise BadInput(f"{talk.name}: the driver refuses the plan: {ending.talk}")
    if ending.status == 74:
        raise Unavailable(f"{talk.name}: the raw log cannot be written: {ending.talk}.", advice=MAKE_ROOM)
    return ending


def _why(ending: Ending, report: Path) -> str:
    """The driver's own reason, where it came to write one."""
    with suppress(OSError, BadInput):
        return DriverReport.parse(report.read_bytes(), report.name).reason
    return f"the driver ended with status {ending.status}: {ending.talk or 'it said nothing'}."


def _follow(driving: Driving, talk: Talk) -> None:
    """One bar a phase, each closed when the next begins."""
    with ExitStack() as bar:
        current, step = "", None
        for phase, done, total in driving.progress():
            if phase != current or step is None:
                bar.close()
                current = phase
                step = bar.enter_context(talk.progress.step(f"{talk.name}: {_PHASES.get(phase, phase)}", total))
            step.advance(done, total)
