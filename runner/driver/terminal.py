"""A program on an 80x24 terminal of its own: what goes in and comes out is stamped here and nowhere else."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import Protocol

from runner.driver.log import RawLog
from runner.driver.loop import TERMINAL, Loop
from runner.driver.markers import Marker, Scanner
from runner.driver.processes import Account, kill_all
from runner.driver.screen import Screen
from runner.terminal.profile import Profile, answer

_CHUNK = 65_536
_SECOND = 1_000_000_000


class Child(Protocol):
    """A program on a terminal; `child_fd` is our end of that, which must not block."""

    pid: int
    child_fd: int
    exitstatus: int | None
    signalstatus: int | None

    def isalive(self) -> bool:
        """Whether it lives; once it does not, how it ended is known."""
        ...

    def close(self, force: bool) -> None:  # noqa: FBT001 - as pexpect has it
        """Give everything back."""
        ...


class Terminal:
    """Talks to `child`, process `number` of its role, which runs as `account`; answers it as `profile` does. `close` it
    in the end."""

    def __init__(
        self, loop: Loop, log: RawLog, child: Child, account: Account, number: int, profile: Profile = Profile.FULL
    ) -> None:
        self._loop, self._log, self._account, self._number = loop, log, account, number
        self._profile = profile
        self._scanner = Scanner()
        self.screen = Screen()
        self._child = child
        self.pid: int = self._child.pid
        self._fd: int = self._child.child_fd
        self._life = os.pidfd_open(self.pid)
        self.marker: Marker | None = None
        self.done: tuple[int, Marker] | None = None
        self._awaited = 0
        self.last_read = self.key = 0
        self.gone = False
        log.add("spawn", role="ui", process=number, pid=self.pid)
        loop.watch(self._fd, self._read, TERMINAL)
        loop.watch(self._life, self._end)

    def write(self, what: str, data: bytes) -> int:
        """Write `data` at once and give the stamp taken before it. What a full input queue does not take is lost."""
        stamp = time.monotonic_ns()
        self.key = stamp
        self._log.add("in", stamp, what=what, b64=data)
        with suppress(BlockingIOError, OSError):
            os.write(self._fd, data)
        return stamp

    @property
    def ended(self) -> bool:
        """Whether the process itself has ended (a program may close its terminal and live on)."""
        return self._life < 0

    def typing(self, submit: int) -> bool:
        """Whether the latest frame is a typing frame that carries this number."""
        return self.marker is not None and (self.marker.submit, self.marker.state) == (submit, "typing")

    def await_done(self, submit: int) -> None:
        """From now on keep the first done frame of this submit, with the stamp of its read, as `done`."""
        self.done, self._awaited = None, submit

    def kill(self) -> None:
        """End the program and all that it started, and wait for its end."""
        kill_all(self._account, self.pid)
        self._loop.until(lambda: self.ended, time.monotonic_ns() + 2 * _SECOND)

    def close(self) -> None:
        """Kill what lives and give everything back."""
        if not self.ended:
            self.kill()
        self._loop.forget(self._fd)
        self._child.close(force=True)
        self.screen.close()

    def _read(self, _mask: int) -> None:
        try:
            chunk = os.read(self._fd, _CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        stamp = time.monotonic_ns()
        if not chunk:
            self._loop.forget(self._fd)
            self.gone = True
            return
        self.last_read = stamp
        self._log.add("out", stamp, b64=chunk)
        self._take(chunk, stamp)

    def _take(self, chunk: bytes, stamp: int) -> None:
        queued = 0
        for found in self._scanner.feed(chunk):
            if isinstance(found, Marker):
                self._mark(found, stamp)
                continue
            self.screen.queue(chunk[queued : found.end])
            queued = found.end
            reply = answer(found.sequence, self.screen, self._profile)
            if reply is not None:
                self.write("answer", reply)
        self.screen.queue(chunk[queued:])

    def _mark(self, marker: Marker, stamp: int) -> None:
        self.marker = marker
        if self.done is None and (marker.submit, marker.state) == (self._awaited, "done"):
            self.done = stamp, marker

    def _end(self, _mask: int) -> None:
        """The program has ended: read what it left, then say how it ended."""
        while not self.gone:
            before = self._log.weight
            self._read(0)
            if self._log.weight == before:
                break
        self.gone = True
        self._loop.forget(self._life)
        os.close(self._life)
        self._life = -1
        self._child.isalive()
        self._log.add(
            "exit", role="ui", process=self._number, status=self._child.exitstatus, signal=self._child.signalstatus
        )
