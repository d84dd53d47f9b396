"""The terminal UI as a process on a real PTY, watched by two emulators; waits are for frames, never for time."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from avt import Vt
from pyghostty import Terminal

SYSTEM = Path(__file__).parents[2] / "images" / "mambomeme"
LIMIT_SECONDS = 20
MARK = re.compile(rb"\x1b\]7777;mambo;submit=(\d+);frame=(\d+);state=(typing|busy|done)\x1b\\")
# A session leader without a terminal gets the first one it opens as its controlling one.
ON_TERMINAL = ("sh", "-c", 'tty=$1; shift; exec "$@" <>"$tty" >&0 2>&0', "sh")


class Frame(NamedTuple):
    submit: int
    number: int
    state: str
    data: bytes


class Tui:
    """One process of `command` on a terminal of `columns` x `rows`."""

    def __init__(
        self,
        environment: Mapping[str, str],
        *,
        columns: int = 80,
        rows: int = 24,
        command: tuple[str, ...] = (sys.executable, "-m", "mambomeme.tui"),
        folder: Path = SYSTEM,
    ) -> None:
        self.ghostty = Terminal(columns, rows, scrollback=1000)
        self.avt = Vt(columns, rows, 1000)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.output = b""
        self.frames: list[Frame] = []
        self._framed = 0
        self._master, self._slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self._slave)
        self._process = subprocess.Popen(
            (*ON_TERMINAL, os.ttyname(self._slave), *command),
            cwd=folder,
            env={"PATH": os.environ["PATH"], "TERM": "xterm-256color", "PYTHONDONTWRITEBYTECODE": "1", **environment},
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._ended = os.pidfd_open(self._process.pid)

    def __enter__(self) -> Tui:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for descriptor in (self._master, self._slave, self._ended):
            if descriptor >= 0:
                os.close(descriptor)
        self.ghostty.close()

    @property
    def pid(self) -> int:
        """The supervisor's."""
        return self._process.pid

    @property
    def child(self) -> int:
        """The process that owns the terminal."""
        (pid,) = self.children
        return pid

    @property
    def children(self) -> list[int]:
        """All processes that the first one has started."""
        return [int(pid) for pid in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]

    @property
    def termios(self) -> list[object]:
        return termios.tcgetattr(self._slave)

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.ghostty.resize(columns, rows)
        self.avt.resize(columns, rows)

    def write(self, data: bytes | str) -> None:
        os.write(self._master, data.encode() if isinstance(data, str) else data)

    def press(self, data: bytes | str) -> Frame:
        """Writes `data` at once; the next frame."""
        self.write(data)
        return self.next_frame()

    def search(self, text: str) -> Frame:
        """Types and submits `text`; the done frame."""
        self.press("\x15" + text)
        self.write("\r")
        return self.wait("done")

    def next_frame(self) -> Frame:
        """The first frame not seen yet."""
        while not self.frames:
            self._read()
        return self.frames.pop(0)

    def wait(self, state: str) -> Frame:
        """The first frame in `state` not seen yet."""
        while (frame := self.next_frame()).state != state:
            pass
        return frame

    def wait_for(self, text: bytes) -> None:
        """Reads until `text` has come, or already had."""
        while text not in self.output:
            self._read()

    def end(self) -> int:
        """The exit status, with all that was written before it read."""
        while self._read():
            pass
        return self._process.wait()

    def hang_up(self) -> int:
        """Closes the terminal; the exit status."""
        os.close(self._master)
        self._master = -1
        return self._process.wait(LIMIT_SECONDS)

    def rows(self) -> list[str]:
        """The screen, on which both emulators must agree."""
        ghostty, avt = self.rows_apart()
        assert ghostty == avt
        return ghostty

    def rows_apart(self) -> tuple[list[str], list[str]]:
        avt = [line.text.rstrip() for line in self.avt.view()]
        ghostty = [row.rstrip() for row in self.ghostty.text().split("\n")]
        return ghostty + [""] * (len(avt) - len(ghostty)), avt

    def _read(self) -> bool:
        """Reads once; False at the end. A limit in seconds stands for a hang."""
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        poll.register(self._ended, select.POLLIN)
        ready = dict(poll.poll(LIMIT_SECONDS * 1000))
        assert ready, f"nothing came within {LIMIT_SECONDS} s; the screen:\n" + "\n".join(self.rows_apart()[0])
        if self._master not in ready:
            return False
        self._take(os.read(self._master, 65_536))
        return True

    def _take(self, data: bytes) -> None:
        self.output += data
        self.ghostty.feed(data)
        self.avt.feed_str(self._decoder.decode(data))
        for mark in MARK.finditer(self.output, self._framed):
            frame = self.output[self._framed : mark.end()]
            self._framed = mark.end()
            self.frames.append(Frame(int(mark[1]), int(mark[2]), mark[3].decode(), frame))
