"""Runs the driver as a plain process beside the runner, for a first look without an engine."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from runner.adapters.containers import progress_of
from runner.ports import Ending, Task

_STOP_SECONDS = 10


class ProcessRig:
    """Starts the driver in the project's own environment."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @contextmanager
    def drive(self, task: Task, plan: bytes, to: Path) -> Iterator[ProcessDriving]:
        """See `runner.ports.Rig`."""
        to.mkdir(parents=True, exist_ok=True)
        # Engine and UI say `python3` and mean the one that has what they import: this one.
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
        environment = {**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, "-m", task.value, "--out", str(to.absolute())]
        with tempfile.TemporaryFile() as talk:
            process = subprocess.Popen(
                command,
                cwd=self._root,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=talk,
                start_new_session=True,
            )
            driving = ProcessDriving(process, talk)
            try:
                driving.send(plan)
                yield driving
            finally:
                driving.stop()


class ProcessDriving:
    """A drive in a plain process; its standard input is the lifeline."""

    def __init__(self, process: subprocess.Popen[bytes], talk: IO[bytes]) -> None:
        self._process = process
        self._talk = talk

    def send(self, plan: bytes) -> None:
        """Hand the plan over; the lifeline stays open."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.write(plan)
            self._process.stdin.flush()

    def progress(self) -> Iterator[tuple[str, int, int]]:
        """See `runner.ports.Driving`."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            yield from progress_of([line])

    def ending(self) -> Ending:
        """See `runner.ports.Driving`."""
        status = self._process.wait()
        self._talk.seek(0)
        return Ending(status, self._talk.read().decode(errors="replace").strip(), None)

    def stop(self) -> None:
        """Cut the lifeline; end the process where that does not."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
