"""The hardware as given and as found, held against the profile that asked for it (D31)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from runner.documents import Digest, Document, digest
from runner.provenance.driver_report import Found, Rights
from runner.provenance.inputs import Hardware
from runner.provenance.manifest import HardwareProfile

_ENGINE_UID, _UI_UID = 10001, 10002
_CAPABILITIES: Final[Mapping[str, int]] = {"KILL": 5, "SETGID": 6, "SETUID": 7}
_MACHINES: Final = {"amd64": "x86_64"}
_SETS = ("CapInh", "CapPrm", "CapEff", "CapAmb")


class ContainerFacts(Document):
    """A container as its engine describes it; fields of the hardware profile carry its names. `engine` has the versions
    of the engine and its parts by name, `runtime` which of its runtimes ran the container."""

    image: Digest
    engine: dict[str, str]
    runtime: str
    cpuset: str
    memory_bytes: int
    memory_swap_bytes: int
    pids_limit: int
    nofile: int
    capabilities: tuple[str, ...]
    no_new_privileges: bool
    read_only: bool
    network: str
    sysctls: dict[str, str]
    tmpfs: dict[str, str]
    seccomp: Digest | None


class Environment(Document):
    """`environment.json`: each system's container from outside, and that of its suites; null for a plain process."""

    systems: dict[str, ContainerFacts | None]
    suites: dict[str, ContainerFacts | None]


_ASKED = tuple(name for name in ContainerFacts.model_fields if name not in {"image", "engine", "runtime", "seccomp"})


def not_given(hardware: Hardware, container: ContainerFacts) -> Iterator[str]:
    """What a container was not given as the profile has it."""
    for name in _ASKED:
        asked, given = getattr(hardware.profile, name), getattr(container, name)
        if asked != given:
            yield f"{name} is {given!r}, not {asked!r}"
    if container.seccomp != digest(hardware.seccomp.encode()):
        yield "another system-call profile was in force"


class Offered(NamedTuple):
    """What a container engine says that it and its machine have; `limits` by the name of the limit."""

    machine: str
    processors: int
    memory_bytes: int
    limits: Mapping[str, bool]


def not_offered(profile: HardwareProfile, offered: Offered) -> Iterator[str]:
    """What of a profile no container of an engine can be given, as far as the engine knows."""
    if offered.machine != _MACHINES[profile.architecture]:
        yield f"machine: {offered.machine}, not {_MACHINES[profile.architecture]}"
    if offered.processors <= max(_processors(profile.cpuset)):
        yield f"cpuset: {profile.cpuset} asked for, but there are {offered.processors} processors"
    if offered.memory_bytes < profile.memory_bytes:
        yield f"memory: {profile.memory_bytes} bytes asked for, but there are {offered.memory_bytes}"
    yield from (f"{name}: the engine cannot set it" for name, can in offered.limits.items() if not can)


def not_found(profile: HardwareProfile, found: Found) -> Iterator[str]:
    """What was not as the profile has it when seen from inside the container."""
    for name, wanted in _limits(profile).items():
        seen = {file: found.limits[file] for file in wanted if file in found.limits}
        if not seen:
            yield f"{name} was not found"
        for file, value in seen.items():
            if value != wanted[file]:
                yield f"{name}: {file} is {value}, not {wanted[file]}"
    places = {mount.target: mount.options.split(",") for mount in found.mounts}
    facts = {
        "processors": (list(found.processors), _processors(profile.cpuset)),
        "open files": (found.nofile, profile.nofile),
        "network interfaces": (list(found.interfaces), ["lo"]),
        "root read only": ("ro" in places.get("/", []), profile.read_only),
        "machine": (found.machine, _MACHINES[profile.architecture]),
    }
    for name, (seen_, wanted_) in facts.items():
        if seen_ != wanted_:
            yield f"{name}: {seen_}, not {wanted_}"
    yield from _processes(profile, found)


def _limits(profile: HardwareProfile) -> dict[str, dict[str, str]]:
    """The files of both versions of control groups in which each limit may stand, and what they must say."""
    memory, swap = profile.memory_bytes, profile.memory_swap_bytes
    return {
        "memory limit": {"memory.limit_in_bytes": str(memory), "memory.max": str(memory)},
        "swap limit": {"memory.memsw.limit_in_bytes": str(swap), "memory.swap.max": str(swap - memory)},
        "process limit": {"pids.max": str(profile.pids_limit)},
        "cpuset": {"cpuset.cpus": profile.cpuset, "cpuset.cpus.effective": profile.cpuset},
        "CPU quota": {"cpu.cfs_quota_us": "-1", "cpu.max": "max 100000"},
    }


def _processes(profile: HardwareProfile, found: Found) -> Iterator[str]:
    mask = sum(1 << _CAPABILITIES[name] for name in profile.capabilities if name in _CAPABILITIES)
    for role, rights, uid, capabilities in (
        ("driver", found.driver, 0, mask),
        ("engine", found.engine, _ENGINE_UID, 0),
        ("UI", found.ui, _UI_UID, 0),
    ):
        for name, wanted in _rights(profile, uid, capabilities).items():
            if rights.get(name) != wanted:
                yield f"{role}: {name} is {rights.get(name)}, not {wanted}"


def _rights(profile: HardwareProfile, uid: int, capabilities: int) -> Rights:
    held = {"CapPrm": capabilities, "CapEff": capabilities}
    return {
        "Uid": " ".join([str(uid)] * 4),
        "Gid": " ".join([str(uid)] * 4),
        **{name: f"{held.get(name, 0):016x}" for name in _SETS},
        "NoNewPrivs": str(int(profile.no_new_privileges)),
        "Seccomp": "2",
        "Cpus_allowed_list": profile.cpuset,
    }


def _processors(cpuset: str) -> list[int]:
    """`0-1,4` as 0, 1, 4."""
    found: list[int] = []
    for part in cpuset.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return sorted(found)
