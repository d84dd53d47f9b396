"""Ctrl-C, SIGTERM, SIGHUP and SIGKILL of the runner: nothing is left running, and the evidence stays."""

import contextlib
import json
import os
import random
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.driver.conftest import Evidence
from tests.faults.conftest import LABEL
from tests.faults.person import PATIENCE, Person
from tests.faults.project import SMALL, Project

pytestmark = pytest.mark.docker
LONG = SMALL["limits"] | {"min_searches": 10_000}
STOPPED = "bench: Stopped. What was kept so far is in the unfinished result."


@pytest.fixture(scope="module")
def place(built, tmp_path_factory):
    """A checkout for runs that are stopped."""
    project = Project.copy(tmp_path_factory.mktemp("stopping") / "checkout")
    project.shrink()
    return project


@pytest.fixture
def manifest(place):
    """A run long enough to be stopped anywhere."""
    return place.small("fault-stop", limits=LONG)


@pytest.fixture
def official(place):
    """Start `official` as a person would."""
    return lambda manifest: Person(place, *place.command("official", manifest))


@pytest.fixture
def births(engine):
    """Start a command, and wait until its container has begun to search: the process and the container."""
    with contextlib.ExitStack() as ending:

        def begin(project, manifest):
            since = int(time.time())
            process = ending.enter_context(project.started("official", manifest))
            whose = f"--filter=label={LABEL}.pid={process.pid}"
            born = listen("events", f"--since={since}", "--filter=event=start", whose, "--format={{.ID}}", words="\n")
            listen("logs", "--follow", born.strip(), words='"block"')
            return process, engine.containers.get(born.strip())

        yield begin


def listen(*command, words):
    """Wait until a command of the engine has said `words`; the line with them."""
    with subprocess.Popen(["docker", *command], stdout=subprocess.PIPE, text=True) as talk:
        line = next(line for line in talk.stdout if words in line)
        talk.kill()
    return line


def volumes(container):
    """The names of a container's volumes."""
    return {mount["Name"] for mount in container.attrs["Mounts"] if mount["Type"] == "volume"}


def kept_volumes(engine):
    """The names of all volumes of the engine."""
    return {volume.name for volume in engine.volumes.list()}


def latest(project):
    """The unfinished result that was begun last."""
    return max(project.unfinished(), key=lambda path: path.stat().st_ctime_ns)


def check_evidence(folder, plan, how):
    """A driver's folder holds a log that is whole up to where it ended."""
    evidence = Evidence(folder, plan.read_bytes().rstrip(b"\n"))
    assert evidence.report["how"] in how
    assert evidence.check_chain() == evidence.report["chain"]
    return evidence


@pytest.mark.parametrize("words", ["starting", "warming up", "searching"])
def test_ctrl_c_while_the_system_runs(place, official, manifest, containers, words):
    person = official(manifest).sees(words).presses_ctrl_c()
    assert person.waits() == 130
    assert person.last_line == STOPPED
    assert "Traceback" not in person.shown
    assert containers(place) == []
    assert place.finished() == []
    kept = latest(place)
    assert {"manifest.json", "run.lock.json", "raw"} <= {path.name for path in kept.iterdir()}
    assert not list(kept.glob("scorecard.*")) + list(kept.glob("*.dsse.json"))
    if words != "starting":
        check_evidence(kept / "raw/bm25", kept / "raw/bm25/plan.json", {"terminated", "lifeline"})


@pytest.mark.parametrize("words", ["asking the engine alone", "looking at the screens", "scoring"])
def test_ctrl_c_after_the_searches(place, official, containers, words):
    limits = SMALL["limits"] | {"min_searches": 500}
    manifest = place.small("fault-late-stop", limits=limits, engine_path=True)
    person = official(manifest).sees(words).presses_ctrl_c()
    assert person.waits() == 130
    assert person.last_line == STOPPED
    assert containers(place) == []
    assert place.finished() == []
    assert not (latest(place) / "scorecard.json").exists()


def test_ctrl_c_while_the_image_is_made(place, tmp_path):
    """With an empty cache; what was begun there is no layer yet, and no run was begun."""
    before = place.unfinished()
    command = place.command("official", place.small("fault-image"))
    person = Person(place, *command, MAMBO_CACHE=str(tmp_path / "cache")).sees("layers")
    assert person.presses_ctrl_c().waits() == 130
    assert person.last_line == STOPPED
    assert place.unfinished() == before
    assert list((tmp_path / "cache").glob("layers/*/*.tar")) == []


