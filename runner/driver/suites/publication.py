"""The suite about publication and rollback: two releases go in and out while an engine serves."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager

from runner.driver.engine import Engine, EngineError
from runner.driver.processes import acting_as
from runner.driver.suites.corpora import make_corpus
from runner.driver.suites.publisher import Attempt, Moment, Publisher
from runner.driver.suites.release_files import Release, digest_of, digests, flip, read_release, remove
from runner.driver.suites.spoiling import copy, spoils, spread
from runner.driver.suites.stage import CannotRun, Hall
from runner.driver.suites.wire import Switchboard, Wire
from runner.provenance.suites.cases import hello, search
from runner.provenance.suites.lines import first_found_in, hello_of

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
            remove(root)


class Show:
    """The suite under way. `engine` runs all the while; `current` is the index that it serves to new connections."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._root = hall.place_of(PLACE)
        self._publisher = Publisher(hall, os.path.join(self._root, "releases"))
        self._releases: dict[str, Release] = {}
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
        if not self._current:
            raise CannotRun("no release that was published is served.")
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
        self._publisher.run("build", f"{PLACE}/{name}", corpus=corpus)
        with acting_as(self._hall.engine_account):
            made = self._releases[name] = read_release(os.path.join(self._root, name), name)
            items = digest_of(os.path.join(corpus, "items.jsonl"))
        self._hall.log.add("made", name=name, corpus=items, b64=made.data, files=made.files)

    def _other_corpus(self, lines: list[bytes]) -> str:
        """A corpus without the items that were found first."""
        gone = first_found_in(lines)
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
        done: list[Attempt] = []
        for name in ("b", "a"):
            done.append(self._publisher.watched("publish", f"{PLACE}/{name}"))
            self._publisher.tree()
        self._ask("new")
        return max(1, *(each.changes for each in done)), min(each.took_ns for each in done)

    def _kill(self, changes: int, took: int) -> None:
        """Kill publishers one after the other, each a little later, then at moments drawn by lot; then publish."""
        lots = random.Random(self._hall.plan.seed)
        moments = [Moment(change=number) for number in spread(range(1, changes + 2), MOST_KILLS)]
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
        for rule, name, spoil in spoils(self._releases[self._other]):
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
        for attempt in [self._publisher.start("publish", name) for name in names]:
            self._publisher.finish(attempt)
        self._ask("new")

    def _one_at_work(self, moment: Moment) -> bool:
        """Stop a publisher in the middle, have another one try, let the first go on; whether it was in the middle.

        It is, if it was stopped when it had changed something, while what it publishes was not served yet. One that has
        changed nothing may not have come to its lock.
        """
        self._case("one is stopped")
        old, other = self._current, f"{PLACE}/{self._other}"
        first = self._publisher.start("publish", other)
        self._publisher.follow(first, moment)
        stopped = first.stop()
        served = hello_of(self._ask("new")).get("index")
        amid = stopped and first.changes > 0 and served is not None and served == self._releases[old].index
        self._case("one-at-work" if amid else "one was over")
        if amid:
            self._publisher.run("publish", other)
            self._ask("new")
        first.go_on()
        self._publisher.finish(first)
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
        current = self._releases[self._current]
        with acting_as(self._hall.engine_account):
            spoilt = _flip_all(self._publisher.releases, current.files[current.largest])
        # What follows belongs to no case where nothing was found to spoil.
        self._case("no-spoilt-release" if spoilt else "")
        self._engine.quit()
        if spoilt:
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
        served = hello_of(lines).get("index")
        self._current = next((name for name, each in self._releases.items() if each.index == served), self._current)
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


def _flip_all(folder: str, digest: str) -> int:
    """Spoil every file below `folder` of this digest, each once whatever its names; how many there were."""
    paths = [os.path.join(folder, name) for name, each in digests(folder).items() if each == digest]
    files = {os.stat(path).st_ino: path for path in paths}
    for path in files.values():
        flip(path)
    return len(files)
