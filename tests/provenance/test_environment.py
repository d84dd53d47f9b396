"""A container meets its hardware profile only if engine, kernel and profile say the same of each limit (D31)."""

from __future__ import annotations

from typing import Any

import pytest

from runner.documents import digest
from runner.provenance.driver_report import Found
from runner.provenance.environment import ContainerFacts, Offered, not_found, not_given, not_offered
from runner.provenance.inputs import Hardware
from runner.provenance.manifest import FileRef, HardwareProfile

NONE = "sha256:" + "0" * 64
SECCOMP = '{"defaultAction":"SCMP_ACT_ERRNO"}'
GIB = 1 << 30
PROFILE = HardwareProfile(
    name="two-core-v1",
    architecture="amd64",
    cpuset="0-1",
    memory_bytes=2 * GIB,
    memory_swap_bytes=2 * GIB,
    pids_limit=128,
    nofile=4096,
    capabilities=("SETUID", "SETGID", "KILL"),
    no_new_privileges=True,
    read_only=True,
    network="none",
    sysctls={"net.ipv6.conf.all.disable_ipv6": "0"},
    tmpfs={"/run/ui": "uid=10002,gid=0,mode=0770,size=64m"},
    seccomp=FileRef(path="seccomp.json", digest=NONE),
)
GIVEN: dict[str, Any] = {
    "image": NONE,
    "engine": {"Engine": "20.10.24", "runc": "1.1.5"},
    "runtime": "runc",
    "cpuset": "0-1",
    "memory_bytes": 2147483648,
    "memory_swap_bytes": 2147483648,
    "pids_limit": 128,
    "nofile": 4096,
    "capabilities": ("SETUID", "SETGID", "KILL"),
    "no_new_privileges": True,
    "read_only": True,
    "network": "none",
    "sysctls": {"net.ipv6.conf.all.disable_ipv6": "0"},
    "tmpfs": {"/run/ui": "uid=10002,gid=0,mode=0770,size=64m"},
    "seccomp": digest(SECCOMP.encode()),
}


def rights(uid: int, capabilities: str = "0000000000000000") -> dict[str, str]:
    """`/proc/<pid>/status` of a process in the container, as the kernel wrote it there."""
    ids = f"{uid} {uid} {uid} {uid}"
    return {
        "CapAmb": "0000000000000000",
        "CapBnd": "00000000000000e0",
        "CapEff": capabilities,
        "CapInh": "0000000000000000",
        "CapPrm": capabilities,
        "Cpus_allowed_list": "0-1",
        "Gid": ids,
        "Groups": "",
        "NoNewPrivs": "1",
        "Seccomp": "2",
        "Uid": ids,
    }


#: What a driver found in such a container, version 1 of control groups.
FOUND: dict[str, Any] = {
    "driver": rights(0, "00000000000000e0"),
    "engine": rights(10001),
    "ui": rights(10002),
    "limits": {
        "cpu.cfs_period_us": "100000",
        "cpu.cfs_quota_us": "-1",
        "cpuset.cpus": "0-1",
        "memory.limit_in_bytes": "2147483648",
        "memory.memsw.limit_in_bytes": "2147483648",
        "pids.max": "128",
    },
    "processors": (0, 1),
    "nofile": 4096,
    "mounts": (
        {"target": "/", "type": "overlay", "options": "ro,relatime,lowerdir=/var/lib/docker/overlay2/l/NMCA"},
        {"target": "/proc", "type": "proc", "options": "rw,nosuid,nodev,noexec,relatime"},
    ),
    "interfaces": ("lo",),
    "kernel": "6.1.0",
    "machine": "x86_64",
    "processor": "AMD EPYC",
    "host": {"clock_source": "tsc", "governor": "unknown"},
    "python": "3.11.2",
    "started_ns": 1,
}


def lacking(**changes: Any) -> list[str]:
    return list(not_found(PROFILE, Found.model_validate({**FOUND, **changes})))


def test_a_container_as_asked_for_lacks_nothing() -> None:
    assert list(not_given(Hardware(PROFILE, NONE, SECCOMP), ContainerFacts(**GIVEN))) == []
    assert lacking() == []


LIMITS = dict.fromkeys(("memory limit", "swap limit"), True)


@pytest.mark.parametrize(
    ("offered", "lacks"),
    [
        (Offered("x86_64", 2, 2 * GIB, LIMITS), []),
        (Offered("x86_64", 64, 900 * GIB, LIMITS), []),
        (Offered("aarch64", 2, 2 * GIB, LIMITS), ["machine: aarch64, not x86_64"]),
        (Offered("x86_64", 1, 2 * GIB, LIMITS), ["cpuset: 0-1 asked for, but there are 1 processors"]),
        (Offered("x86_64", 2, GIB, LIMITS), ["memory: 2147483648 bytes asked for, but there are 1073741824"]),
        (Offered("x86_64", 2, 2 * GIB, LIMITS | {"swap limit": False}), ["swap limit: the engine cannot set it"]),
    ],
)
def test_what_an_engine_cannot_give_is_known_before_the_run(offered: Offered, lacks: list[str]) -> None:
    assert list(not_offered(PROFILE, offered)) == lacks


