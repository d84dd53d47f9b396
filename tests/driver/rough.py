"""`python -m tests.driver.rough FAULT --out DIR`: the driver on a line that delays and cuts, but loses nothing."""

import fcntl
import os
import select
import struct
import sys
import termios
import threading
import time
from itertools import cycle

from runner.driver import __main__, terminal
from runner.terminal.profile import COLUMNS, ROWS

STUCK_SECONDS, PATIENCE = 0.05, 20
LARGER = ROWS + 6
BEGIN, LAST_ROW = b"\x1b[?2026h", b"\x1b[%d;1H" % LARGER
#: Opens the other end of a terminal (ioctl_tty(2)); Python has no name for it.
TIOCGPTPEER = 0x5441


class Line:
    """Stands in for `os` where a terminal is read and written."""

    def __getattr__(self, name):
        return getattr(os, name)


class Single(Line):
    """One byte a read: every longer character and every sequence comes in pieces."""

    def read(self, fd, _size):
        return os.read(fd, 1)


class Pieces(Line):
    """Reads of odd sizes, which fit no character and no sequence."""

    def __init__(self):
        self._sizes = cycle((3, 61, 7, 2, 311, 1, 19))

    def read(self, fd, _size):
        return os.read(fd, next(self._sizes))


class Stuck(Line):
    """After every key the terminal takes nothing for a while, so that the UI waits in its write; then little."""

    def __init__(self):
        self._stops = 0

    def read(self, fd, _size):
        time.sleep(0.0002)
        return os.read(fd, 128)

    def write(self, fd, data):
        # What stops the output of the UI is its own end of the terminal.
        end = fcntl.ioctl(fd, TIOCGPTPEER, os.O_RDWR | os.O_NOCTTY)
        termios.tcflow(end, termios.TCOOFF)
        self._stops += 1
        threading.Timer(STUCK_SECONDS, self._release, [end, self._stops]).start()
        return os.write(fd, data)

    def _release(self, end, stop):
        """Let the output go on, unless it was stopped again."""
        if stop == self._stops:
            termios.tcflow(end, termios.TCOON)
        os.close(end)


class Resized(Line):
    """The frame after each key is cut in its middle, where the terminal changes. While a query is typed it grows until
    the UI has drawn for that; after Enter only its pixels change, since on a larger one the list would be another."""

    def __init__(self):
        self._key = b""

    def read(self, fd, _size):
        data = os.read(fd, 64)
        if not self._key or BEGIN not in data:
            return data
        entered, self._key = self._key == b"\r", b""
        if entered:
            resize(fd, pixels=1)
        else:
            resize(fd, LARGER, COLUMNS + 20)
            while LAST_ROW not in data:
                select.select([fd], [], [], PATIENCE)
                data += os.read(fd, 64)
        resize(fd)
        return data

    def write(self, fd, data):
        self._key = data
        return os.write(fd, data)


def resize(fd, rows=ROWS, columns=COLUMNS, pixels=0):
    """The terminal's size; where it is another the UI hears of it."""
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, pixels, pixels))


FAULTS = {each.__name__.lower(): each for each in (Single, Pieces, Stuck, Resized)}

if __name__ == "__main__":
    terminal.os = FAULTS[sys.argv[1]]()
    sys.exit(__main__.main(sys.argv[2:]))
