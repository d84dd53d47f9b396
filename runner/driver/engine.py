"""The engine process: started, reached and ended."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress

from runner.driver.log import RawLog
from runner.driver.loop import Loop
from runner.driver.processes import Account, Command, acting_as, kill_all, start_plain

START_SECONDS = 60
QUIT_SECONDS = 2
KEPT_WORDS = 16_384
_SECOND = 1_000_000_000


class EngineError(Exception):
    """The engine did not come up; the message is one line for people."""


class Engine:
    """Runs `command`, listening on `path`; `starts` counts its processes so far."""

    def __init__(self, loop: Loop, log: RawLog, command: Command, account: Account, path: str) -> None:
        self._loop, self._log, self._command, self._account = loop, log, command, account
        self.starts = 0
        self.path = path
        self.words = b""
        self.gone = True

    @property
    def pid(self) -> int | None:
        """The process id of the running engine."""
        return None if self.gone else self._process.pid

    def start(self) -> None:
        """Start the engine and wait until it accepts a connection; EngineError if it does not come."""
        self.unlink()
        try:
            self._process = start_plain(self._command, self._account)
        except OSError as error:
            raise EngineError(f"The engine cannot be started: {error}.") from None
        self.gone = False
        self.starts += 1
        self._log.add("spawn", role="engine", process=self.starts, pid=self._process.pid)
        assert self._process.stderr is not None
        self._stderr = self._process.stderr.fileno()
        self._life = os.pidfd_open(self._process.pid)
        self._loop.watch(self._stderr, self._listen)
        self._loop.watch(self._life, self._end)
        self._wait_until_it_accepts()
        self._log.add("ready", role="engine", process=self.starts)

    def connect(self) -> socket.socket:
        """A new connection to the engine; OSError where it accepts none at once."""
        opened = socket.socket(socket.AF_UNIX)
        opened.setblocking(False)
        try:
            with acting_as(self._account):
                opened.connect(self.path)
        except OSError:
            opened.close()
            raise
        return opened

    def unlink(self) -> None:
        """Remove the socket of an engine that has ended."""
        with acting_as(self._account), suppress(OSError):
            os.unlink(self.path)

    def quit(self) -> None:
        """Ask the engine to end, before it is made to."""
        if not self.gone:
            self._process.terminate()
            self._loop.until(lambda: self.gone, time.monotonic_ns() + QUIT_SECONDS * _SECOND)
        self.kill()

    def kill(self) -> None:
        """End the engine and all that it started."""
        if not self.gone:
            kill_all(self._account, self._process.pid)
            self._loop.until(lambda: self.gone, time.monotonic_ns() + 2 * _SECOND)

    def _wait_until_it_accepts(self) -> None:
        deadline = time.monotonic_ns() + START_SECONDS * _SECOND
        while time.monotonic_ns() < deadline and not self.gone:
            try:
                self.connect().close()
            except OSError:
                self._loop.pause(5, lambda: self.gone)
            else:
                return
        how = "ended at its start" if self.gone else f"accepted no connection within {START_SECONDS} s"
        raise EngineError(f"The engine {how}. {self.last_words()}".rstrip())

    def last_words(self) -> str:
        """The last line it wrote to standard error."""
        lines = self.words.decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def _listen(self, _mask: int) -> None:
        data = os.read(self._stderr, 65_536)
        self.words = (self.words + data)[-KEPT_WORDS:]
        if not data:
            self._loop.forget(self._stderr)

    def _end(self, _mask: int) -> None:
        self._loop.forget(self._life)
        os.close(self._life)
        status = self._process.wait()
        self._drop_stderr()
        self.gone = True
        self._log.add(
            "exit",
            role="engine",
            process=self.starts,
            status=status if status >= 0 else None,
            signal=-status if status < 0 else None,
        )

    def _drop_stderr(self) -> None:
        """Read the last words without waiting for a descendant that holds the pipe open."""
        os.set_blocking(self._stderr, False)
        with suppress(BlockingIOError):
            self.words = (self.words + os.read(self._stderr, 65_536))[-KEPT_WORDS:]
        self._loop.forget(self._stderr)
        assert self._process.stderr is not None
        self._process.stderr.close()
