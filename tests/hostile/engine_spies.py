"""An engine that tries to get at the UI's sockets and files, and returns what it found as its titles."""

import os
import socket
from pathlib import Path

from engine import Handler, answer, serve


def call(path, kind):
    """Speak to a socket of the driver."""
    with socket.socket(socket.AF_UNIX, kind) as caller:
        caller.connect(path)
        caller.send(b'{"event":"accept","submit":1,"ns":1}')


ATTEMPTS = {
    "ui's engine socket": lambda: call("/run/driver/ui/search.sock", socket.SOCK_STREAM),
    "ui's events socket": lambda: call("/run/driver/ui/events.sock", socket.SOCK_DGRAM),
    "ui's folder": lambda: os.listdir("/run/ui"),  # noqa: PTH208 - a folder that must not open
    "ui's terminal": lambda: Path("/dev/pts/0").write_bytes(b"x"),
    "input of the driver": lambda: Path("/proc/1/fd/0").read_bytes(),
    "raw log": lambda: os.listdir("/out"),  # noqa: PTH208 - likewise
}


def tried(name):
    """One attempt as an item."""
    try:
        return {"doc_id": name, "title": f"DONE: {ATTEMPTS[name]()!r}", "routes": ["lexical"]}
    except OSError as error:
        return {"doc_id": name, "title": f"denied: {error}", "routes": ["lexical"]}


class Spying(Handler):
    """Searches where it must not."""

    @staticmethod
    def answer(request):
        if request["op"] == "search":
            return {"id": request["id"], "status": "ok", "items": [tried(name) for name in ATTEMPTS]}
        return answer(request)


if __name__ == "__main__":
    serve(Spying)
