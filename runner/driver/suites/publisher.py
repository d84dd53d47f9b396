"""Runs the command `release` of a system, watches what it changes in the folder of releases, kills it in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from runner.driver.loop import Loop
from runner.driver.processes import Account, Command, acting_as, start_plain
from runner.driver.suites.stage import Hall

#: A publisher that takes longer is killed.
LONGEST_NS = 30_000_000_000
#: How much of what it says is kept.
_KEPT = 2_000
#: How long a signal may take to stop it.
_STOP_MS = 200


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


class Attempt:
    """One process of `release`: what it says is read while it runs; `changes` is negative where nobody counts them."""

    def __init__(self, loop: Loop, command: Command, account: Account, words: str) -> None:
        self.words, self.changes = words, -1
        self.began, self.took_ns, self.over = time.monotonic_ns(), 0, False
        self.deadline = self.began + LONGEST_NS
        self._loop = loop
        self._process = start_plain(command, account, subprocess.PIPE)
        self._life = os.pidfd_open(self._process.pid)
        loop.watch(self._life, self._end)
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._pipes = self._process.stdout, self._process.stderr
        self._said = {pipe.fileno(): bytearray() for pipe in self._pipes}
        for end in self._said:
            os.set_blocking(end, False)
            loop.watch(end, partial(self._listen, end))

    def kill(self) -> None:
        """End it and what it started, at once."""
        self._signal(signal.SIGKILL)

    def stop(self) -> bool:
        """Have it stand still; whether it does. A signal takes a moment to arrive."""
        self._signal(signal.SIGSTOP)
        for _ in range(_STOP_MS):
            if self.over or self._stands():
                break
            self._loop.pause(1)
        return not self.over and self._stands()

    def go_on(self) -> None:
        """Let it go on; its time begins anew."""
        self.deadline = time.monotonic_ns() + LONGEST_NS
        self._signal(signal.SIGCONT)

    def wait(self) -> tuple[int, str, str]:
        """Its end (what takes too long is killed): its status as of Popen, and what it said to either pipe."""
        self._loop.until(lambda: self.over, self.deadline)
        self.kill()
        while not self.over:
            self._loop.turn(1)
        status = self._process.wait()
        for pipe in self._pipes:
            # A descendant may hold the pipe open, and nobody waits for that one.
            with suppress(BlockingIOError):
                self._listen(pipe.fileno(), 0)
            self._loop.forget(pipe.fileno())
            pipe.close()
        out, err = (bytes(data).decode(errors="replace")[:_KEPT] for data in self._said.values())
        return status, out, err

    def _listen(self, end: int, _mask: int) -> None:
        data = os.read(end, 65_536)
        said = self._said[end]
        said += data[: 4 * _KEPT - len(said)]
        if not data:
            self._loop.forget(end)

    def _end(self, _mask: int) -> None:
        self._loop.forget(self._life)
        os.close(self._life)
        self.over, self.took_ns = True, time.monotonic_ns() - self.began

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    def _stands(self) -> bool:
        with open(f"/proc/{self._process.pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] == "T"


class Publisher:
    """The command `release` on one folder of releases."""

    def __init__(self, hall: Hall, releases: str) -> None:
        self._hall, self.releases = hall, releases

    def start(self, *words: str, corpus: str | None = None) -> Attempt:
        """A process under way; `words` may name folders below the engine's place."""
        hall = self._hall
        more = {} if corpus is None else {"MAMBO_CORPUS": corpus}
        command = Command(
            [*hall.plan.system.release, *(hall.place_of(word) if "/" in word else word for word in words)],
            hall.plan.paths.system,
            hall.engine_environment(self.releases, **more),
        )
        return Attempt(hall.loop, command, hall.engine_account, " ".join(words))

    def run(self, *words: str, corpus: str | None = None) -> None:
        """Run it to its end, and log that."""
        self.finish(self.start(*words, corpus=corpus))

    def watched(self, *words: str, moment: Moment = NEVER) -> Attempt:
        """Run it, counting the changes that can be seen in the folder, and kill it at the moment, if that comes."""
        attempt = self.start(*words)
        if self.follow(attempt, moment):
            attempt.kill()
        self.finish(attempt)
        return attempt

    def follow(self, attempt: Attempt, moment: Moment) -> bool:
        """Count changes until its end, or until the moment has come; whether that came."""
        seen = None
        while not attempt.over and time.monotonic_ns() < attempt.deadline:
            with acting_as(self._hall.engine_account):
                now = snapshot(self.releases)
            if now != seen:
                seen, attempt.changes = now, attempt.changes + 1
            if moment.has_come(attempt.changes, time.monotonic_ns() - attempt.began):
                return True
            self._hall.loop.drain(1)
        return False

    def finish(self, attempt: Attempt) -> None:
        """Wait for its end, and log it."""
        status, out, err = attempt.wait()
        self._hall.log.add(
            "ran",
            words=attempt.words,
            status=status if status >= 0 else None,
            signal=-status if status < 0 else None,
            changes=attempt.changes if attempt.changes >= 0 else None,
            out=out,
            err=err,
        )

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
