"""The suite about publication and rollback: two releases go in and out while an engine serves."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

from runner.driver.engine import Engine, EngineError
from runner.driver.processes import acting_as
from runner.driver.suites.corpora import first_items, make_corpus, served_index
from runner.driver.suites.protocol import CannotRun
from runner.driver.suites.publisher import Done, Moment, Publisher
from runner.driver.suites.spoiling import CARD, copy, digests, flip, spoils
from runner.driver.suites.stage import Hall
from runner.driver.suites.wire import Switchboard, Wire
from runner.provenance.suites.cases import hello, search

#: Kills at a change, at most; where a publisher makes more changes, they are spread over all.
MOST_KILLS = 9
#: Kills at a moment drawn by lot.
TIMED_KILLS = 2
PLACE = "suites"


def run(hall: Hall) -> None:
    """The whole suite; CannotRun or EngineError where it cannot go on."""
    if not hall.plan.system.release:
        raise CannotRun("system.json names no command `release`.")
    with _place(hall):
        Show(hall).play()


@contextmanager
def _place(hall: Hall) -> Iterator[None]:
    """A folder for releases, gone afterwards: what the suite has left is no trace of the engine."""
    root = hall.place_of(PLACE)
    with acting_as(hall.engine_account):
        os.mkdir(root, 0o700)
        for name in ("releases", "none"):
            os.mkdir(os.path.join(root, name), 0o700)
    try:
        yield
    finally:
        with acting_as(hall.engine_account):
            shutil.rmtree(root, ignore_errors=True)


class Show:
    """The suite under way. `engine` runs all the while; `current` is the index that it serves to new connections."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._root = hall.place_of(PLACE)
        self._publisher = Publisher(hall, os.path.join(self._root, "releases"))
        self._indexes: dict[str, str] = {}
        self._current = ""
        self._engine: Engine | None = None

    def play(self) -> None:
        """Every case, in order."""
        self._build("a", self._hall.plan.paths.corpus)
        self._engine = self._hall.engine(self._publisher.releases)
        self._board = Switchboard(self._hall.loop, self._hall.log, self._engine.connect)
        self._case("unpublished")
        self._publisher.run("current")
        self._build("b", self._other_corpus(self._ask("new")))
        self._publish_and_roll_back()
        changes, took = self._publish_cleanly()
        self._kill(changes, took)
        self._refuse()
        self._two_publishers(changes, took)
        self._no_earlier_one()
        self._case("engine-lives")
        self._ask("new")
        self._spoil_published()

    def _case(self, name: str) -> None:
        self._hall.log.flush()
        self._hall.log.add("case", name=name)

    def _build(self, name: str, corpus: str) -> None:
        """Make the release `name`, and log what it is."""
        self._case(f"build {name}")
        target = os.path.join(self._root, name)
        self._publisher.run("build", f"{PLACE}/{name}", corpus=corpus)
        with acting_as(self._hall.engine_account):
            try:
                with open(os.path.join(target, CARD), "rb") as file:
                    card = file.read()
                with open(os.path.join(corpus, "items.jsonl"), "rb") as file:
                    items = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
                files = digests(target)
                self._indexes[name] = str(json.loads(card)["index"])
            except (OSError, ValueError, KeyError, TypeError):
                raise CannotRun(f"`build` left no release.json with an index in {name}.") from None
        self._hall.log.add("made", name=name, corpus=items, b64=card, files=files)

    def _other_corpus(self, lines: list[bytes]) -> str:
        """A corpus without the items that were found first."""
        gone = set(first_items(lines))
        if not gone:
            raise CannotRun("no search found anything, so that no two releases could be told apart.")
        target = os.path.join(self._root, "corpus")
        make_corpus(self._hall.plan.paths.corpus, target, gone, self._hall.engine_account)
        return target

    def _publish_and_roll_back(self) -> None:
        self._case("publish")
        self._publisher.run("publish", f"{PLACE}/a")
        self._ask("new")
        self._publisher.run("current")
        self._case("old-connections")
        old = self._board.dial("old")
        if old is not None:
            self._talk(old, [hello(), *self._searches()])
        self._publisher.run("publish", f"{PLACE}/b")
        self._ask("new")
        if old is not None:
            self._talk(old, self._searches())
            old.farewell()
        self._publisher.run("current")
        self._case("rollback")
        self._publisher.run("rollback")
        self._ask("new")
        self._publisher.run("current")

    def _publish_cleanly(self) -> tuple[int, int]:
        """Publish both once more, and see how many changes that makes, how long it takes, how much it leaves."""
        self._case("clean")
        self._publisher.tree()
        done: list[Done] = []
        for name in ("b", "a"):
            done.append(self._publisher.watched("publish", f"{PLACE}/{name}"))
            self._publisher.tree()
        self._ask("new")
        return max(1, *(each.changes for each in done)), min(each.took_ns for each in done)

    def _kill(self, changes: int, took: int) -> None:
        """Kill publishers one after the other, each a little later, then at moments drawn by lot; then publish."""
        lots = random.Random(self._hall.plan.seed)
        step = max(1, -(-changes // MOST_KILLS))
        moments = [Moment(change=number) for number in range(1, changes + 2, step)]
        moments += [Moment(after_ns=lots.randrange(took // 2, took)) for _ in range(TIMED_KILLS)]
        for moment in moments:
            when = f"change {moment.change}" if moment.change else f"{(moment.after_ns or 0) // 1000} us"
            self._case(f"killed: {when}")
            self._publisher.watched("publish", f"{PLACE}/{self._other}", moment=moment)
            self._publisher.tree()
            self._ask("new")
        self._case("after the kills")
        self._publisher.run("publish", f"{PLACE}/{self._other}")
        self._publisher.tree()
        self._ask("new")

    def _refuse(self) -> None:
        """Publish spoilt copies of the release that is not current."""
        source = os.path.join(self._root, self._other)
        with acting_as(self._hall.engine_account):
            files = list(digests(source))
        for rule, name, spoil in spoils(files):
            self._case(f"{rule}: {name}")
            with acting_as(self._hall.engine_account):
                copy(source, os.path.join(self._root, "spoilt"))
                spoil(os.path.join(self._root, "spoilt"))
            self._publisher.run("publish", f"{PLACE}/spoilt")
            self._ask("new")
        self._case("refuses-missing-files: no folder")
        self._publisher.run("publish", f"{PLACE}/nowhere")
        self._ask("new")
        self._case("after the refusals")
        self._publisher.run("publish", f"{PLACE}/{self._other}")
        self._ask("new")

    def _two_publishers(self, changes: int, took: int) -> None:
        """A busy machine shows few changes, and lets a moment go by: so several are tried."""
        moments = [Moment(change=max(2, changes // part)) for part in (3, 6, 12)]
        for moment in (*moments, *(Moment(after_ns=took * part // 6) for part in (3, 4, 2, 5))):
            if self._one_at_work(moment):
                break
        self._case("two-at-once")
        names = (f"{PLACE}/a", f"{PLACE}/b")
        both = [self._publisher.start("publish", name) for name in names]
        for process, name in zip(both, names, strict=True):
            self._publisher.finish(process, ("publish", name), Done(None, "", -1, 0))
        self._ask("new")

    def _one_at_work(self, moment: Moment) -> bool:
        """Stop a publisher in the middle, have another one try, let the first go on; whether it was in the middle.

        It is, if it was stopped while what it publishes was not served yet, as it will be.
        """
        self._case("one is stopped")
        old = self._current
        name = f"{PLACE}/{self._other}"
        process, began = self._publisher.start("publish", name), time.monotonic_ns()
        self._publisher.follow(process, began, moment, lambda: os.killpg(process.pid, signal.SIGSTOP))
        stopped = _is_stopped(process)
        served = served_index(self._ask("new"))
        amid = stopped and served is not None and served == self._indexes.get(old)
        self._case("one-at-work" if amid else "one was over")
        if amid:
            self._publisher.run("publish", f"{PLACE}/{old}")
            self._ask("new")
        os.killpg(process.pid, signal.SIGCONT) if process.poll() is None else None
        self._publisher.finish(process, ("publish", name), Done(None, "", -1, 0))
        self._ask("new")
        return amid

    def _no_earlier_one(self) -> None:
        """Roll back where nothing, and where one release alone was ever published."""
        empty = Publisher(self._hall, os.path.join(self._root, "none"))
        self._case("rollback-none")
        empty.run("rollback")
        empty.run("current")
        empty.run("publish", f"{PLACE}/a")
        empty.run("rollback")
        empty.run("current")

    def _spoil_published(self) -> None:
        """Change a byte of what is current, in its place; then see what an engine that starts there makes of it."""
        assert self._engine is not None
        self._case("no-spoilt-release")
        source = os.path.join(self._root, self._current)
        with acting_as(self._hall.engine_account):
            wanted = digests(source)
            name = max(wanted, key=lambda each: os.path.getsize(os.path.join(source, each)))
            spoilt = _flip_all(self._publisher.releases, wanted[name])
        self._engine.quit()
        if not spoilt:
            return
        with _suppressed():
            self._engine = self._hall.engine(self._publisher.releases)
            self._ask("new")
            self._engine.quit()

    @property
    def _other(self) -> str:
        """The release that is not current."""
        return "b" if self._current == "a" else "a"

    def _searches(self) -> list[bytes]:
        return [search(text, number) for number, text in enumerate(self._hall.plan.texts, 1)]

    def _ask(self, name: str) -> list[bytes]:
        """Say hello on a new connection, and search; the lines that came."""
        wire = self._board.dial(name)
        if wire is None:
            return []
        lines = self._talk(wire, [hello(), *self._searches()])
        wire.farewell()
        served = served_index(lines)
        self._current = next((name for name, index in self._indexes.items() if index == served), self._current)
        return lines

    def _talk(self, wire: Wire, requests: list[bytes]) -> list[bytes]:
        limit = self._hall.patience_ms
        for request in requests:
            wire.send(request, limit)
            self._hall.silences += not wire.wait(1, limit)
        return wire.lines


@contextmanager
def _suppressed() -> Iterator[None]:
    """An engine that will not start is a good answer here; its end is in the log."""
    try:
        yield
    except EngineError:
        return


def _is_stopped(process: subprocess.Popen[bytes]) -> bool:
    """Whether it stands still, and has not ended; a signal takes a moment to arrive."""
    deadline = time.monotonic_ns() + 200_000_000
    while time.monotonic_ns() < deadline and process.poll() is None:
        with open(f"/proc/{process.pid}/stat", encoding="utf-8", errors="replace") as file:
            if file.read().rpartition(")")[2].split()[0] == "T":
                return True
    return False


def _flip_all(folder: str, digest: str) -> int:
    """Spoil every file below `folder` of this digest; how many there were."""
    found = [name for name, each in digests(folder).items() if each == digest]
    for name in found:
        flip(os.path.join(folder, name))
    return len(found)
