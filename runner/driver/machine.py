"""What the machine is, as any process on it reads it, in a container or not; `unknown` where it does not say."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from glob import glob

UNKNOWN = "unknown"
_CPUS = "/sys/devices/system/cpu/cpu[0-9]*"


def machine_facts() -> dict[str, str]:
    """Facts by name; where processors differ, each value once. A virtual machine has no governor to show, and shows
    what microcode it likes."""
    return {
        "cgroup_version": "2" if os.path.exists("/sys/fs/cgroup/cgroup.controllers") else "1",
        "clock_source": _each(["/sys/devices/system/clocksource/clocksource0/current_clocksource"]),
        "cpu_flags": processors("flags"),
        "governor": _each(glob(f"{_CPUS}/cpufreq/scaling_governor")),
        "microcode": processors("microcode"),
        "smt_siblings": _each(glob(f"{_CPUS}/topology/thread_siblings_list")),
    }


def processors(field: str) -> str:
    """A field of `/proc/cpuinfo`, for all processors."""
    lines = (line.partition(":") for line in _text("/proc/cpuinfo").splitlines())
    return _once(value for name, _, value in lines if name.strip() == field)


def _each(paths: Iterable[str]) -> str:
    return _once(map(_text, paths))


def _once(values: Iterable[str]) -> str:
    return "; ".join(sorted({value.strip() for value in values} - {""})) or UNKNOWN


def _text(path: str) -> str:
    with suppress(OSError), open(path, encoding="utf-8", errors="replace") as source:
        return source.read()
    return ""
