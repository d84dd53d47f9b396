"""The engine asked directly, without UI (D16)."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Sequence

from runner.driver.log import RawLog
from runner.driver.loop import Loop
from runner.driver.plan import Query

LONGEST_LINE = 65_536
_MS = 1_000_000


class EngineClient:
    """A connection to the engine that keeps what it asks and gets; reconnects after a reply that did not come."""

    def __init__(self, loop: Loop, log: RawLog, connect: Callable[[], socket.socket], time_limit_ms: int) -> None:
        self._loop, self._log, self._connect, self._limit = loop, log, connect, time_limit_ms * _MS
        self._socket: socket.socket | None = None
        self._received = b""
        self._lost = False
        self._stamp = 0
        self._id = 0

    def hello(self) -> bytes:
        """Greet the engine; its reply, empty where none came."""
        return self._exchange("", {"op": "hello", "protocol": "search-v1"})

    def search(self, query: Query) -> bytes:
        """Ask for the ten best; the reply, empty where none came."""
        if self._socket is None:
            self.hello()
        return self._exchange(query.query_id, {"op": "search", "text": query.text, "limit": 10})

    def close(self) -> None:
        """Hang up."""
        if self._socket is not None:
            self._loop.forget(self._socket.fileno())
            self._socket.close()
            self._socket = None

    def _exchange(self, query_id: str, request: dict[str, object]) -> bytes:
        self._id += 1
        operation = request.pop("op")
        line = json.dumps({"op": operation, "id": self._id, **request}, ensure_ascii=False).encode() + b"\n"
        asked = time.monotonic_ns()
        self._log.add("ask", asked, query_id=query_id, b64=line)
        reply = self._answer_to(line, asked + self._limit)
        took = (self._stamp if reply else time.monotonic_ns()) - asked
        self._log.add("reply", query_id=query_id, b64=reply, ns=took)
        self._log.flush()
        return reply

    def _answer_to(self, line: bytes, deadline: int) -> bytes:
        try:
            self._open().sendall(line)
        except OSError:
            self.close()
            return b""
        self._loop.until(lambda: self._lost or b"\n" in self._received, deadline)
        reply, newline, self._received = self._received.partition(b"\n")
        if not newline:
            self.close()
            return b""
        return reply + newline

    def _open(self) -> socket.socket:
        if self._socket is None:
            self._received, self._lost = b"", False
            self._socket = self._connect()
            self._loop.watch(self._socket.fileno(), self._read)
        return self._socket

    def _read(self, _mask: int) -> None:
        assert self._socket is not None
        try:
            data = self._socket.recv(LONGEST_LINE)
        except OSError:
            data = b""
        self._stamp = time.monotonic_ns()
        self._received += data
        if not data or len(self._received) > LONGEST_LINE:
            self._lost = True
            self._loop.forget(self._socket.fileno())


def ask_all(client: EngineClient, queries: Sequence[Query], report: Callable[[int], None]) -> int:
    """Send every query; stops after three in a row without a reply. How many were asked."""
    silent = 0
    for done, query in enumerate(queries, 1):
        silent = 0 if client.search(query) else silent + 1
        report(done)
        if silent == 3:
            return done
    return len(queries)
