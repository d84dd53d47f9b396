"""Runs the image of this checkout in a container of the pinned hardware, on the toy system."""

import io
import json
import tarfile
from pathlib import Path

from runner.adapters.containers import hardware_options
from runner.provenance.manifest import HardwareProfile
from tests.hostile import toy

ROOT = Path(__file__).parents[2]
HARDWARE = ROOT / "manifests" / "hardware" / "two-core-v1.json"
PROFILE = HardwareProfile.parse(HARDWARE.read_bytes(), HARDWARE.name)
SECCOMP = (ROOT / PROFILE.seccomp.path).read_text()
LABEL = "mambomeme-test"


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

    def __init__(self, client, image, base, plan, module="runner.driver"):
        self.base, self.line = base, json.dumps(plan).encode()
        self._container = client.containers.create(
            image,
            entrypoint=["python3", "-m", module],
            command=["--out", "/out"],
            stdin_open=True,
            # The root is read-only: each folder of the toy system is a volume, filled on its own.
            volumes=["/out", "/opt/system", "/opt/corpus"],
            labels={LABEL: "1"},
            **hardware_options(PROFILE, SECCOMP),
        )
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


def plan(**changes):
    """A plan for inside the container."""
    made = toy.plan("/opt", isolation="users", **changes)
    return made | {"paths": {"system": "/opt/system", "corpus": "/opt/corpus", "models": "/opt/models", "run": "/run"}}
