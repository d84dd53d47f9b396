"""What the driver found around it: limits, rights and machine before the run, files left behind after it."""

from __future__ import annotations

import hashlib
import os
import platform
import resource
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from runner.driver.counters import control_groups
from runner.driver.machine import machine_facts, processors
from runner.driver.processes import Account, acting_as

MOST_FILES = 1_000
_STATUS = (
    "Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp",
    "Cpus_allowed_list",
)  # fmt: skip
_LIMITS = {
    "memory": ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.max", "memory.swap.max"),
    "pids": ("pids.max",),
    "cpuset": ("cpuset.cpus", "cpuset.cpus.effective"),
    "cpu": ("cpu.cfs_quota_us", "cpu.cfs_period_us", "cpu.max"),
}


def found() -> dict[str, Any]:
    """The driver's own rights and limits, and the machine."""
    return {
        "driver": rights("self"),
        "processors": sorted(os.sched_getaffinity(0)),
        "limits": _limits(),
        "nofile": resource.getrlimit(resource.RLIMIT_NOFILE)[0],
        "mounts": list(_mounts()),
        "interfaces": [line.split(":")[0].strip() for line in _text("/proc/net/dev").splitlines()[2:]],
        "kernel": platform.release(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "processor": processors("model name"),
        "host": machine_facts(),
    }


def rights(process: int | str) -> dict[str, str]:
    """Users, capabilities and processors of a process, as the kernel writes them."""
    lines = (line.partition(":") for line in _text(f"/proc/{process}/status").splitlines())
    return {name: " ".join(value.split()) for name, _, value in lines if name in _STATUS}


def left_behind(account: Account) -> list[dict[str, Any]]:
    """Everything in an account's writable place, by path; what it locked away from its own user has kind `closed`.

    After MOST_FILES of them one of kind `more` stands for all others.
    """
    with acting_as(account):
        found = list(islice(_walk(account.home, ""), MOST_FILES + 1))
    return found if len(found) <= MOST_FILES else [*found[:MOST_FILES], _nameless("", "more")]


def _walk(home: str, below: str) -> Iterator[dict[str, Any]]:
    try:
        names = sorted(os.listdir(os.path.join(home, below)))
    except OSError:
        yield _nameless(below, "closed")
        return
    for name in names:
        path = os.path.join(below, name)
        status = os.lstat(os.path.join(home, path))
        kind = _kind(status.st_mode)
        content = _sha256(os.path.join(home, path)) if kind == "file" else None
        yield {
            "path": os.fsencode(path).decode("utf-8", "replace"),
            "kind": kind,
            "size": status.st_size,
            "sha256": content,
        }
        if kind == "folder":
            yield from _walk(home, path)


def _nameless(path: str, kind: str) -> dict[str, Any]:
    return {"path": path, "kind": kind, "size": 0, "sha256": None}


def _kind(mode: int) -> str:
    tests = {"file": stat.S_ISREG, "folder": stat.S_ISDIR, "link": stat.S_ISLNK, "socket": stat.S_ISSOCK}
    return next((kind for kind, holds in tests.items() if holds(mode)), "other")


def _sha256(path: str) -> str | None:
    with suppress(OSError), open(path, "rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
    return None


def _limits() -> dict[str, str]:
    limits: dict[str, str] = {}
    for controller, names in _LIMITS.items():
        for folder in reversed(control_groups(controller)):
            for name in names:
                if value := _text(f"{folder}/{name}").strip():
                    limits[name] = value
    return limits


def _mounts() -> Iterator[dict[str, str]]:
    for line in _text("/proc/self/mounts").splitlines():
        _, target, kind, options, *_ = line.split()
        yield {"target": target, "type": kind, "options": options}


def _text(path: str) -> str:
    with suppress(OSError), open(path, encoding="utf-8", errors="replace") as source:
        return source.read()
    return ""
