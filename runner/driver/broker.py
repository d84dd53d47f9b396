"""Stands between UI and engine: passes every byte on, and keeps it with the moment it was read."""

from __future__ import annotations

import json
import os
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from runner.driver.loop import READ, WRITE, Loop
from runner.driver.processes import Account, group_of

MOST_CONNECTIONS = 16
_CHUNK = 65_536
_LARGEST = (1 << 63) - 1
_CREDENTIALS = struct.Struct("3i")


class Keeper(Protocol):
    """Keeps what passes, as `RawLog.add` does."""

    def add(self, kind: str, t: int | None = None, /, **fields: Any) -> None:
        """Keep one event, stamped `t` or now."""
        ...


class Broker:
    """Owns the two sockets that the UI is given, in `folder`, which only the UI's group may enter."""

    def __init__(self, loop: Loop, log: Keeper, folder: str, ui: Account, engine: Callable[[], socket.socket]) -> None:
        self._loop, self._log, self._ui, self._engine = loop, log, ui, engine
        self.search_path = os.path.join(folder, "search.sock")
        self.events_path = os.path.join(folder, "events.sock")
        self.refused = {"connection": 0, "event": 0}
        self.drawn = (0, 0)
        self._bridges: list[Bridge] = []
        self._count = 0
        with group_of(ui):
            os.mkdir(folder, 0o710)
            self._listener = _bound(socket.SOCK_STREAM, self.search_path)
            self._events = _bound(socket.SOCK_DGRAM, self.events_path)
        self._events.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._listener.listen(MOST_CONNECTIONS)
        loop.watch(self._listener.fileno(), self._accept)
        loop.watch(self._events.fileno(), self._hear)

    def serve(self, engine: Callable[[], socket.socket]) -> None:
        """From now on, give each new connection of the UI one to this engine."""
        self._engine = engine

    def hang_up(self) -> None:
        """Close all connections, read or not; events still waiting are dropped."""
        for bridge in self._bridges:
            bridge.close()
        with suppress(BlockingIOError):
            while True:
                self._events.recv(1)

    def close(self) -> None:
        """Hang up and take the sockets away."""
        self.hang_up()
        for listener, path in ((self._listener, self.search_path), (self._events, self.events_path)):
            self._loop.forget(listener.fileno())
            listener.close()
            os.unlink(path)

    def _accept(self, _mask: int) -> None:
        caller, _ = self._listener.accept()
        uid = _CREDENTIALS.unpack(caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))[1]
        self._bridges = [bridge for bridge in self._bridges if not bridge.closed]
        engine = None
        if self._ui.uid in (None, uid) and len(self._bridges) < MOST_CONNECTIONS:
            with suppress(OSError):
                engine = self._engine()
        if engine is None:
            self.refused["connection"] += 1
            caller.close()
            return
        self._count += 1
        self._bridges.append(Bridge(self._loop, self._log, (caller, engine), self._count))

    def _hear(self, _mask: int) -> None:
        data, ancillary, _, _ = self._events.recvmsg(4096, socket.CMSG_SPACE(_CREDENTIALS.size))
        stamp = time.monotonic_ns()
        said = _event(data) if self._ui.uid is None or _sender(ancillary) == self._ui.uid else None
        if said is None:
            self.refused["event"] += 1
            return
        name, submit, ns = said
        if name == "drawn":
            self.drawn = submit, ns
        self._log.add("event", stamp, name=name, submit=submit, ns=ns)


class Bridge:
    """One connection of the UI and its own connection to the engine; the end of either is the end of both."""

    def __init__(self, loop: Loop, log: Keeper, ends: tuple[socket.socket, socket.socket], number: int) -> None:
        self._loop, self._log, self._number = loop, log, number
        ui, engine = ends
        self._waiting = {ui: bytearray(), engine: bytearray()}
        for here, there, kind in ((ui, engine, "req"), (engine, ui, "rep")):
            here.setblocking(False)
            loop.watch(here.fileno(), self._handler(here, there, kind))

    @property
    def closed(self) -> bool:
        """Whether nothing passes any more."""
        return all(end.fileno() < 0 for end in self._waiting)

    def close(self) -> None:
        """Hang up on both sides."""
        for end in self._waiting:
            if end.fileno() >= 0:
                self._loop.forget(end.fileno())
                end.close()

    def _handler(self, here: socket.socket, there: socket.socket, kind: str) -> Callable[[int], None]:
        def handle(mask: int) -> None:
            try:
                if mask & WRITE:
                    self._push(here)
                if mask & READ:
                    self._pass_on(here, there, kind)
            except OSError:
                self.close()

        return handle

    def _pass_on(self, here: socket.socket, there: socket.socket, kind: str) -> None:
        data = here.recv(_CHUNK)
        stamp = time.monotonic_ns()
        if not data:
            self.close()
            return
        self._log.add(kind, stamp, conn=self._number, b64=data)
        self._waiting[there] += data
        self._push(there)

    def _push(self, there: socket.socket) -> None:
        waiting = self._waiting[there]
        with suppress(BlockingIOError):
            del waiting[: there.send(waiting)]
        self._loop.interest(there.fileno(), READ | WRITE if waiting else READ)


def _bound(kind: socket.SocketKind, path: str) -> socket.socket:
    opened = socket.socket(socket.AF_UNIX, kind)
    before = os.umask(0o007)
    try:
        opened.bind(path)
    finally:
        os.umask(before)
    opened.setblocking(False)
    return opened


def _sender(ancillary: list[tuple[int, int, bytes]]) -> int | None:
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            uid: int = _CREDENTIALS.unpack(data[: _CREDENTIALS.size])[1]
            return uid
    return None


def _event(data: bytes) -> tuple[str, int, int] | None:
    """Name, submit number and stamp of an event, or None where the datagram is none."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or set(value) != {"event", "submit", "ns"}:
        return None
    name, submit, ns = value["event"], value["submit"], value["ns"]
    if name not in ("accept", "drawn") or not _counts(submit) or not _counts(ns):
        return None
    return name, submit, ns


def _counts(value: object) -> bool:
    return type(value) is int and 0 <= value <= _LARGEST
