"""A UI with nothing to do: draws its frame a given time after Enter and says when, to test the driver."""

import json
import os
import select
import socket
import sys
import termios
import time
import tty
from typing import BinaryIO, cast

SWAPPED = "swapped"


def rows(items: list[dict[str, str]]) -> bytes:
    """The list as it is drawn."""
    return b"".join(
        b"\x1b[%d;1H  %2d %-16s %s\x1b[K" % (n + 2, n, item["doc_id"].encode(), item["title"].encode())
        for n, item in enumerate(items, 1)
    )


#: What is drawn where there is no engine to ask.
ROWS = rows([{"doc_id": f"m{n:04}", "title": "A title without a meaning"} for n in range(1, 11)])


class NullUi:
    """Speaks interface list-80x24-v1 on standard input and output.

    `answers` are delays in milliseconds, the last for all that follow. With an engine (`MAMBO_SOCKET`) it draws what
    that returns, the first two results swapped where `swapped` stands behind the delay.
    """

    def __init__(self, answers: list[str]) -> None:
        self._answers = answers
        self._submit, self._frame, self._text = 1, 0, b""
        self._engine: BinaryIO | None = None
        if "MAMBO_SOCKET" in os.environ:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(os.environ["MAMBO_SOCKET"])
            self._engine = cast(BinaryIO, connection.makefile("rwb"))
        self._events = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)

    def draw(self, state: str, body: bytes = b"") -> None:
        """One frame in one write."""
        self._frame += 1
        mark = f"\x1b]7777;mambo;submit={self._submit};frame={self._frame};state={state}\x1b\\".encode()
        os.write(1, b"\x1b[?2026h\x1b[1;1H> " + self._text + b"\x1b[K" + body + b"\x1b[?2026l" + mark)

    def take(self, keys: bytes) -> None:
        """Do what the keys say; Enter always comes in a write of its own."""
        if keys == b"\r":
            self._search()
            return
        for code in keys:
            key = bytes([code])
            self._text = b"" if key == b"\x15" else self._text + key
        self.draw("typing")

    def _search(self) -> None:
        self._tell("accept", time.monotonic_ns())
        delay, _, swapped = self._answers[min(self._submit, len(self._answers)) - 1].partition(" ")
        drawn = ROWS if self._engine is None else rows(self._asked(self._engine, swapped))
        if float(delay):
            select.select([], [], [], float(delay) / 1000)
        self.draw("done", drawn + b"\x1b[24;1H#%d 10 results\x1b[K" % self._submit)
        self._tell("drawn", time.monotonic_ns())
        self._submit += 1

    def _asked(self, engine: BinaryIO, swapped: str) -> list[dict[str, str]]:
        asked = {"op": "search", "id": self._submit, "text": self._text.decode(), "limit": 10}
        engine.write(json.dumps(asked).encode() + b"\n")
        engine.flush()
        items: list[dict[str, str]] = json.loads(engine.readline())["items"]
        return [*items[1::-1], *items[2:]] if swapped == SWAPPED else items

    def _tell(self, event: str, ns: int) -> None:
        told = json.dumps({"event": event, "submit": self._submit, "ns": ns})
        self._events.sendto(told.encode(), os.environ["MAMBO_EVENTS"])


def main() -> None:
    """Run until Ctrl-C."""
    tty.setraw(0, termios.TCSANOW)
    ui = NullUi(sys.argv[1:])
    ui.draw("typing", b"\x1b[2J")
    while (keys := os.read(0, 4096)) and keys != b"\x03":
        ui.take(keys)


if __name__ == "__main__":
    main()
