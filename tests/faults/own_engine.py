"""A Docker engine of the tests' own, which they may kill."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import docker

PATIENCE = 60
#: It makes no networks and no rules for packets: those are the machine's, and no container here has one.
APART = ("--bridge=none", "--iptables=false", "--ip-forward=false")


class OwnEngine:
    """A `dockerd` with a place, a socket and a containerd of its own."""

    def __init__(self):
        self.place = Path(tempfile.mkdtemp(prefix="mambo-engine-"))
        self.address = f"unix://{self.place}/socket"

    def __enter__(self):
        self.start()
        self.client = docker.DockerClient(self.address, timeout=120)
        return self

    def __exit__(self, *_):
        for container in self.client.containers.list(all=True, ignore_removed=True):
            container.remove(force=True, v=True)
        self.client.close()
        self.end(signal.SIGTERM)
        # One that was killed has not unmounted its place.
        mounted = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        for place in reversed([place for place in mounted if place.startswith(f"{self.place}/")]):
            subprocess.run(["umount", place], check=True)
        shutil.rmtree(self.place)

    @property
    def pid(self):
        """The daemon."""
        return self._daemon.pid

    def start(self):
        """Start the daemon, and wait until it answers."""
        # It would wait for whatever process has the number in a left-over file.
        for left in (self.place / "pid", self.place / "exec/containerd/containerd.pid"):
            left.unlink(missing_ok=True)
        places = [f"--data-root={self.place}/data", f"--exec-root={self.place}/exec", f"--pidfile={self.place}/pid"]
        with (self.place / "log").open("ab") as talk:
            command = ["dockerd", *places, *APART, f"--host={self.address}"]
            self._daemon = subprocess.Popen(command, stdout=talk, stderr=talk, start_new_session=True)
        until = time.monotonic() + PATIENCE
        while not self._answers():
            assert self._daemon.poll() is None, (self.place / "log").read_text()[-2000:]
            assert time.monotonic() < until, "dockerd did not come up"
            time.sleep(0.05)

    def waits_for(self, words):
        """Wait until something runs, and has said `words`; its container."""
        since = int(time.time()) - 1
        starts = self.client.events(since=since, filters={"event": "start"}, decode=True)
        container = self.client.containers.get(next(starts)["id"])
        said = container.logs(stream=True, follow=True)
        next(data for data in said if words in data)
        for stream in (starts, said):
            stream.close()
        return container

    def end(self, number):
        """Send the daemon a signal, and wait for its end."""
        os.kill(self.pid, number)
        self._daemon.wait(PATIENCE)

    def _answers(self):
        """Whether it listens, which it does once it is ready."""
        with socket.socket(socket.AF_UNIX) as caller, contextlib.suppress(OSError):
            caller.connect(self.address.removeprefix("unix://"))
            return True
        return False
