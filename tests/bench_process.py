"""The engine as a process of its own, asked over its socket: how long it takes, and how much memory."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

MS = 1_000_000
_HELLO = {"op": "hello", "id": 1, "protocol": "search-v1"}
_TICKS = os.sysconf("SC_CLK_TCK")
_PATIENCE = 600


class Place(NamedTuple):
    """Where an engine's system, corpus and models are."""

    system: Path
    corpus: Path
    models: Path


class Times(NamedTuple):
    """Of many searches, in nanoseconds, sorted; `cpu` is the mean time that the engine's processor took."""

    wall: Sequence[int]
    cpu: float


class BenchedEngine:
    """An engine from its start to its end."""

    def __init__(self, place: Place, configuration: Mapping[str, Any], run: Path) -> None:
        self._path = run / "engine.sock"
        environment = os.environ | {
            "MAMBO_CORPUS": str(place.corpus),
            "MAMBO_MODELS": str(place.models),
            "MAMBO_CONFIGURATION": json.dumps(configuration),
            "MAMBO_ENGINE_SOCKET": str(self._path),
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }
        environment.pop("PYTHONPATH", None)
        self._started = time.perf_counter_ns()
        command = [sys.executable, "-B", "-m", "mambomeme.engine"]
        self._process = subprocess.Popen(command, cwd=place.system, env=environment)

    def __enter__(self) -> BenchedEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait()

    def first_answer(self) -> tuple[float, float]:
        """Seconds from the process's start to its first answer, and of its processor."""
        self._connect()
        self._ask(_HELLO)
        self.search("john cena")
        return (time.perf_counter_ns() - self._started) / 1e9, self._cpu()

    def search(self, text: str) -> dict[str, Any]:
        """One search."""
        return self._ask({"op": "search", "id": 2, "text": text, "limit": 10})

    def times(self, texts: Sequence[str], rounds: int) -> Times:
        """Each of `texts` so many times, after a round that does not count."""
        for text in texts:
            self.search(text)
        before, found = self._cpu(), []
        for text in [*texts] * rounds:
            started = time.perf_counter_ns()
            self.search(text)
            found.append(time.perf_counter_ns() - started)
        return Times(sorted(found), (self._cpu() - before) * 1e9 / len(found))

    def peak(self) -> float:
        """The most memory that it has held, in megabytes."""
        lines = Path(f"/proc/{self._process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmHWM"))

    def _connect(self) -> None:
        self._client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        deadline = time.monotonic() + _PATIENCE
        while self._client.connect_ex(str(self._path)):
            if self._process.poll() is not None:
                raise RuntimeError(f"the engine ended with status {self._process.returncode}")
            if time.monotonic() > deadline:
                raise RuntimeError(f"the engine does not listen after {_PATIENCE} s")
            time.sleep(0.005)
        self._lines = self._client.makefile("rb")

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        self._client.sendall(json.dumps(request).encode() + b"\n")
        reply = json.loads(self._lines.readline())
        assert reply["status"] == "ok", reply
        return dict(reply)

    def _cpu(self) -> float:
        """Seconds of processor that it has used."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS
