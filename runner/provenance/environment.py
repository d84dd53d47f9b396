"""The hardware as found: what the engine says a container was given, held against the profile that asked for it."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from runner.documents import Digest, Document
from runner.provenance.inputs import Hardware


class ContainerFacts(Document):
    """A container as its engine describes it; fields of the hardware profile carry its names."""

    image: Digest
    engine_version: str
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


class SystemEnvironment(Document):
    """One system's container from outside (null for a plain process) and from inside."""

    system: str
    container: ContainerFacts | None
    found: dict[str, JsonValue]


class Environment(Document):
    """`environment.json`."""

    platform: dict[str, str]
    systems: tuple[SystemEnvironment, ...]


_ASKED = (
    "cpuset",
    "memory_bytes",
    "memory_swap_bytes",
    "pids_limit",
    "nofile",
    "capabilities",
    "no_new_privileges",
    "read_only",
    "network",
    "sysctls",
    "tmpfs",
)


def shortfalls(hardware: Hardware, seccomp: Digest, container: ContainerFacts) -> Iterator[str]:
    """What a container was not given as the profile has it, one sentence each."""
    for name in _ASKED:
        asked, given = getattr(hardware.profile, name), getattr(container, name)
        if asked != given:
            yield f"hardware profile {hardware.profile.name}: {name} is {given!r}, not {asked!r}"
    if container.seccomp != seccomp:
        yield f"hardware profile {hardware.profile.name}: another system-call profile was in force"