def test_the_second_version_of_control_groups_says_the_same_in_other_files() -> None:
    limits = {
        "cpu.max": "max 100000",
        "cpuset.cpus": "0-1",
        "cpuset.cpus.effective": "0-1",
        "memory.max": "2147483648",
        "memory.swap.max": "0",
        "pids.max": "128",
    }
    assert lacking(limits=limits) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cpuset", "0-3"),
        ("memory_bytes", 4294967296),
        ("memory_swap_bytes", -1),
        ("pids_limit", 0),
        ("nofile", 1024),
        ("capabilities", ("SETUID", "SETGID", "KILL", "NET_ADMIN")),
        ("no_new_privileges", False),
        ("read_only", False),
        ("network", "bridge"),
        ("sysctls", {}),
        ("tmpfs", {}),
    ],
)
def test_what_the_engine_gave_otherwise_is_named(name: str, value: object) -> None:
    (said,) = not_given(Hardware(PROFILE, NONE, SECCOMP), ContainerFacts(**{**GIVEN, name: value}))
    assert said == f"{name} is {value!r}, not {getattr(PROFILE, name)!r}"


@pytest.mark.parametrize("seccomp", [None, NONE])
def test_another_system_call_profile_is_named(seccomp: str | None) -> None:
    (said,) = not_given(Hardware(PROFILE, NONE, SECCOMP), ContainerFacts(**{**GIVEN, "seccomp": seccomp}))
    assert said == "another system-call profile was in force"


@pytest.mark.parametrize(
    ("file", "value", "name"),
    [
        ("memory.limit_in_bytes", "9223372036854771712", "memory limit"),
        ("memory.memsw.limit_in_bytes", "4294967296", "swap limit"),
        ("pids.max", "max", "process limit"),
        ("cpuset.cpus", "0", "cpuset"),
        ("cpu.cfs_quota_us", "150000", "CPU quota"),
    ],
)
def test_a_limit_that_the_kernel_has_otherwise_or_not_at_all_is_named(file: str, value: str, name: str) -> None:
    (said,) = lacking(limits=FOUND["limits"] | {file: value})
    assert said.startswith(f"{name}: {file} is {value}, not ")
    assert lacking(limits={one: each for one, each in FOUND["limits"].items() if one != file}) == [
        f"{name} was not found"
    ]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("processors", (0,), "processors: [0], not [0, 1]"),
        ("nofile", 1024, "open files: 1024, not 4096"),
        ("interfaces", ("lo", "eth0"), "network interfaces: ['lo', 'eth0'], not ['lo']"),
        ("machine", "aarch64", "machine: aarch64, not x86_64"),
        ("mounts", (), "root read only: False, not True"),
        (
            "mounts",
            ({"target": "/", "type": "overlay", "options": "rw,relatime"},),
            "root read only: False, not True",
        ),
    ],
)
def test_a_place_that_is_otherwise_is_named(name: str, value: object, said: str) -> None:
    assert lacking(**{name: value}) == [said]


@pytest.mark.parametrize(
    ("role", "field", "value", "said"),
    [
        ("ui", "Uid", "0 0 0 0", "UI: Uid is 0 0 0 0, not 10002 10002 10002 10002"),
        ("ui", "CapEff", "00000000000000e0", "UI: CapEff is 00000000000000e0, not 0000000000000000"),
        ("ui", "NoNewPrivs", "0", "UI: NoNewPrivs is 0, not 1"),
        ("ui", "Seccomp", "0", "UI: Seccomp is 0, not 2"),
        ("engine", "Gid", "0 0 0 0", "engine: Gid is 0 0 0 0, not 10001 10001 10001 10001"),
        ("engine", "CapPrm", "0000000000200000", "engine: CapPrm is 0000000000200000, not 0000000000000000"),
        ("engine", "Cpus_allowed_list", "0-3", "engine: Cpus_allowed_list is 0-3, not 0-1"),
        ("driver", "CapEff", "000001ffffffffff", "driver: CapEff is 000001ffffffffff, not 00000000000000e0"),
    ],
)
def test_a_process_with_other_rights_is_named(role: str, field: str, value: str, said: str) -> None:
    assert lacking(**{role: FOUND[role] | {field: value}}) == [said]


def test_a_process_that_nobody_looked_at_meets_nothing() -> None:
    assert "UI: Uid is None, not 10002 10002 10002 10002" in lacking(ui={})
