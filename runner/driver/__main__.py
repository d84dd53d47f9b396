"""`python3 -m runner.driver --out DIR`: reads a plan, measures one system, leaves a raw log (docs/raw-log.md)."""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
import time

from runner.driver import environment, report
from runner.driver.log import RawLog
from runner.driver.loop import Ended, Loop
from runner.driver.plan import Isolation, Plan, PlanError, parse
from runner.driver.processes import shut_own_doors
from runner.driver.run import Run

LONGEST_PLAN = 64 << 20
STATUS = {"complete": 0, "void": 3, "lifeline": 4, "terminated": 4}
BAD_PLAN = 65
_LIFELINE = 0
_PROGRESS_EVERY_NS = 50_000_000


class Progress:
    """Tells how far the run is, on standard output; never waits for a reader."""

    def __init__(self) -> None:
        self._next = 0

    def __call__(self, phase: str, done: int, total: int) -> None:
        now = time.monotonic_ns()
        if done != total and now < self._next:
            return
        self._next = now + _PROGRESS_EVERY_NS
        line = json.dumps({"phase": phase, "done": done, "total": total}).encode() + b"\n"
        try:
            if select.select([], [1], [], 0)[1]:
                os.write(1, line)
        except OSError:
            self._next = sys.maxsize


def main(arguments: list[str]) -> int:
    """The exit status of a run."""
    gc.disable()
    try:
        out = _folder(arguments)
        plan = parse(_read_plan())
        shut_own_doors(plan.isolation)
        log = RawLog(out, plan.digest)
        if plan.isolation is Isolation.USERS:
            os.chmod(out, 0o700)
    except PlanError as error:
        return _refuse(str(error))
    except OSError as error:
        return _refuse(f"{error.filename or '--out'}: {error.strerror}; the driver needs a new, writable folder.")
    return STATUS[_run(plan, out, log)]


def _refuse(why: str) -> int:
    os.write(2, f"driver: {why}\n".encode())
    return BAD_PLAN


def _folder(arguments: list[str]) -> str:
    if len(arguments) != 2 or arguments[0] != "--out":
        raise PlanError("usage: python3 -m runner.driver --out DIR, with a plan on standard input.")
    return arguments[1]


def _read_plan() -> bytes:
    line = bytearray()
    while b"\n" not in line[-65_536:]:
        data = os.read(0, 65_536)
        if not data or len(line) > LONGEST_PLAN:
            raise PlanError("plan: standard input ended before the end of its line, or the line is too long.")
        line += data
    return bytes(line).split(b"\n", 1)[0]


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
    report.keep(out, {"how": how, "reason": reason, "plan": f"sha256:{plan.digest}", **told}, log)
    return how


class Ends:
    """Ends the run when standard input closes, or at SIGTERM, SIGINT and SIGHUP; noticed in the loop only."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._signals, send = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: None)
        signal.set_wakeup_fd(send, warn_on_full_buffer=False)
        loop.watch(self._signals, self._told)
        loop.watch(_LIFELINE, self._heard)

    def ignore(self) -> None:
        """The run is over: finish in peace."""
        self._loop.forget(self._signals)
        self._loop.forget(_LIFELINE)

    def _told(self, _mask: int) -> None:
        raise Ended("terminated", "The driver was told to end.")

    def _heard(self, _mask: int) -> None:
        if not os.read(_LIFELINE, 65_536):
            raise Ended("lifeline", "Standard input was closed: the runner is gone.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
