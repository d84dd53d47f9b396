"""`python3 -m runner.driver.suites --out DIR`: reads a plan, runs the three suites on one system, leaves their log."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

from runner.driver import counters, environment, report
from runner.driver.console import Ends, Progress, folder, read_plan, refuse, status_of
from runner.driver.engine import EngineError
from runner.driver.environment import left_behind
from runner.driver.log import RawLog
from runner.driver.loop import Ended, Loop
from runner.driver.plan import Isolation, PlanError
from runner.driver.processes import shut_own_doors
from runner.driver.suites import protocol, publication, restoration
from runner.driver.suites.plan import SuitesPlan, parse
from runner.driver.suites.stage import CannotRun, Hall

LOG, REPORT = "suites.jsonl", "suites.driver.json"
PARTS: dict[str, Callable[[Hall], None]] = {
    "protocol": protocol.run,
    "publication": publication.run,
    "restoration": restoration.run,
}


def main(arguments: list[str]) -> int:
    """The exit status."""
    try:
        out = folder(arguments, "runner.driver.suites")
        plan = parse(read_plan())
        shut_own_doors(plan.isolation)
        os.makedirs(out, exist_ok=True)
        log = RawLog(out, plan.digest)
        log.open(LOG, block="suites", system=plan.system.name)
        counters.write(log)
        if plan.isolation is Isolation.USERS:
            os.chmod(out, 0o700)
    except PlanError as error:
        return refuse(str(error))
    except OSError as error:
        return refuse(f"{error.filename or '--out'}: {error.strerror}; the driver needs a new, writable folder.")
    return status_of(lambda: _run(plan, out, log))


def _run(plan: SuitesPlan, out: str, log: RawLog) -> str:
    loop = Loop()
    ends = Ends(loop)
    found = {**environment.found(), "started_ns": time.monotonic_ns()}
    how, reason, hall = "complete", "", None
    try:
        hall = Hall(plan, loop, log)
        loop.limit(plan.wall_limit_s)
        _play(hall, Progress())
    except Ended as end:
        how, reason = end.how, end.reason
    ends.ignore()
    loop.lift_limit()
    if hall is not None:
        hall.close()
        for left in left_behind(hall.ui_account):
            log.add("left", role="ui", **left)
    counters.write(log)
    log.close(0)
    seen = {} if hall is None else hall.rights
    told = report.of_no_run({**found, **seen, "ended_ns": time.monotonic_ns()})
    told |= {"how": how, "reason": reason, "plan": f"sha256:{plan.digest}"}
    report.keep(os.path.join(out, REPORT), told, log)
    return how


def _play(hall: Hall, progress: Progress) -> None:
    parts = hall.plan.parts
    for number, part in enumerate(parts):
        progress(part, number, len(parts))
        hall.log.add("begun", part=part)
        reason = ""
        try:
            PARTS[part](hall)
        except (EngineError, CannotRun, OSError, RecursionError) as error:
            reason = str(error)
        hall.log.add("ended", part=part, reason=reason)
        hall.log.flush()
    progress(part, len(parts), len(parts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
