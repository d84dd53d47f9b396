"""The connection to the engine: one search in flight at most, a hello before the first."""

from __future__ import annotations

import json
import socket

from .replies import MOST_ITEMS, PROTOCOL, BadReplyError, Reply, parse_reply

LONGEST_LINE = 65_536


class EngineLostError(Exception):
    """There is no engine to talk to, or it broke the protocol; the text says which. The connection is closed."""


class Client:
    """Speaks `search-v1` as the engine's only caller on this connection; never waits."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._socket: socket.socket | None = None
        self._buffer = b""
        self._last_id = 0

    @property
    def connected(self) -> bool:
        """Whether a connection stands, as far as known."""
        return self._socket is not None

    def fileno(self) -> int:
        """The descriptor to wait on, -1 without a connection."""
        return -1 if self._socket is None else self._socket.fileno()

    def connect(self) -> None:
        """Makes the connection and says hello, unless it stands already."""
        if self._socket is not None:
            return
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.setblocking(False)
        try:
            self._socket.connect(self._path)
        except OSError as error:
            self.close()
            raise EngineLostError(f"the engine cannot be reached ({error.strerror or error})") from None
        self._send({"op": "hello", "protocol": PROTOCOL})

    def search(self, text: str) -> int:
        """Asks for `text`; the id that the reply will carry."""
        self.connect()
        clean = text.encode("utf-8", "replace").decode()
        return self._send({"op": "search", "text": clean, "limit": MOST_ITEMS})

    def receive(self) -> list[Reply]:
        """The replies that have come whole since the last call."""
        if self._socket is None:
            return []
        try:
            data = self._socket.recv(LONGEST_LINE)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        if not data:
            self.close()
            raise EngineLostError("the engine has gone away")
        return self._parse(data)

    def close(self) -> None:
        """Drops the connection, and with it every reply still to come."""
        if self._socket is not None:
            self._socket.close()
        self._socket, self._buffer = None, b""

    def _parse(self, data: bytes) -> list[Reply]:
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        try:
            return [parse_reply(line) for line in _bounded(lines, self._buffer)]
        except BadReplyError as error:
            self.close()
            raise EngineLostError(str(error)) from None

    def _send(self, request: dict[str, object]) -> int:
        assert self._socket is not None
        self._last_id += 1
        line = json.dumps({"id": self._last_id, **request}, ensure_ascii=False).encode() + b"\n"
        try:
            sent = self._socket.send(line)
        except OSError:
            sent = 0
        if sent < len(line):
            self.close()
            raise EngineLostError("the engine takes no requests")
        return self._last_id


def _bounded(lines: list[bytes], begun: bytes) -> list[bytes]:
    if max(map(len, (*lines, begun))) >= LONGEST_LINE:
        raise BadReplyError(f"the engine sent a line above {LONGEST_LINE} bytes")
    return lines
