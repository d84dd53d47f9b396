"""`python3 -m runner.driver --out DIR`: reads a plan, measures one system, leaves a raw log (docs/raw-log.md)."""

from __future__ import annotations

import gc
import os
import sys
import time

from runner.driver import environment, report
from runner.driver.console import Ends, Progress, folder, read_plan, refuse, status_of
from runner.driver.log import RawLog, require_unused
from runner.driver.loop import Ended, Loop
from runner.driver.plan import Isolation, Plan, PlanError, parse
from runner.driver.processes import shut_own_doors
from runner.driver.run import Run


def main(arguments: list[str]) -> int:
    """The exit status of a run."""
    gc.disable()
    try:
        out = folder(arguments, "runner.driver")
        plan = parse(read_plan())
        shut_own_doors(plan.isolation)
        require_unused(out)
        log = RawLog(out, plan.digest)
        if plan.isolation is Isolation.USERS:
            os.chmod(out, 0o700)
    except PlanError as error:
        return refuse(str(error))
    except OSError as error:
        return refuse(f"{error.filename or '--out'}: {error.strerror}; the driver needs a new, writable folder.")
    return status_of(lambda: _run(plan, out, log))


def _run(plan: Plan, out: str, log: RawLog) -> str:
    loop = Loop()
    ends = Ends(loop)
    found = {**environment.found(), "started_ns": time.monotonic_ns()}
    how, reason, run = "complete", "", None
    try:
        run = Run(plan, loop, log, Progress())
        run.carry_out()
    except Ended as end:
        how, reason = end.how, end.reason
    ends.ignore()
    loop.lift_limit()
    if run is not None:
        run.close()
    told = report.of_no_run(found) if run is None else report.of_run(run, found)
    told |= {"how": how, "reason": reason, "plan": f"sha256:{plan.digest}"}
    report.keep(os.path.join(out, report.NAME), told, log)
    return how


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
