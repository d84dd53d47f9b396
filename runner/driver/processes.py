"""Starts and ends the processes of the measured system, each under its own user."""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import pexpect

from runner.driver.plan import Isolation
from runner.terminal.profile import COLUMNS, ROWS

ENGINE_UID, UI_UID = 10001, 10002
UMASK = 0o077
#: What a child may know of the driver's own environment.
PASSED_ON = (
    "PATH", "PYTHONPATH", "LANG", "LC_ALL", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "OPENBLAS_NUM_THREADS",
    "OPENBLAS_CORETYPE", "OMP_NUM_THREADS",
)  # fmt: skip
_NOBODY = 65534
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36
_LIBC = ctypes.CDLL(None)


@dataclass(frozen=True, slots=True)
class Account:
    """Who a child runs as (`uid` None: as the caller), and its one writable place."""

    uid: int | None
    home: str


@dataclass(frozen=True, slots=True)
class Command:
    """What to run, where, with which environment."""

    words: Sequence[str]
    folder: str
    environment: dict[str, str]

    def resolved(self) -> list[str]:
        """The words with the program's path; FileNotFoundError where there is none."""
        first = self.words[0]
        program = os.path.join(self.folder, first) if "/" in first else shutil.which(first)
        if program is None or not os.access(program, os.X_OK):
            raise FileNotFoundError(f"no program {first!r} to run")
        return [program, *self.words[1:]]


def shut_own_doors(isolation: Isolation) -> None:
    """Adopt orphans of the children, forbid core files, and with users close the driver's memory to all others."""
    _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    if isolation is Isolation.USERS:
        _LIBC.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def environment(account: Account, **variables: str) -> dict[str, str]:
    """The whole environment of a child."""
    passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return {"PATH": os.defpath, **passed, "HOME": account.home, **variables}


@contextmanager
def acting_as(account: Account) -> Iterator[None]:
    """Touch files and sockets as `account` would; the driver has no capability to pass over permissions."""
    if account.uid is None:
        yield
        return
    os.setegid(account.uid)
    os.seteuid(account.uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@contextmanager
def group_of(account: Account) -> Iterator[None]:
    """Make files that belong to the driver and to `account`'s group."""
    if account.uid is None:
        yield
        return
    os.setegid(account.uid)
    try:
        yield
    finally:
        os.setegid(0)


def start_plain(command: Command, account: Account, stdout: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """Start a program without a terminal; its standard error is a pipe, its input leads nowhere, nor does its output
    unless `stdout` says where to."""
    return subprocess.Popen(
        command.resolved(),
        cwd=command.folder,
        env=command.environment,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        start_new_session=True,
        umask=UMASK,
        user=account.uid,
        group=account.uid,
        extra_groups=None if account.uid is None else [],
        preexec_fn=die_with_parent,  # noqa: PLW1509 - the driver has one thread
    )


def start_in_terminal(command: Command, account: Account) -> pexpect.spawn:
    """Start a program on a new 80x24 terminal that belongs to its user."""
    program, *rest = command.resolved()
    with acting_as(account):
        # The opener's user owns the terminal device.
        child = pexpect.spawn(
            program if rest else program.replace("\\", "\\\\").replace(" ", "\\ "),
            rest,
            cwd=command.folder,
            env=command.environment,
            dimensions=(ROWS, COLUMNS),
            preexec_fn=_become(account),
            timeout=None,
        )
    child.delaybeforesend = child.delayafterread = None
    child.ptyproc.delayafterclose = child.ptyproc.delayafterterminate = 0
    os.set_blocking(child.child_fd, False)
    return child


def _become(account: Account) -> Callable[[], None]:
    def settle() -> None:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.umask(UMASK)
        if account.uid is not None:
            os.seteuid(0)
            os.setgroups([])
            os.setresgid(account.uid, account.uid, account.uid)
            os.setresuid(account.uid, account.uid, account.uid)
        die_with_parent()

    return settle


def die_with_parent() -> None:
    """In a child: be killed when the driver is, even when it had no time to do it."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def kill_all(account: Account, leader: int) -> None:
    """End every process of `account`; without users, the session of `leader`."""
    if account.uid is None:
        with suppress(ProcessLookupError):
            os.killpg(leader, signal.SIGKILL)
        return
    # Only the effective user is theirs, so that they cannot signal the driver; one call, so that no fork escapes; and
    # none of the driver's own, since by then they may hold the last process of the container.
    os.setresuid(_NOBODY, account.uid, 0)
    try:
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
    finally:
        os.setresuid(0, 0, 0)


def reap_strays(known: Collection[int]) -> None:
    """End and reap children that the driver did not start: what its own children left behind."""
    while strays := [pid for pid in _children() if pid not in known]:
        for pid in strays:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _children() -> list[int]:
    with open(f"/proc/self/task/{os.getpid()}/children") as listing:
        return [int(pid) for pid in listing.read().split()]