def test_ctrl_c_at_bench_itself(place, containers):
    """Nox gives the runner the time to put away what it started."""
    if not place.path(".nox").exists():
        place.lend_environment()
    manifest = place.small("fault-bench", limits=LONG)
    person = Person(place, "./bench", "official", "--", manifest).sees("searching").presses_ctrl_c()
    assert person.waits() == 130
    assert STOPPED in person.shown
    assert containers(place) == []
    assert (latest(place) / "raw/bm25/driver.json").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_to_the_runner_alone(place, births, engine, manifest, number):
    process, container = births(place, manifest)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (130, "", STOPPED + "\n")
    assert volumes(container)
    assert not volumes(container) & kept_volumes(engine)
    kept = latest(place)
    check_evidence(kept / "raw/bm25", kept / "raw/bm25/plan.json", {"terminated", "lifeline"})


def test_hammering_on_ctrl_c_does_not_break_off_the_tidying(place, births, containers, manifest):
    process, _ = births(place, manifest)
    for _ in range(200):
        process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert containers(place) == []


def test_a_killed_runner(place, births, engine, manifest):
    """The driver notices and ends within seconds; the next start takes its evidence and removes what is left."""
    process, container = births(place, manifest)
    process.kill()
    process.wait()
    killed = time.monotonic()
    assert container.wait(timeout=PATIENCE)["StatusCode"] == 4
    assert time.monotonic() - killed < 5
    kept = latest(place)
    assert not list(kept.glob("swept-*"))
    said = place.bench("official", place.small("fault-next"))
    assert (said.status, said.err) == (0, "")
    (swept,) = kept.glob("swept-*")
    evidence = check_evidence(swept, kept / "raw/bm25/plan.json", {"lifeline"})
    assert evidence.report["requests"]["done"] > 0
    assert container.id not in {each.id for each in engine.containers.list(all=True, ignore_removed=True)}
    assert not volumes(container) & kept_volumes(engine)


def test_what_a_living_run_has_is_never_swept(place, births, engine):
    """Two runs at once, of two checkouts' worth of results."""
    process, container = births(place, place.small("fault-living", limits=LONG))
    said = place.bench("official", place.small("fault-beside"))
    assert (said.status, said.err) == (0, "")
    container.reload()
    assert container.status == "running"
    process.terminate()
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 130


def test_a_killed_runner_without_a_container(place):
    """`quick`: the driver is a plain process, and ends as well with all it started."""
    person = Person(place, *place.command("quick", place.small("fault-plain", limits=LONG))).sees("searching")
    family = [descendant for child in children(person.pid) for descendant in (child, *children(child))]
    assert len(family) >= 3  # driver, engine, UI
    lives = [os.pidfd_open(pid) for pid in family]
    os.kill(person.pid, signal.SIGKILL)
    for life in lives:
        assert select.select([life], [], [], 5)[0]
        os.close(life)
    kept = latest(place)
    check_evidence(kept / "raw/bm25", kept / "raw/bm25/plan.json", {"lifeline"})


def children(pid):
    """The children of a process."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.slow
def test_killed_and_stopped_at_any_moment(place, containers):
    """Whatever the moment, the next start leaves nothing behind, and what was sealed verifies."""
    lots = random.Random(20261201)
    manifest = place.small("fault-lots", limits=SMALL["limits"] | {"min_searches": 1000}, engine_path=True)
    for _ in range(40):
        number = lots.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
        with place.started("official", manifest) as process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(lots.uniform(0.05, 8))
            process.send_signal(number)
            _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode in {0, 130, -number}
        assert "Traceback" not in err
        if number != signal.SIGKILL:
            assert containers(place) == []
    assert place.bench("official", place.small("fault-last")).status == 0
    assert containers(place) == []
    sealed = [path for path in place.finished() if "-fault-lots-" in path.name]
    for folder in sealed:
        assert place.bench("verify", folder, "--trust", place.path(".keys/trust.json")).status == 0
    entries = [json.loads(line) for line in place.path("results/log.jsonl").read_text().splitlines()]
    assert {path.name for path in place.finished()} == {
        entry["run"]["run_id"] for entry in entries if entry["outcome"] == "sealed"
    }
    assert {path.name.removesuffix(".unfinished") for path in (*place.finished(), *place.unfinished())} >= {
        entry["run"]["run_id"] for entry in entries
    }
