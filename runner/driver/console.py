"""How the driver meets its runner: a plan on standard input, progress on standard output, ends on signals."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable

from runner.driver.log import NO_ROOM, LogFull
from runner.driver.loop import Ended, Loop
from runner.driver.plan import PlanError

LONGEST_PLAN = 64 << 20
STATUS = {"complete": 0, "void": 3, "lifeline": 4, "terminated": 4}
BAD_PLAN, FULL = 65, 74
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


def refuse(why: str) -> int:
    """One line on standard error; the exit status."""
    os.write(2, f"driver: {why}\n".encode())
    return BAD_PLAN


def status_of(run: Callable[[], str]) -> int:
    """The exit status of a run; where its log finds no room, with one line on standard error."""
    try:
        return STATUS[run()]
    except LogFull as full:
        os.write(2, f"{full}\n".encode())
        return FULL
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        os.write(2, f"{error.strerror}\n".encode())
        return FULL


def folder(arguments: list[str], module: str) -> str:
    """The folder that the command line of `module` names, or PlanError."""
    if len(arguments) != 2 or arguments[0] != "--out":
        raise PlanError(f"usage: python3 -m {module} --out DIR, with a plan on standard input.")
    return arguments[1]


def read_plan() -> bytes:
    """The line of the plan, or PlanError."""
    line = bytearray()
    while b"\n" not in line[-65_536:]:
        data = os.read(0, 65_536)
        if not data or len(line) > LONGEST_PLAN:
            raise PlanError("plan: standard input ended before the end of its line, or the line is too long.")
        line += data
    return bytes(line).split(b"\n", 1)[0]


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
