"""A disk that is full while a result is written: one line that says so, and nothing is lost of what was kept."""

import fcntl
import os
import select
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.project import SMALL, Project

SIZE = "16m"
LOOK = 0.05
MAKE_ROOM = "No space left on device. Make room on that disk and run it again; what was kept so far stays.\n"
pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="only root can mount a small disk")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A checkout whose results have a small disk to themselves, with one sealed run on it."""
    project = Project.copy(tmp_path_factory.mktemp("full") / "checkout")
    project.shrink(2)
    project.results.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", project.results], check=True)
    project.manifest = project.small("fault-full", limits=SMALL["limits"] | {"min_searches": 120})
    try:
        said = project.bench("quick", project.manifest)
        assert (said.status, said.err) == (0, ""), said
        yield project
    finally:
        subprocess.run(["umount", project.results], check=True)


@contextmanager
def room(project, size):
    """No more than `size` bytes are free on the disk of the results."""
    filler = project.results / "filler"
    with filler.open("wb") as file:
        disk = os.statvfs(project.results)
        os.posix_fallocate(file.fileno(), 0, disk.f_bavail * disk.f_frsize - size)
    try:
        yield
    finally:
        filler.unlink()


def files(folder):
    """Every file below a folder, read."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "filler"}


def sizes(project):
    """What a whole run takes of the disk: before its raw log, for that, and after it."""
    found = {path: path.stat().st_blocks * 512 for path in project.finished()[0].rglob("*") if path.is_file()}
    first = sum(size for path, size in found.items() if path.name in {"manifest.json", "run.lock.json"})
    raw = sum(size for path, size in found.items() if "raw" in path.parts)
    return first, raw, sum(found.values()) - first - raw


def breaks_off(project, begin=None):
    """A run that finds no room: how it is said, and that all which was kept before is as it was; the run's folders."""
    before, broken = files(project.results), set(project.unfinished())
    with project.started("quick", project.manifest) as running:
        if begin:
            begin(running)
        out, err = running.communicate(timeout=120)
    assert (running.returncode, out) == (69, ""), err
    assert err.startswith("bench: ")
    assert err.endswith(MAKE_ROOM), err
    assert err.count("\n") == 1
    after, log = files(project.results), project.results / "log.jsonl"
    assert after[log].startswith(before.pop(log))
    assert after.items() >= before.items()
    assert [path for path in after if path.name.startswith(".") or path.suffix == ".part"] == []
    assert project.bench("log").status == 0
    return set(project.unfinished()) - broken


def runs_again(project):
    """The next run is whole, once there is room."""
    before = set(project.finished())
    said = project.bench("quick", project.manifest)
    assert (said.status, said.err) == (0, ""), said
    (folder,) = set(project.finished()) - before
    said = project.bench("verify", folder, "--trust", ".keys/trust.json", "--log", "results/log.jsonl")
    assert (said.status, said.err) == (0, ""), said


def broken(project, folder):
    """Nobody takes it for a result."""
    return {project.bench("verify", folder, "--trust", ".keys/trust.json").status} <= {1, 2}


@pytest.mark.slow
def test_full_at_the_beginning(place):
    with room(place, 0):
        assert all(broken(place, folder) for folder in breaks_off(place))
    runs_again(place)


def test_full_while_the_raw_log_comes_in(place):
    """What was written of it is whole lines."""
    first, raw, _ = sizes(place)
    with room(place, first + 65_536 + raw // 2):
        (folder,) = breaks_off(place)
        kept = list(folder.glob("raw/*/*.jsonl"))
        assert sum(path.stat().st_size for path in kept) > raw // 4
        assert all(path.read_bytes().endswith(b'"}\n') for path in kept if path.stat().st_size)
        assert broken(place, folder)


@pytest.mark.slow
def test_full_while_the_card_is_written(place):
    first, raw, rest = sizes(place)
    with room(place, first + raw + rest // 2):
        (folder,) = breaks_off(place)
        assert (folder / "raw/bm25/driver.json").exists()
        assert not (folder / "statement.dsse.json").exists()
        assert broken(place, folder)
    runs_again(place)


def test_full_when_it_is_sealed(place):
    """Sealing waits for its turn at the log; meanwhile the disk fills up."""
    with (place.results / "log.jsonl").open("rb") as log, room(place, 1 << 22) as _:

        def fill(running):
            entered = log.seek(0, os.SEEK_END)
            while running.poll() is None and (place.results / "log.jsonl").stat().st_size == entered:
                select.select([], [], [], LOOK)
            fcntl.flock(log, fcntl.LOCK_EX)
            while f"-> FLOCK  ADVISORY  WRITE {running.pid} " not in Path("/proc/locks").read_text():
                assert running.poll() is None
                select.select([], [], [], LOOK)
            with (place.results / "filler").open("ab") as file:
                disk = os.statvfs(place.results)
                os.posix_fallocate(file.fileno(), file.tell(), disk.f_bavail * disk.f_frsize)
            fcntl.flock(log, fcntl.LOCK_UN)

        (folder,) = breaks_off(place, fill)
        assert (folder / "scorecard.html").exists()
        assert broken(place, folder)
    runs_again(place)
