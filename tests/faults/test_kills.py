"""SIGKILL of runner, driver, engine, UI and Docker daemon at moments drawn by lot: what was kept stays, and no more."""

import json
import os
import random
import select
import shutil
import signal
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from runner.provenance.chain import follow
from tests.faults.person import PATIENCE, Person
from tests.faults.project import SMALL

PLAIN, CONTAINER = "quick", "official"
VICTIMS = ("runner", "driver", "engine", "UI", "daemon")
#: By what a process is told among those of a run.
SIGNS = {"driver": b"runner.driver\0", "engine": b"mambomeme.engine\0", "UI": b"mambomeme.tui\0"}
#: What a command may end in: a score whatever was restarted, a void run, an engine that went away, a signal (None).
STATUSES = {"runner": {None}, "driver": {3}, "engine": {0, 3}, "UI": {0, 3}, "daemon": {0, 69}}
PHASES = ("starting", "warming up", "searching", "repeating", "checking the instrument", "scoring")
FIRST_HEAD = "0" * 64
LOOK = 0.05


class Kill(NamedTuple):
    """Whom to kill in which kind of run, and when: after this share of the time it lives undisturbed."""

    victim: str
    verb: str
    share: float


class Struck(NamedTuple):
    """Who typed the command that was hit, how far the run was, what was kept of it then, in what it ran, and how many
    entries the log had before it."""

    kill: Kill
    person: Person
    far: str
    kept: dict[Path, bytes]
    containers: list
    entries: int


class Killed(NamedTuple):
    """What came of it: how far the run was, how the command ended, what the log says of the run, what was left over."""

    kill: Kill
    far: str
    status: int | None
    outcome: str
    left: tuple[str, ...]


def drawn(seed, count):
    """`count` kills, spread over the victims; the daemon matters to containers alone."""
    lots = random.Random(seed)
    for number in range(count):
        victim = VICTIMS[number % len(VICTIMS)]
        contained = victim == "daemon" or number // len(VICTIMS) % 4 == 3
        yield Kill(victim, CONTAINER if contained else PLAIN, lots.random())


class Scene:
    """A checkout whose runs are killed, with a place for scratch by which their processes are known."""

    def __init__(self, project, scratch, engine=None):
        self.project, self.scratch, self.engine = project, scratch, engine
        self.manifest = project.small("fault-kills", limits=SMALL["limits"] | {"min_searches": 120})
        self._lives = {}

    def person(self, verb):
        """Someone who types it."""
        return Person(self.project, *self.project.command(verb, self.manifest), TMPDIR=str(self.scratch))

    def containers(self):
        """All of the engine's own."""
        return self.engine.client.containers.list(all=True, ignore_removed=True) if self.engine else []

    def processes(self, containers=()):
        """The words of every process of a run, by pid: those that know the scratch place, or stand in containers."""
        marks, found = [one.id for one in containers], {}
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                inside = marks and any(mark in (process / "cgroup").read_text() for mark in marks)
                if inside or bytes(self.scratch) in (process / "environ").read_bytes():
                    found[int(process.name)] = (process / "cmdline").read_bytes()
        return found

    def there(self, person, kill):
        """The pid of the victim, if it lives now."""
        if kill.victim in {"runner", "daemon"}:
            return person.pid if kill.victim == "runner" else self.engine.pid
        known = sorted(self.processes(self.containers() if kill.verb == CONTAINER else ()).items())
        return next((pid for pid, words in known if SIGNS[kill.victim] in words), None)

    def born(self, person, kill):
        """As `there`, waited for; nothing where the run ended before."""
        while (pid := self.there(person, kill)) is None and not person.ends_within(LOOK):
            pass
        return pid

    def life(self, kill):
        """How long such a victim lives in a run that nobody disturbs, in seconds."""
        if kill.verb not in self._lives:
            self._lives[kill.verb] = self._watched(kill.verb)
        return self._lives[kill.verb][kill.victim]

    def _watched(self, verb):
        """One such run: for each victim the time from when it was there first until it was there last."""
        person, seen = self.person(verb), {}
        while not person.ends_within(LOOK):
            there = [who for who in VICTIMS if who in {"runner", "daemon"} or self.there(person, Kill(who, verb, 0))]
            for victim in there:
                seen.setdefault(victim, []).append(time.monotonic())
        assert person.waits() == 0, person.shown
        return {victim: times[-1] - times[0] for victim, times in seen.items()}

    def kept(self):
        """The files of unfinished results by path, and those that are yet to come into them."""
        folders = [*self.project.unfinished()]
        folders += [Path(mount["Source"]) for one in self.containers() for mount in one.attrs["Mounts"]]
        files = {path for folder in folders for path in folder.rglob("[!.]*") if path.is_file()}
        return {path: path.read_bytes() for path in files if path.suffix != ".part"}

    def log(self):
        """The entries of the log, each line whole and following from those before it."""
        path = self.project.path("results/log.jsonl")
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        follow(FIRST_HEAD, lines)
        return [json.loads(line) for line in lines]


