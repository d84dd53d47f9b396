"""Runs the driver in a container of fixed hardware: plan in by standard input, evidence out of a volume."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import docker
from docker.errors import APIError, NotFound

from runner.adapters.bundles import below
from runner.adapters.engine import engine_answers
from runner.adapters.signals import uninterrupted
from runner.adapters.store import UNFINISHED, replace
from runner.documents import digest
from runner.ports import Ending, Task
from runner.provenance.environment import ContainerFacts, Offered
from runner.provenance.manifest import HardwareProfile

LABEL = "mambomeme"
#: Marks a container whose evidence is in memory alone, for nobody but its runner.
PRIVATE = f"{LABEL}.private"
_STOP_SECONDS = 10
#: What an engine calls the limits that it can set.
_LIMITS = {"memory limit": "MemoryLimit", "swap limit": "SwapLimit", "process limit": "PidsLimit", "cpuset": "CPUSet"}


class ContainerRig:
    """Starts one container for each drive and removes it whatever happens."""

    def __init__(self, client: docker.DockerClient, image: str, hardware: HardwareProfile, seccomp: str, run_id: str):
        self._client = client
        self._image = image
        self._hardware = hardware
        self._seccomp = seccomp
        self._run_id = run_id

    @contextmanager
    def drive(self, task: Task, plan: bytes, to: Path) -> Iterator[ContainerDriving]:
        """See `runner.ports.Rig`."""
        with engine_answers(), ExitStack() as ending:
            with uninterrupted():
                container = self._create(task, to.resolve().parents[1])
                ending.callback(_finish, container, to)
            lifeline = container.attach_socket(params={"stdin": 1, "stream": 1})
            container.start()
            driving = ContainerDriving(container, lifeline, engine_of(self._client))
            driving.send(plan)
            yield driving

    def _create(self, task: Task, result: Path) -> Any:
        about = owner() | {"result": str(result)}
        labels = {LABEL: self._run_id, **{f"{LABEL}.{key}": value for key, value in about.items()}}
        return self._client.containers.create(
            self._image,
            entrypoint=["python3", "-m", task.value],
            command=["--out", "/out"],
            stdin_open=True,
            volumes=["/out"],
            labels=labels,
            **hardware_options(self._hardware, self._seccomp),
        )


def hardware_options(hardware: HardwareProfile, seccomp: str) -> dict[str, Any]:
    """The fixed hardware in the words of the engine's client."""
    security = [f"seccomp={seccomp}"] + ["no-new-privileges"] * hardware.no_new_privileges
    return {
        "read_only": hardware.read_only,
        "network_mode": hardware.network,
        "cap_drop": ["ALL"],
        "cap_add": list(hardware.capabilities),
        "security_opt": security,
        "cpuset_cpus": hardware.cpuset,
        "mem_limit": hardware.memory_bytes,
        "memswap_limit": hardware.memory_swap_bytes,
        "pids_limit": hardware.pids_limit,
        "ulimits": [docker.types.Ulimit(name="nofile", soft=hardware.nofile, hard=hardware.nofile)],
        "sysctls": dict(hardware.sysctls),
        "tmpfs": dict(hardware.tmpfs),
    }


class ContainerDriving:
    """A drive in a container; its standard input is the lifeline."""

    def __init__(self, container: Any, lifeline: Any, engine: Mapping[str, str]) -> None:
        self._container = container
        self._engine = engine
        self._lifeline: socket.socket = getattr(lifeline, "_sock", lifeline)

    def send(self, plan: bytes) -> None:
        """Hand the plan over; the lifeline stays open."""
        self._lifeline.sendall(plan)

    def progress(self) -> Iterator[tuple[str, int, int]]:
        """See `runner.ports.Driving`."""
        buffer = b""
        for chunk in self._container.logs(stream=True, follow=True, stdout=True, stderr=False):
            *lines, buffer = (buffer + chunk).split(b"\n")
            yield from progress_of(lines)

    def ending(self) -> Ending:
        """See `runner.ports.Driving`."""
        status = int(self._container.wait()["StatusCode"])
        self._lifeline.close()
        self._container.reload()
        talk: bytes = self._container.logs(stdout=False, stderr=True)
        return Ending(status, talk.decode(errors="replace").strip(), facts_of(self._container.attrs, self._engine))


def engine_of(client: docker.DockerClient) -> dict[str, str]:
    """The versions of an engine and of its parts, by name."""
    return {part["Name"]: part["Version"] for part in client.version()["Components"]}


