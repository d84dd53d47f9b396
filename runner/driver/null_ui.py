"""A UI without an engine: draws its frame a given time after Enter and says when, to test the stamps of the driver."""

import json
import os
import select
import socket
import sys
import termios
import time
import tty

ROWS = b"".join(
    b"\x1b[%d;1H  %2d m%04d            A title without a meaning\x1b[K" % (n + 2, n, n) for n in range(1, 11)
)


class NullUi:
    """Speaks interface list-80x24-v1 on standard input and output."""

    def __init__(self, delay_ms: float) -> None:
        self._delay = delay_ms / 1000
        self._submit, self._frame, self._text = 1, 0, b""
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
        if self._delay:
            select.select([], [], [], self._delay)
        self.draw("done", ROWS + b"\x1b[24;1H#%d 10 results\x1b[K" % self._submit)
        self._tell("drawn", time.monotonic_ns())
        self._submit += 1

    def _tell(self, event: str, ns: int) -> None:
        told = json.dumps({"event": event, "submit": self._submit, "ns": ns})
        self._events.sendto(told.encode(), os.environ["MAMBO_EVENTS"])


def main() -> None:
    """Run until Ctrl-C."""
    tty.setraw(0, termios.TCSANOW)
    ui = NullUi(float(sys.argv[1]))
    ui.draw("typing", b"\x1b[2J")
    while (keys := os.read(0, 4096)) and keys != b"\x03":
        ui.take(keys)


if __name__ == "__main__":
    main()
