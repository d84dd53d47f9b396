"""Runs the driver in a container whose evidence lies in memory that dies with it, and goes from there to whoever asked.

The engine forgets a volume in memory when the last container that mounts it ends. A second, idle container holds it
until the evidence was fetched; its standard input is a lifeline as the driver's is, so that both end with the runner.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import docker
from docker.errors import APIError, NotFound
from docker.types import DriverConfig, LogConfig, Mount

from runner.adapters.bundles import below
from runner.adapters.containers import (
    LABEL,
    PRIVATE,
    engine_of,
    facts_of,
    hardware_options,
    owner,
    progress_of,
    stop_container,
)
from runner.adapters.engine import engine_answers
from runner.adapters.signals import uninterrupted
from runner.ports import Ending, Task
from runner.provenance.manifest import HardwareProfile

Take = Callable[[Path, str, bytes], None]

_MEMORY = {"type": "tmpfs", "device": "tmpfs", "o": "size=1g,mode=0700"}
_WAIT = "import sys; sys.stdin.read()"
_OUT = "/out"


class PrivateContainerRig:
    """Starts one container for each drive and removes it whatever happens; `take` gets its evidence, file by file."""

    def __init__(
        self, client: docker.DockerClient, image: str, hardware: HardwareProfile, *, seccomp: str, take: Take
    ) -> None:
        self._client = client
        self._image = image
        self._options = hardware_options(hardware, seccomp)
        self._take = take

    @contextmanager
    def drive(self, task: Task, plan: bytes, to: Path) -> Iterator[PrivateDriving]:
        """See `runner.ports.Rig`."""
        with engine_answers(), ExitStack() as ending:
            with uninterrupted():
                labels = _labels(to.resolve().parents[1])
                holder = self._hold(labels, ending)
                container = self._create(task, labels, holder)
                ending.callback(self._finish, container, holder, to)
            driving = PrivateDriving(container, engine_of(self._client))
            driving.send(plan)
            yield driving

    def _hold(self, labels: dict[str, str], ending: ExitStack) -> Any:
        """The idle container that holds the volume, running."""
        holder = self._client.containers.create(
            self._image,
            entrypoint=["python3", "-c", _WAIT],
            stdin_open=True,
            network_mode="none",
            read_only=True,
            cap_drop=["ALL"],
            labels=labels,
            mounts=[Mount(_OUT, None, type="volume", driver_config=DriverConfig("local", _MEMORY))],
            log_config=LogConfig(type=LogConfig.types.NONE),
        )
        ending.callback(_remove, holder)
        ending.callback(_lifeline(holder).close)
        holder.start()
        return holder

    def _create(self, task: Task, labels: dict[str, str], holder: Any) -> Any:
        return self._client.containers.create(
            self._image,
            entrypoint=["python3", "-m", task.value],
            command=["--out", _OUT],
            stdin_open=True,
            volumes_from=[holder.id],
            labels=labels,
            log_config=LogConfig(type=LogConfig.types.NONE),
            **self._options,
        )

    def _finish(self, container: Any, holder: Any, to: Path) -> None:
        """Stop the driver, take its evidence out of the memory that the holder keeps, remove its container."""
        with suppress(NotFound), uninterrupted():
            stop_container(container)
            for name, data in _evidence(holder).items():
                self._take(to, name, data)
            container.remove(force=True)


class PrivateDriving:
    """A drive in a container of which the engine keeps no words; its standard input is the lifeline."""

    def __init__(self, container: Any, engine: Mapping[str, str]) -> None:
        self._container = container
        self._engine = engine
        self._lifeline = _lifeline(container)
        # Before the start, so that no word is lost.
        self._words = container.attach(stdout=True, stderr=True, stream=True, logs=False, demux=True)
        self._talk = b""
        container.start()

    def send(self, plan: bytes) -> None:
        """Hand the plan over; the lifeline stays open."""
        self._lifeline.sendall(plan)

    def progress(self) -> Iterator[tuple[str, int, int]]:
        """See `runner.ports.Driving`."""
        buffer = b""
        for out, err in self._words:
            self._talk += err or b""
            *lines, buffer = (buffer + (out or b"")).split(b"\n")
            yield from progress_of(lines)

    def ending(self) -> Ending:
        """See `runner.ports.Driving`."""
        status = int(self._container.wait()["StatusCode"])
        self._lifeline.close()
        self._container.reload()
        talk = self._talk.decode(errors="replace").strip()
        return Ending(status, talk, facts_of(self._container.attrs, self._engine))


class _Socket:
    """Both halves of what the client gives for a stream: closing the one alone leaves it open."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._socket: socket.socket = getattr(stream, "_sock", stream)

    def sendall(self, data: bytes) -> None:
        self._socket.sendall(data)

    def close(self) -> None:
        self._stream.close()
        self._socket.close()


def _lifeline(container: Any) -> _Socket:
    return _Socket(container.attach_socket(params={"stdin": 1, "stream": 1}))


def _labels(result: Path) -> dict[str, str]:
    about = owner() | {"result": str(result)}
    name = result.name.partition(".")[0]
    return {LABEL: name, PRIVATE: "yes", **{f"{LABEL}.{key}": value for key, value in about.items()}}


def _remove(holder: Any) -> None:
    with suppress(NotFound), uninterrupted():
        holder.remove(v=True, force=True)


def _evidence(holder: Any) -> dict[str, bytes]:
    """The files in the volume, while it is held."""
    try:
        stream, _ = holder.get_archive(_OUT)
    except APIError:
        return {}
    return below(b"".join(stream))
