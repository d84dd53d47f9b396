"""Runs the driver as a plain process whose evidence lies in memory: a file system that is gone when the process is."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from runner.adapters.bundles import below
from runner.adapters.process import ProcessDriving
from runner.errors import Unavailable
from runner.ports import Ending, Task

Take = Callable[[Path, str, bytes], None]

_STOP_SECONDS = 10
_NO_PLACE = 69
#: In a mount namespace of its own: memory over the scratch place, the driver in it, and its evidence into a pipe.
#: With standard output closed the runner sees that the driver has ended, and reads the pipe.
_SCRIPT = f"""
mount -t tmpfs -o mode=0700 tmpfs "$1" && mkdir -m 0700 "$1/out" || exit {_NO_PLACE}
"$2" -m "$3" --out "$1/out"
status=$?
exec 1>&-
tar -C "$1/out" -cf - . >&"$4"
exit $status
"""


class PrivateProcessRig:
    """Starts the driver in the project's own environment; `take` gets its evidence, file by file."""

    def __init__(self, root: Path, scratch: Path, take: Take) -> None:
        self._root = root
        self._scratch = scratch
        self._take = take

    @contextmanager
    def drive(self, task: Task, plan: bytes, to: Path) -> Iterator[PrivateDriving]:
        """See `runner.ports.Rig`."""
        read, write = os.pipe()
        with os.fdopen(os.memfd_create("talk"), "w+b") as talk:
            process = self._start(task, write, talk)
            os.close(write)
            driving = PrivateDriving(process, talk, read)
            try:
                driving.send(plan)
                yield driving
            finally:
                driving.stop()
                for name, data in driving.evidence().items():
                    self._take(to, name, data)

    def _start(self, task: Task, pipe: int, talk: IO[bytes]) -> subprocess.Popen[bytes]:
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
        environment = {**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"}
        rights = [] if os.geteuid() == 0 else ["--map-root-user"]
        words = [str(self._scratch.absolute()), sys.executable, task.value, str(pipe)]
        return subprocess.Popen(
            ["unshare", "--mount", *rights, "sh", "-c", _SCRIPT, "sh", *words],
            cwd=self._root,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=talk,
            pass_fds=(pipe,),
            start_new_session=True,
        )


class PrivateDriving(ProcessDriving):
    """A drive whose evidence comes by a pipe once it has ended."""

    def __init__(self, process: subprocess.Popen[bytes], talk: IO[bytes], pipe: int) -> None:
        super().__init__(process, talk)
        self._pipe = pipe
        self._archive = b""

    def ending(self) -> Ending:
        """See `runner.ports.Driving`."""
        self._drain(None)
        ending = super().ending()
        if ending.status == _NO_PLACE:
            raise Unavailable(
                "No file system in memory can be mounted for the driver, and a hidden run leaves nothing elsewhere.",
                advice="Allow `unshare --mount` to this user, or run it in a container: `./bench run official`.",
            )
        return ending

    def stop(self) -> None:
        """Cut the lifeline, and take what the driver leaves; end it where that does not."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        self._drain(time.monotonic() + _STOP_SECONDS)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def evidence(self) -> dict[str, bytes]:
        """The files that came."""
        return below(self._archive)

    def _drain(self, deadline: float | None) -> None:
        """Read the pipe to its end, or to the deadline."""
        if self._pipe < 0:
            return
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if not select.select([self._pipe], [], [], left)[0]:
                break
            data = os.read(self._pipe, 1 << 20)
            if not data:
                break
            self._archive += data
        os.close(self._pipe)
        self._pipe = -1
