"""Has one system driven through a plan, and keeps what came of it."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path

from runner.errors import BadInput, VoidRun
from runner.ports import Driving, Ending, Progress, Rig
from runner.provenance.driver_report import DriverReport
from runner.workflows.names import REPORT

_PHASES = {
    "start": "starting",
    "warmup": "warming up",
    "block": "searching",
    "engine": "asking the engine alone",
    "floors": "measuring the floors",
}


def drive(rig: Rig, plan: bytes, to: Path, *, name: str, progress: Progress) -> Ending:
    """Run `plan` for the system `name` and leave the raw log in `to`; VoidRun where the driver could not finish."""
    with rig.drive(plan, to) as driving:
        _follow(driving, name, progress)
        ending = driving.ending()
    if ending.status == 65:
        raise BadInput(f"{name}: the driver refuses the plan: {ending.talk}")
    if ending.status != 0:
        raise VoidRun(f"{name}: {_why(ending, to)}", advice=f"Its evidence is in {to}.")
    return ending


def _why(ending: Ending, to: Path) -> str:
    """The driver's own reason, where it came to write one."""
    with suppress(OSError, BadInput):
        return DriverReport.parse((to / REPORT).read_bytes(), REPORT).reason
    return f"the driver ended with status {ending.status}: {ending.talk or 'it said nothing'}."


def _follow(driving: Driving, name: str, progress: Progress) -> None:
    """One bar a phase, each closed when the next begins."""
    with ExitStack() as bar:
        current, step = "", None
        for phase, done, total in driving.progress():
            if phase != current or step is None:
                bar.close()
                current = phase
                step = bar.enter_context(progress.step(f"{name}: {_PHASES.get(phase, phase)}", total))
            step.advance(done, total)
