"""Connections to an engine: what is sent and what comes is kept, byte for byte."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import suppress

from runner.driver.log import RawLog
from runner.driver.loop import Loop

#: More than any reply may be; what comes beyond it on one connection is not read.
MOST_BYTES = 4 << 16
_MS = 1_000_000
#: How long an engine may take to hang up after its client has.
_FAREWELL_MS = 100


class Wire:
    """One connection to the engine, numbered `conn`."""

    def __init__(self, loop: Loop, log: RawLog, end: socket.socket, conn: int) -> None:
        self._loop, self._log, self._end, self._conn = loop, log, end, conn
        self._received, self._awaited = b"", 0
        #: `shut`: nothing comes any more; `lost`: and that was the engine's wish alone.
        self.shut = self.lost = self._ended = False
        self._end.setblocking(False)
        loop.watch(end.fileno(), self._read)

    @property
    def lines(self) -> list[bytes]:
        """The whole lines that have come."""
        return self._received.split(b"\n")[:-1]

    def send(self, data: bytes, limit_ms: int) -> None:
        """Send all of `data`, or what the engine takes within the limit."""
        self._log.add("sent", conn=self._conn, b64=data)
        deadline = time.monotonic_ns() + limit_ms * _MS
        while data and not self.shut and time.monotonic_ns() < deadline:
            try:
                data = data[self._end.send(data) :]
            except BlockingIOError:
                self._loop.pause(1, lambda: self.shut)
            except OSError:
                return

    def wait(self, lines: int, limit_ms: int) -> bool:
        """Wait until `lines` more have come than were waited for before; whether they did."""
        self._awaited += lines
        deadline = time.monotonic_ns() + limit_ms * _MS
        came = self._loop.until(lambda: len(self.lines) >= self._awaited or self.shut, deadline)
        if len(self.lines) < self._awaited:
            self._awaited = len(self.lines)
            if not came:
                self._log.add("silent", conn=self._conn)
        return came

    def end(self) -> None:
        """Say that nothing more will be sent."""
        self._ended = True
        with suppress(OSError):
            self._end.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Hang up, read or not."""
        if not self.shut:
            self._loop.forget(self._end.fileno())
        self._end.close()
        self.shut = True

    def farewell(self) -> None:
        """Take what the engine still has to say, then hang up."""
        self.end()
        self._loop.until(lambda: self.shut, time.monotonic_ns() + _FAREWELL_MS * _MS)
        self.close()

    def _read(self, _mask: int) -> None:
        try:
            data = self._end.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._received += data
            self._log.add("came", conn=self._conn, b64=data)
        if not data or len(self._received) > MOST_BYTES:
            self._log.add("shut", conn=self._conn)
            self._loop.forget(self._end.fileno())
            self.shut, self.lost = True, not self._ended


class Switchboard:
    """Opens connections of one engine, by name; numbers go on over all of them."""

    def __init__(self, loop: Loop, log: RawLog, connect: Callable[[], socket.socket]) -> None:
        self._loop, self._log, self._connect = loop, log, connect
        self._count = 0

    def dial(self, name: str) -> Wire | None:
        """A new connection; null where the engine takes none."""
        self._count += 1
        try:
            end = self._connect()
        except OSError:
            self._log.add("dial", conn=self._count, name=name, ok=False)
            return None
        self._log.add("dial", conn=self._count, name=name, ok=True)
        return Wire(self._loop, self._log, end, self._count)
