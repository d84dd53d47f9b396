"""The parent of the process that owns the terminal: passes signals on, repairs the terminal after a kill."""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
import termios
import time
from collections.abc import Callable
from typing import Any

from .terminal import RESTORE, restore_attributes

_PASSED_ON = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1}
_AWAITED = _PASSED_ON | {signal.SIGCHLD}
_PATIENCE_SECONDS = 2.0

Child = Callable[[Any, int], int]
Tend = Callable[[], float]


def nothing_to_tend() -> float:
    """For a parent without other children."""
    return float("inf")


def supervise(child: Child, tend: Tend = nothing_to_tend) -> int:
    """Runs `child(taken, lifeline)` in a process of its own; its exit status, or 128 + the signal that killed it.

    `tend` is called when any child has ended, to look after others; it gives the seconds until it wants to be called
    again. The signals of this process are blocked while it runs.
    """
    before = termios.tcgetattr(0)
    taken = mmap.mmap(-1, 1)
    lifeline, held = os.pipe()
    # Blocked before the fork, so that no signal falls between it and the handlers.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _AWAITED)
    pid = os.fork()
    if pid == 0:
        os.close(held)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        _run_and_exit(child, taken, lifeline)
    os.close(lifeline)
    try:
        status = _wait(pid, tend)
    finally:
        os.close(held)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if taken[0]:
        _repair(before)
    return status


def _run_and_exit(child: Child, taken: Any, lifeline: int) -> None:
    status = 1
    try:
        status = child(taken, lifeline)
    finally:
        os._exit(status)


def _wait(pid: int, tend: Tend) -> int:
    """The child's exit status; one that does not end within two seconds of being told to is killed."""
    deadline = rest = float("inf")
    while True:
        patience = min(max(deadline - time.monotonic(), 0), rest, 3600)
        found = signal.sigtimedwait(_AWAITED, patience)
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        if found is not None and found.si_signo in _PASSED_ON:
            os.kill(pid, found.si_signo)
            if found.si_signo != signal.SIGUSR1:
                deadline = min(deadline, time.monotonic() + _PATIENCE_SECONDS)
        elif time.monotonic() >= deadline:
            os.kill(pid, signal.SIGKILL)
            deadline = float("inf")
        elif deadline == float("inf"):
            rest = tend()


def _repair(before: list[Any]) -> None:
    blocking = os.get_blocking(1)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    with contextlib.suppress(OSError):
        os.set_blocking(1, False)
        os.write(1, RESTORE)
    with contextlib.suppress(OSError):
        os.set_blocking(1, blocking)
    restore_attributes(0, before)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
