"""Tells the measuring side when a submit key was taken, when its frame was written."""

from __future__ import annotations

import contextlib
import socket


class Events:
    """Sends datagrams to `path`; without one, or with nobody there, they are left out (the key is measured instead)."""

    def __init__(self, path: str | None) -> None:
        self._socket: socket.socket | None = None
        if not path:
            return
        sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        sender.setblocking(False)
        try:
            sender.connect(path)
        except OSError:
            sender.close()
        else:
            self._socket = sender

    def tell(self, event: str, submit: int, ns: int) -> None:
        """`event` of `submit` happened at `ns` of CLOCK_MONOTONIC."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.send(b'{"event":"%s","submit":%d,"ns":%d}' % (event.encode(), submit, ns))
