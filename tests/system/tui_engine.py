"""A small real engine for the UI's tests: a Unix socket, protocol search-v1, answers that a test decides."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

HELLO = {"status": "ok", "protocol": "search-v1", "interface": "list-80x24-v1", "system": "small", "version": "1"}

Answer = Callable[[dict[str, Any]], "dict[str, Any] | bytes | None"]


def item(doc_id: str, title: str, **more: Any) -> dict[str, Any]:
    return {"doc_id": doc_id, "title": title, "routes": ["lexical"], **more}


def ten_items(request: dict[str, Any]) -> dict[str, Any]:
    return {"items": [item(f"m{number:04}", f"{request['text']} {number}") for number in range(1, 11)]}


class SmallEngine:
    """Serves until closed. `answer` gives the reply's keys, raw bytes to send instead, or None to stay silent."""

    def __init__(self, path: Path, answer: Answer = ten_items, hello: dict[str, Any] = HELLO) -> None:
        self.path = path
        self.answer = answer
        self.hello = hello
        self.asked: list[str] = []
        self._connections: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._accept)
        self._thread.start()

    def __enter__(self) -> SmallEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Goes away: connections cut, socket file gone."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self.drop()
        self._thread.join()
        self._listener.close()
        self.path.unlink(missing_ok=True)

    def drop(self) -> None:
        """Cuts every connection."""
        for connection in self._connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def send(self, data: bytes) -> None:
        """Sends `data` on the newest connection, asked or not."""
        self._connections[-1].sendall(data)

    def _accept(self) -> None:
        serving: list[threading.Thread] = []
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                break
            self._connections.append(connection)
            serving.append(threading.Thread(target=self._serve, args=(connection,)))
            serving[-1].start()
        self.drop()
        for thread in serving:
            thread.join()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as lines:
            try:
                for line in lines:
                    self._reply(connection, json.loads(line))
            except OSError:
                return

    def _reply(self, connection: socket.socket, request: dict[str, Any]) -> None:
        if request["op"] == "hello":
            reply: dict[str, Any] | bytes | None = self.hello
        else:
            self.asked.append(request["text"])
            reply = self.answer(request)
        if reply is None:
            return
        if isinstance(reply, dict):
            reply = json.dumps({"id": request["id"], "status": "ok", **reply}).encode() + b"\n"
        connection.sendall(reply)