def strike(scene, kill):
    """Kill as asked, or earlier where the victim was gone by then."""
    life = scene.life(kill)
    while True:
        entries, person = len(scene.log()), scene.person(kill.verb)
        pid = scene.born(person, kill)
        with suppress(ProcessLookupError, TypeError), os.fdopen(os.pidfd_open(pid), "rb") as victim:
            if not person.ends_within(kill.share * life) and not select.select([victim], [], [], 0)[0]:
                struck = Struck(kill, person, far(person), scene.kept(), scene.containers(), entries)
                signal.pidfd_send_signal(victim.fileno(), signal.SIGKILL)
                return struck
        person.waits()
        kill = kill._replace(share=kill.share / 2)


def far(person):
    """How far the run is."""
    where, words = max((person.shown.rfind(words), words) for words in PHASES)
    return words if where >= 0 else "beginning"


def settle(scene, struck):
    """Wait until nothing of the run lives; the daemon is started again before."""
    if struck.kill.victim == "daemon":
        scene.engine.end(signal.SIGKILL)
        scene.engine.start()
    until = time.monotonic() + PATIENCE
    while left := scene.processes(struck.containers):
        assert time.monotonic() < until, left
        select.select([], [], [], LOOK)


def sweep(scene):
    """The next start removes every container."""
    said = scene.project.bench(CONTAINER, scene.manifest, "--check")
    assert said.status == 0, said
    assert scene.containers() == []


def hold_kept(scene, struck):
    """What was measured before the kill is in the result, whatever the name of that is now."""
    for kept, data in struck.kept.items():
        found = scene.project.results.rglob(kept.name)
        assert any(path.read_bytes().startswith(data) for path in found), kept


def judge(scene, bench):
    """A finished result verifies, an unfinished one is called broken."""
    trust = scene.project.path(".keys/trust.json")
    for folder in scene.project.finished():
        assert bench(scene.project, "verify", folder, "--trust", trust).status == 0
    for folder in scene.project.unfinished():
        assert bench(scene.project, "verify", folder, "--trust", trust).status in {1, 2}
        whole = (folder / "scorecard.json").exists()
        assert bench(scene.project, "score", folder).status in {1, 2, *[0] * whole}


def cleared(scene):
    """Clear the results and the place for scratch; the names of what was half written, or is nobody's now."""
    folders = [*scene.project.finished(), *scene.project.unfinished(), *scene.scratch.iterdir()]
    left = [path.name.partition("-")[0] for path in (*scene.project.results.rglob("*"), *scene.scratch.iterdir())]
    for folder in folders:
        shutil.rmtree(folder)
    return tuple(name for name in left if name.startswith((".", "mambo")) or name.endswith(".part"))


def carry_out(scene, kill, bench):
    """One kill, and everything that must hold after it."""
    scene.life(kill)
    cleared(scene)
    struck = strike(scene, kill)
    status = struck.person.waits()
    settle(scene, struck)
    if kill.verb == CONTAINER:
        sweep(scene)
    hold_kept(scene, struck)
    judge(scene, bench)
    assert status in STATUSES[kill.victim], (status, struck.person.shown)
    assert "Traceback" not in struck.person.shown
    outcomes = [entry["outcome"] for entry in scene.log()[struck.entries :]]
    return Killed(kill, struck.far, status, outcomes[-1] if outcomes else "not entered", cleared(scene))


def table(killed):
    """For each victim how often it was killed, and how often each thing came of it."""
    lines = ["victim  run       kills  how far the run was; exit status; last entry of the log; left over"]
    for who in dict.fromkeys(one.kill[:2] for one in killed):
        own = [one for one in killed if one.kill[:2] == who]
        columns = ([one.far for one in own], [str(one.status) for one in own], [one.outcome for one in own])
        left = [name for one in own for name in one.left]
        counts = [", ".join(f"{n} {what}" for what, n in Counter(column).most_common()) for column in (*columns, left)]
        lines.append(f"{who[0]:<8}{who[1]:<10}{len(own):>5}  {'; '.join(counts)}")
    return "\n".join(lines)


@pytest.fixture
def scratch():
    """A short path, for the sockets in it."""
    with tempfile.TemporaryDirectory(prefix="kills-") as place:
        yield Path(place)


def test_each_is_killed_once(project, scratch, runs):
    """Without an engine; the rest of the kills is slow."""
    project.shrink(2)
    scene = Scene(project, scratch)
    kills = list(drawn(20261201, 4))
    assert [carry_out(scene, kill, runs).kill.victim for kill in kills] == ["runner", "driver", "engine", "UI"]


@pytest.mark.slow
@pytest.mark.docker
@pytest.mark.parametrize("part", range(4))
def test_killed_at_any_moment(project, scratch, runs, own_engine, capsys, part):
    """Two hundred kills in four parts."""
    project.shrink(2)
    scene = Scene(project, scratch, own_engine)
    killed = [carry_out(scene, kill, runs) for kill in drawn(part, 50)]
    with capsys.disabled():
        print(f"\n{table(killed)}")
