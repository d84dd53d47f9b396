"""An engine without an index, inside the driver: every search gets the same list."""

from __future__ import annotations

import json
import socket

from runner.driver.loop import Loop
from runner.terminal.instrument import RETURNED

_ITEMS = [{"doc_id": doc_id, "title": title, "routes": ["lexical"]} for doc_id, title in RETURNED.items()]
_CHUNK = 65_536


class NullEngine:
    """Answers on connections that it hands out itself."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._open: list[socket.socket] = []

    def connect(self) -> socket.socket:
        """The other end of a new connection."""
        here, there = socket.socketpair()
        self._open.append(here)
        self._loop.watch(here.fileno(), lambda _mask: self._answer(here))
        return there

    def close(self) -> None:
        """Hang up."""
        for here in self._open:
            self._loop.forget(here.fileno())
            here.close()
        self._open.clear()

    def _answer(self, here: socket.socket) -> None:
        """Reply to each line; the null UI sends one, and waits."""
        data = here.recv(_CHUNK)
        if not data:
            self._loop.forget(here.fileno())
        for line in data.splitlines():
            reply = {"id": json.loads(line)["id"], "status": "ok", "items": _ITEMS}
            here.sendall(json.dumps(reply).encode() + b"\n")
