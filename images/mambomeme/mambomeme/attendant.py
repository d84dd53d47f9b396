"""Keeps one engine running for a person: starts it, starts it again when it ends, and stops it at last."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from .faults import StartError

START_SECONDS = 60
LONGEST_REST_SECONDS = 30.0
_CALM_SECONDS = 10.0
_STEP_SECONDS = 0.02
_PR_SET_PDEATHSIG = 1


class Attendant:
    """One process of `module` at a time, in `folder`, that listens at `path`."""

    def __init__(
        self, environment: Mapping[str, str], folder: Path, path: Path, module: str = "mambomeme.engine"
    ) -> None:
        self._path, self._folder, self._module = path, folder, module
        self._words = path.with_suffix(".log")
        self._environment = {"HOME": str(path.parent), **environment, "MAMBO_ENGINE_SOCKET": str(path)}
        self._rest = 0.0
        self._engine = self._start()

    def wait(self) -> None:
        """Returns when the engine listens; StartError, with its last words, where it ends or takes too long."""
        for _ in range(int(START_SECONDS / _STEP_SECONDS)):
            if self._answers():
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._engine.wait(_STEP_SECONDS)
                last = (self._words.read_text(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
                raise StartError(f"the engine did not start: {last}")
        raise StartError(f"the engine did not start within {START_SECONDS} s.")

    def tend(self) -> float:
        """Starts an engine that has ended again, at once or, if it did not last, after a rest that grows.

        The seconds until there is something to do again.
        """
        if self._engine.poll() is None:
            return float("inf")
        lasted = time.monotonic() - self._started
        if lasted >= _CALM_SECONDS:
            self._rest = 0.0
        if lasted < self._rest:
            return self._rest - lasted
        self._rest = min(max(2 * self._rest, 1.0), LONGEST_REST_SECONDS)
        try:
            self._engine = self._start()
        except OSError:
            return self._rest
        return float("inf")

    def stop(self) -> None:
        """Ends the engine."""
        self._engine.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._engine.wait(2)
        self._engine.kill()
        self._engine.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        self._started = time.monotonic()
        with self._words.open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", self._module],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=_be_a_good_child,  # noqa: PLW1509 - there are no threads here
            )

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(str(self._path)) == 0


def _be_a_good_child() -> None:
    """Ends with its parent, and can be told to end whatever its parent has blocked."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
