"""Runs the real driver as a plain process on the toy system, and reads what it leaves."""

import base64
import json
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from runner.provenance.chain import follow
from tests.hostile import toy

ROOT = Path(__file__).parents[2]
PATIENCE = 120


class Evidence:
    """What a drive left in its folder."""

    def __init__(self, folder, plan_line):
        self.folder = folder
        self.report = json.loads((folder / "driver.json").read_bytes())
        self.files = {path.name: path.read_bytes() for path in sorted(folder.glob("*.jsonl"))}
        self.plan_line = plan_line

    def events(self, kind=None, file=None):
        """Events of one kind, of one file or of all in order, with `b64` decoded as `data`."""
        names = [file] if file else [entry["name"] for entry in self.report["files"]]
        found = [json.loads(line) for name in names for line in self.files[name].splitlines()]
        for event in found:
            if "b64" in event:
                event["data"] = base64.b64decode(event["b64"])
        return [event for event in found if kind in (None, event["e"])]

    def results(self, phase="measured"):
        """How the requests of a phase ended."""
        wanted, found = False, []
        for event in self.events():
            if event["e"] == "begin":
                wanted = event["phase"] == phase
            if event["e"] == "finish" and wanted:
                found.append("late" if event["late"] else event["result"])
        return found

    def check_chain(self):
        """The last digest, after following the chain through all files; BrokenChain otherwise."""
        head = toy.digest(self.plan_line)
        for entry in self.report["files"]:
            head = follow(head, self.files[entry["name"]].splitlines(keepends=True))
        return head


class Drive:
    """One driver process; `words` are its module and what is said to that beside the folder."""

    def __init__(self, base, plan, words=("runner.driver",)):
        self.base, self.out = base, base / "out"
        self.line = plan if isinstance(plan, bytes) else json.dumps(plan).encode()
        self.process = subprocess.Popen(
            [sys.executable, "-m", *words, "--out", str(self.out)],
            cwd=ROOT,
            env={"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.process.stdin.write(self.line + b"\n")
        self.process.stdin.flush()

    def progress(self, phase):
        """Wait until the driver reports `phase`."""
        for line in self.process.stdout:
            if json.loads(line)["phase"] == phase:
                return
        raise AssertionError(f"the driver never came to {phase}")

    def finish(self):
        """Wait for the end of the driver; its exit status and what it said."""
        out = self.process.stdout.read()
        status = self.process.wait(PATIENCE)
        talk = self.process.stderr.read()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
        return status, out, talk.decode()

    def evidence(self):
        """What it left."""
        return Evidence(self.out, self.line)

    def gone(self):
        """Wait until nothing of the system runs any more (what died with the driver is reaped by others)."""
        for process in self.left_running():
            life = os.pidfd_open(process)
            ended, _, _ = select.select([life], [], [], PATIENCE)
            os.close(life)
            if not ended:
                return False
        return True

    def left_running(self):
        """Processes that still stand in the system's folder."""
        found = []
        for process in Path("/proc").iterdir():
            try:
                if process.name.isdigit() and (process / "cwd").readlink() == self.base / "system":
                    found.append(int(process.name))
            except OSError:
                continue
        return found


@pytest.fixture
def base(tmp_path):
    """A folder with the toy system and corpus."""
    toy.make_corpus(tmp_path / "corpus")
    toy.make_system(tmp_path / "system")
    return tmp_path


@pytest.fixture
def start(base):
    """Start a driver on a plan for `base`, with these keys changed; killed at the end of the test."""
    drives = []

    def begin(**changes):
        drives.append(Drive(base, toy.plan(base, **changes)))
        return drives[-1]

    yield begin
    for drive in drives:
        drive.process.kill()
        drive.process.wait()
        for stream in (drive.process.stdin, drive.process.stdout, drive.process.stderr):
            stream.close()


@pytest.fixture
def drive(start):
    """Run a plan that must come to its end; the evidence."""

    def run(**changes):
        driver = start(**changes)
        status, _, talk = driver.finish()
        assert (status, talk) == (0, "")
        assert driver.left_running() == []
        return driver.evidence()

    return run