def offered(client: docker.DockerClient) -> Offered:
    """What an engine can give to containers."""
    with engine_answers():
        found = client.info()
    limits = {name: bool(found.get(key)) for name, key in _LIMITS.items()}
    seccomp = any(option.startswith("name=seccomp") for option in found["SecurityOptions"] or ())
    limits["system-call profile"] = seccomp
    return Offered(found["Architecture"], found["NCPU"], found["MemTotal"], limits)


def facts_of(attributes: Mapping[str, Any], engine: Mapping[str, str]) -> ContainerFacts:
    """What a container was given, from the engine's description of it."""
    given = attributes["HostConfig"]
    security = dict(option.partition("=")[::2] for option in given["SecurityOpt"] or ())
    limits = {limit["Name"]: limit["Hard"] for limit in given["Ulimits"] or ()}
    return ContainerFacts(
        image=attributes["Image"],
        engine=dict(engine),
        runtime=given["Runtime"],
        cpuset=given["CpusetCpus"],
        memory_bytes=given["Memory"],
        memory_swap_bytes=given["MemorySwap"],
        pids_limit=given["PidsLimit"] or 0,
        nofile=limits.get("nofile", 0),
        capabilities=tuple(name.removeprefix("CAP_") for name in given["CapAdd"] or ()),
        no_new_privileges="no-new-privileges" in security,
        read_only=given["ReadonlyRootfs"],
        network=given["NetworkMode"],
        sysctls=given["Sysctls"] or {},
        tmpfs=given["Tmpfs"] or {},
        seccomp=digest(security["seccomp"].encode()) if "seccomp" in security else None,
    )


def progress_of(lines: list[bytes]) -> Iterator[tuple[str, int, int]]:
    """Progress reports among the driver's lines of output; anything else is passed over."""
    for line in lines:
        with suppress(ValueError, KeyError, TypeError):
            report = json.loads(line)
            yield str(report["phase"]), int(report["done"]), int(report["total"])


def owner() -> dict[str, str]:
    """This process, so that nobody takes its containers for abandoned ones: pid, boot id, start time."""
    return {"pid": str(os.getpid()), "boot": _boot_id(), "started": start_time(os.getpid())}


def owner_lives(labels: Mapping[str, str]) -> bool:
    """Whether the process that made a container still runs on this machine."""
    if labels.get(f"{LABEL}.boot") != _boot_id():
        return False
    pid = labels.get(f"{LABEL}.pid", "")
    return pid.isdigit() and start_time(int(pid)) == labels.get(f"{LABEL}.started")


def sweep(client: docker.DockerClient, to: Path) -> None:
    """Remove containers whose runner is gone, once their evidence is in their unfinished results.

    Those lie where their runner kept them; where that place is gone or not ours, in `to`.
    """
    with engine_answers():
        for container in client.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True):
            if owner_lives(container.labels):
                continue
            if PRIVATE in container.labels:
                _discard(container)
                continue
            _finish(container, _unfinished(container.labels, to) / f"swept-{container.short_id}")


def _unfinished(labels: Mapping[str, str], to: Path) -> Path:
    kept = Path(labels.get(f"{LABEL}.result", ""))
    ours = kept.suffix == UNFINISHED and kept.is_dir() and os.access(kept, os.W_OK)
    return kept if ours else to / f"{labels[LABEL]}{UNFINISHED}"


def _finish(container: Any, to: Path) -> None:
    """Stop a container, keep its evidence, remove it with its volume."""
    with suppress(NotFound), uninterrupted():
        stop_container(container)
        _take_evidence(container, to)
        container.remove(v=True, force=True)


def _discard(container: Any) -> None:
    """Remove a container, and its evidence with it."""
    with suppress(NotFound), uninterrupted():
        container.remove(v=True, force=True)


def stop_container(container: Any) -> None:
    """Have what runs in a container end, in its own time if it takes no longer than the limit."""
    container.reload()
    if container.status == "running":
        with suppress(APIError):
            container.stop(timeout=_STOP_SECONDS)


def _take_evidence(container: Any, to: Path) -> None:
    try:
        stream, _ = container.get_archive("/out")
    except APIError:
        return
    to.mkdir(parents=True, exist_ok=True)
    for name, data in below(b"".join(stream)).items():
        target = to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        replace(target, data)


def _boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def start_time(pid: int) -> str:
    """Kernel start ticks of a process (field 22 of its stat), or nothing where it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]
