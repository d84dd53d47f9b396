"""Runs the command `release` of a system, watches what it changes in the folder of releases, kills it in the middle."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from runner.driver.processes import Command, acting_as, start_plain
from runner.driver.suites.stage import Hall

#: A publisher that takes longer is killed.
LONGEST_NS = 30_000_000_000
#: How much of what it says is kept.
_KEPT = 2_000


@dataclass(frozen=True, slots=True)
class Moment:
    """When a publisher is interfered with: at a change (counted from 1), or some time after its start."""

    change: int | None = None
    after_ns: int | None = None

    def has_come(self, changes: int, ran_ns: int) -> bool:
        """Whether it is now, after so many changes and nanoseconds."""
        if self.change is not None and changes >= self.change:
            return True
        return self.after_ns is not None and ran_ns >= self.after_ns


NEVER = Moment()


@dataclass(frozen=True, slots=True)
class Done:
    """How a publisher ended."""

    status: int | None
    out: str
    changes: int
    took_ns: int


class Publisher:
    """The command `release` on one folder of releases."""

    def __init__(self, hall: Hall, releases: str) -> None:
        self._hall, self.releases = hall, releases

    def start(self, *words: str, corpus: str | None = None) -> subprocess.Popen[bytes]:
        """A process under way; `words` may name folders below the engine's place, as `say` does."""
        hall = self._hall
        more = {} if corpus is None else {"MAMBO_CORPUS": corpus}
        command = Command(
            [*hall.plan.system.release, *(hall.place_of(word) if "/" in word else word for word in words)],
            hall.plan.paths.system,
            hall.engine_environment(self.releases, **more),
        )
        return start_plain(command, hall.engine_account, subprocess.PIPE)

    def run(self, *words: str, corpus: str | None = None) -> Done:
        """Run it to its end, and log that."""
        process, began = self.start(*words, corpus=corpus), time.monotonic_ns()
        life = os.pidfd_open(process.pid)
        self._hall.loop.watch(life, lambda _mask: None)
        self._hall.loop.until(lambda: bool(select.select([life], [], [], 0)[0]), began + LONGEST_NS)
        self._hall.loop.forget(life)
        os.close(life)
        return self.finish(process, words, Done(None, "", -1, time.monotonic_ns() - began))

    def watched(self, *words: str, moment: Moment = NEVER, kill: int = signal.SIGKILL) -> Done:
        """Run it, counting the changes that can be seen in the folder, and send it `kill` at the moment, if that comes.

        With SIGSTOP it is left standing: `finish` what `stopped` gives.
        """
        process, began = self.start(*words), time.monotonic_ns()
        changes = self.follow(process, began, moment, lambda: os.killpg(process.pid, kill))
        return self.finish(process, words, Done(None, "", changes, time.monotonic_ns() - began))

    def follow(self, process: subprocess.Popen[bytes], began: int, moment: Moment, strike: Callable[[], None]) -> int:
        """Count changes until the process has ended or the moment has come, at which it is struck."""
        seen, changes = None, -1
        while process.poll() is None and time.monotonic_ns() < began + LONGEST_NS:
            with acting_as(self._hall.engine_account):
                now = snapshot(self.releases)
            if now != seen:
                seen, changes = now, changes + 1
            if moment.has_come(changes, time.monotonic_ns() - began):
                with suppress(ProcessLookupError):
                    strike()
                break
            self._hall.loop.drain(1)
        return changes

    def finish(self, process: subprocess.Popen[bytes], words: tuple[str, ...], done: Done) -> Done:
        """Wait for the end of a process (what takes too long is killed), and log it."""
        try:
            out, err = process.communicate(timeout=LONGEST_NS / 1e9)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
        status = process.returncode
        said = out.decode(errors="replace")[:_KEPT]
        self._hall.log.add(
            "ran",
            words=" ".join(words),
            status=status if status >= 0 else None,
            signal=-status if status < 0 else None,
            changes=done.changes if done.changes >= 0 else None,
            out=said,
            err=err.decode(errors="replace")[:_KEPT],
        )
        return Done(status if status >= 0 else None, said, done.changes, done.took_ns)

    def tree(self) -> None:
        """Log how much is in the folder of releases."""
        with acting_as(self._hall.engine_account):
            entries = len(snapshot(self.releases))
        self._hall.log.add("tree", entries=entries)


Entry = tuple[str, int, int, int, int]


def snapshot(folder: str) -> tuple[Entry, ...]:
    """All that is below `folder`, with what would tell a change of it."""
    found: list[Entry] = []
    waiting = [folder]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    times = status.st_mtime_ns, status.st_ctime_ns
                    found.append((entry.path, status.st_ino, status.st_size, *times))
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
    return tuple(sorted(found))
