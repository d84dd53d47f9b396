"""Runs the driver of this checkout in a container of the pinned hardware, on the toy system."""

import io
import json
import tarfile
from pathlib import Path

import docker

from tests.hostile import toy

ROOT = Path(__file__).parents[2]
HARDWARE = ROOT / "manifests" / "hardware" / "two-core-v1.json"
PACKAGES = ("", "driver", "terminal", "provenance")
LABEL = "mambomeme-test"


def driver_files():
    """The driver layer of this checkout, by path below /opt/driver."""
    for package in PACKAGES:
        for source in (ROOT / "runner" / package).glob("*.py"):
            yield str(source.relative_to(ROOT)), source


def tar_of(files):
    """A tar of (path, file) pairs, all owned by root and readable by everybody."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path, source in files:
            member = tarfile.TarInfo(path)
            member.size, member.mode = source.stat().st_size, 0o644
            with source.open("rb") as content:
                archive.addfile(member, content)
    return buffer.getvalue()


class ContainerDrive:
    """One drive in a container."""

    def __init__(self, client, image, base, plan):
        self.base, self.line = base, json.dumps(plan).encode()
        self._container = client.containers.create(image, **options())
        # The root is read-only: each folder is a volume, filled on its own.
        self._container.put_archive("/opt/driver", tar_of(driver_files()))
        for name in ("system", "corpus"):
            self._container.put_archive(f"/opt/{name}", tar_of((path.name, path) for path in (base / name).iterdir()))
        self._lifeline = self._container.attach_socket(params={"stdin": 1, "stream": 1})
        self._socket = self._lifeline._sock
        self._container.start()
        self._socket.sendall(self.line + b"\n")

    def cut(self):
        """Close the lifeline."""
        self._lifeline._response.close()
        self._socket.close()

    def kill(self, name):
        """Send a signal to the driver."""
        self._container.kill(name)

    def wait_for(self, words):
        """Follow the driver's output until `words` stand in it."""
        stream, seen = self._container.logs(stream=True, follow=True, stdout=True, stderr=False), b""
        while words not in seen:
            seen += next(stream)
        stream._response.close()

    def finish(self):
        """Wait for the end: status, and what was said on standard error."""
        status = self._container.wait(timeout=120)["StatusCode"]
        return status, self._container.logs(stdout=False, stderr=True).decode()

    def fetch(self, to):
        """Take the evidence out."""
        stream, _ = self._container.get_archive("/out")
        with tarfile.open(fileobj=io.BytesIO(b"".join(stream))) as archive:
            archive.extraction_filter = lambda member, _to: member
            archive.extractall(to)
        return to / "out"

    def remove(self):
        """Remove container and volumes."""
        self.cut()
        self._container.remove(v=True, force=True)


def options():
    """What the hardware profile gives a container."""
    profile = json.loads(HARDWARE.read_text())
    return {
        "command": ["--out", "/out"],
        "stdin_open": True,
        "read_only": profile["read_only"],
        "network_mode": profile["network"],
        "cap_drop": ["ALL"],
        "cap_add": profile["capabilities"],
        "security_opt": ["no-new-privileges", f"seccomp={(ROOT / profile['seccomp']['path']).read_text()}"],
        "cpuset_cpus": profile["cpuset"],
        "mem_limit": profile["memory_bytes"],
        "memswap_limit": profile["memory_swap_bytes"],
        "pids_limit": profile["pids_limit"],
        "ulimits": [docker.types.Ulimit(name="nofile", soft=profile["nofile"], hard=profile["nofile"])],
        "sysctls": profile["sysctls"],
        "tmpfs": profile["tmpfs"],
        "volumes": ["/out", "/opt/driver", "/opt/system", "/opt/corpus"],
        "labels": {LABEL: "1"},
    }


def plan(**changes):
    """A plan for inside the container."""
    made = toy.plan("/opt", isolation="users", **changes)
    return made | {"paths": {"system": "/opt/system", "corpus": "/opt/corpus", "run": "/run"}}
