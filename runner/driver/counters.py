"""Counters that betray a disturbed or dishonest run: network attempts, stolen time, throttling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from runner.driver.log import RawLog

_WATCHED = {
    "Ip": ("OutRequests", "OutNoRoutes", "OutDiscards", "InReceives"),
    "Icmp": ("OutMsgs",),
    "Tcp": ("ActiveOpens",),
    "Udp": ("OutDatagrams", "NoPorts"),
    "UdpLite": ("OutDatagrams",),
}
_WATCHED_6 = ("Ip6OutRequests", "Ip6OutNoRoutes", "Ip6OutDiscards", "Ip6InReceives", "Icmp6OutMsgs", "Udp6OutDatagrams")
_CGROUP = "/sys/fs/cgroup"


def write(log: RawLog) -> None:
    """Add a `host` and a `net` event."""
    log.add("host", **host())
    log.add("net", counters=network())


def peak_memory(pid: int) -> int | None:
    """The most bytes that a process has held in RAM (VmHWM); null where the kernel does not say, or it is gone."""
    for line in _lines(f"/proc/{pid}/status"):
        name, _, value = line.partition(":")
        if name == "VmHWM":
            return int(value.split()[0]) * 1024
    return None


#: A row of `/proc/net/unix`: the name, where there is one, stands behind one blank, and may be blank itself.
_SOCKET = re.compile(r"[0-9a-f]+: (?:[0-9A-F]{8} ){3}[0-9A-F]{4} [0-9A-F]{2} +[0-9]+(?: (?P<name>.*))?", re.DOTALL)


def network() -> dict[str, int]:
    """What moves when a process of this network namespace tries to reach anything but a Unix socket."""
    found: dict[str, int] = {}
    lines = _lines("/proc/net/snmp")
    for names, values in zip(lines[::2], lines[1::2], strict=False):
        table, *keys = names.split()
        counts = dict(zip(keys, values.split()[1:], strict=False))
        wanted = _WATCHED.get(table.rstrip(":"), ())
        found.update({f"{table[:-1]}.{key}": int(counts[key]) for key in wanted if key in counts})
    for line in _lines("/proc/net/snmp6"):
        name, _, value = line.partition(" ")
        if name.strip() in _WATCHED_6:
            found[name.strip()] = int(value)
    return found


def named_sockets() -> set[str]:
    """Named Unix sockets of this network namespace, abstract ones with a leading @."""
    return set(names_in(_content("/proc/net/unix")))


def names_in(table: str) -> Iterator[str]:
    """The names in a `/proc/net/unix` table, blank ones too; a line break in a name makes a row of another form."""
    for line in table.split("\n")[1:]:
        row = _SOCKET.fullmatch(line)
        name = row["name"] if row else line
        if name is not None and (row or line):
            yield name


def host() -> dict[str, Any]:
    """Stolen and total ticks of the machine, throttling of this control group; null where it is not told."""
    ticks = [int(value) for value in (_lines("/proc/stat") or ["cpu"])[0].split()[1:]]
    throttling = _throttling()
    return {
        "steal_ticks": ticks[7] if len(ticks) > 7 else None,
        "total_ticks": sum(ticks[:8]) if len(ticks) > 7 else None,
        "nr_throttled": throttling.get("nr_throttled"),
        "throttled_us": throttling.get("throttled_usec", _microseconds(throttling.get("throttled_time"))),
    }


def _microseconds(nanoseconds: int | None) -> int | None:
    return None if nanoseconds is None else nanoseconds // 1000


def _throttling() -> dict[str, int]:
    for folder in control_groups("cpu"):
        pairs = (line.split() for line in _lines(f"{folder}/cpu.stat"))
        table = {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2}
        if "nr_throttled" in table:
            return table
    return {}


def control_groups(controller: str) -> list[str]:
    """Folders that may hold this process's files of `controller`, version 1 or 2, likeliest first."""
    found = []
    for line in _lines("/proc/self/cgroup"):
        _, names, path = line.split(":", 2)
        mounted = "" if not names else f"/{names}" if controller in names.split(",") else None
        if mounted is not None:
            found += [f"{_CGROUP}{mounted}{path}".rstrip("/"), f"{_CGROUP}{mounted}", f"{_CGROUP}/{controller}"]
    return found


def _lines(path: str) -> list[str]:
    return _content(path).splitlines()


def _content(path: str) -> str:
    with suppress(OSError), open(path, encoding="utf-8", errors="replace", newline="") as source:
        return source.read()
    return ""
