"""A UI that tries everything it must not be able to do, and draws what it found as its list."""

import ctypes
import json
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

from good_ui import Ui

RUN = Path("/run")


def driver():
    """The process id of the driver."""
    return os.getppid()


def others():
    """Process ids that are not this user's."""
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [pid for pid in pids if Path(f"/proc/{pid}").stat().st_uid != os.getuid()]


def opened(path):
    """Open a file for reading."""
    with Path(path).open("rb"):
        return path


def with_each(pids, action):
    """The process ids with which `action` succeeds; PermissionError if it does with none."""
    done = []
    for pid in pids:
        with suppress(OSError):
            action(pid)
            done.append(pid)
    if not done:
        raise PermissionError(f"with each of {len(pids)} processes")
    return done


def reach_engine():
    """Go to the engine past the driver."""
    with socket.socket(socket.AF_UNIX) as past:
        past.connect(str(RUN / "engine" / "engine.sock"))


def attach(pid):
    """ptrace(PTRACE_ATTACH)."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(16, pid, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def call(number, *arguments):
    """A system call by number."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(number, *arguments) < 0:
        raise OSError(ctypes.get_errno(), f"system call {number}")


ATTEMPTS = {
    "memory of the driver": lambda: opened(f"/proc/{driver()}/mem"),
    "environment of the driver": lambda: Path(f"/proc/{driver()}/environ").read_bytes(),
    "descriptors of the driver": lambda: list(Path(f"/proc/{driver()}/fd").iterdir()),
    "input of the driver": lambda: opened(f"/proc/{driver()}/fd/0"),
    "memory of the others": lambda: with_each(others(), lambda pid: opened(f"/proc/{pid}/mem")),
    "raw log": lambda: opened("/out/block-000.jsonl"),
    "raw log folder": lambda: list(Path("/out").iterdir()),
    "engine's folder": lambda: list((RUN / "engine").iterdir()),
    "engine past the driver": reach_engine,
    "driver's folder": lambda: list((RUN / "driver").iterdir()),
    "replace the driver's socket": lambda: Path(os.environ["MAMBO_SOCKET"]).unlink(),
    "kill the driver": lambda: os.kill(driver(), signal.SIGKILL),
    "kill the others": lambda: with_each(others(), lambda pid: os.kill(pid, signal.SIGKILL)),
    "become root": lambda: os.setuid(0),
    "become the engine": lambda: os.setuid(10001),
    "trace the driver": lambda: attach(driver()),
    "write to the root": lambda: Path("/here").write_text("x"),
    "write to the corpus": lambda: Path(os.environ["MAMBO_CORPUS"], "here").write_text("x"),
    "write to shared memory": lambda: Path("/dev/shm/here").write_text("x"),
    "make a message queue": lambda: Path("/dev/mqueue/here").write_text("x"),
    "write to /tmp": lambda: Path("/tmp/here").write_text("x"),
    "new namespaces": lambda: call(272, 0x10000000),
    "io_uring": lambda: call(425, 1, 0),
    "bpf": lambda: call(321, 0, 0, 0),
    "shared memory of System V": lambda: call(29, 1, 4096, 0o1666),
    "VSOCK": lambda: socket.socket(40, socket.SOCK_STREAM),
    "raw packets": lambda: socket.socket(17, socket.SOCK_RAW),
    "netlink, routes": lambda: socket.socket(16, socket.SOCK_RAW, 0),
    "netlink, user to user": lambda: socket.socket(16, socket.SOCK_RAW, 2),
    "netlink, events": lambda: socket.socket(16, socket.SOCK_RAW, 15),
    "names of the others": lambda: with_each(others(), lambda pid: Path(f"/proc/{pid}/comm").write_text("psst")),
    "keyring": lambda: call(250, 0, 0, 0),
}


def tried(attempt):
    """`denied: …`, or what it gave."""
    try:
        return f"DONE: {attempt()!r}"
    except OSError as error:
        return f"denied: {error}"


class Hostile(Ui):
    """See above."""

    def on_enter(self):
        if os.getuid() == 0:
            sys.exit("to be run in a container, as a user of its own")
        found = {name: tried(attempt) for name, attempt in ATTEMPTS.items()}
        told = {
            "environment": dict(os.environ),
            "descriptors": sorted(path.name for path in Path("/proc/self/fd").iterdir()),
            "uid": os.getresuid(),
            "groups": os.getgroups(),
            "terminal": list(os.get_terminal_size(0)),
            "umask": oct(os.umask(0o077)),
            "names": sorted(Path(f"/proc/{pid}/comm").read_text().strip() for pid in others()),
        }
        self.ask("search", text="REPORT " + json.dumps({"found": found, "told": told}), limit=1)


if __name__ == "__main__":
    Hostile().run()
