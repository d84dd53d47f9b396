"""A terminal that had a life before the UI: something stands on it, and its line discipline is somebody's own."""

from __future__ import annotations

import fcntl
import json
import os
import struct
import subprocess
import termios
from typing import Any

from runner.driver.processes import UMASK, Account, Command, acting_as, die_with_parent
from runner.terminal.profile import COLUMNS, ROWS

#: What stands on the primary screen when the UI is started; the cursor waits below it.
EARLIER = b"$ ls memes\r\n\x1b[1mcats\x1b[0m  dogs\r\n$ search\r\n"
_ERASE = b"\x08"


class Tty:
    """An 80x24 terminal of `account`, kept open on both ends; a program runs on it at most once."""

    def __init__(self, account: Account) -> None:
        self._account = account
        with acting_as(account):
            self.child_fd, self._slave = os.openpty()
        os.set_blocking(self.child_fd, False)
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._make_own()
        os.write(self._slave, EARLIER)
        self.exitstatus: int | None = None
        self.signalstatus: int | None = None
        self.pid = 0

    def _make_own(self) -> None:
        """Settings that no program would come to by itself."""
        attributes = termios.tcgetattr(self._slave)
        attributes[0] |= termios.IXANY
        attributes[3] &= ~termios.ECHOK
        attributes[6][termios.VERASE] = _ERASE
        termios.tcsetattr(self._slave, termios.TCSANOW, attributes)

    def lines(self) -> str:
        """The line discipline, as text that is equal for equal settings."""
        attributes: list[Any] = termios.tcgetattr(self._slave)
        characters = [each if isinstance(each, int) else each.hex() for each in attributes[6]]
        return json.dumps([*attributes[:6], characters], separators=(",", ":"))

    def start(self, command: Command) -> None:
        """Start a program whose controlling terminal this is."""
        uid = self._account.uid
        self._process = subprocess.Popen(
            command.resolved(),
            cwd=command.folder,
            env=command.environment,
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            start_new_session=True,
            umask=UMASK,
            user=uid,
            group=uid,
            extra_groups=None if uid is None else [],
            preexec_fn=_take_terminal,  # noqa: PLW1509 - the driver has one thread
        )
        self.pid = self._process.pid

    def isalive(self) -> bool:
        """See runner.driver.terminal.Child."""
        status = self._process.poll()
        if status is not None:
            self.exitstatus = status if status >= 0 else None
            self.signalstatus = -status if status < 0 else None
        return status is None

    def close(self, force: bool) -> None:  # noqa: ARG002, FBT001 - see runner.driver.terminal.Child
        """See runner.driver.terminal.Child; the program has ended."""
        for end in (self.child_fd, self._slave):
            os.close(end)


def _take_terminal() -> None:
    """In the child, which leads a session of its own."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    die_with_parent()


def drawing(started: int) -> int:
    """The youngest descendant of a process: the one that draws. The process itself where it has none."""
    waiting, found = [started], list[tuple[int, int]]()
    while waiting:
        for child in _children(waiting.pop()):
            found.append((_start_time(child), child))
            waiting.append(child)
    return max(found, default=(0, started))[1]


def _children(pid: int) -> list[int]:
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
        lists = [_text(f"/proc/{pid}/task/{task}/children") for task in tasks]
    except OSError:
        return []
    return [int(word) for words in lists for word in words.split()]


def _start_time(pid: int) -> int:
    """Kernel start ticks of a process (field 22 of its stat); 0 where it is gone."""
    fields = _text(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return int(fields[19]) if len(fields) > 19 else 0


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as source:
            return source.read()
    except OSError:
        return ""
