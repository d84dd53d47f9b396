"""A place for sockets goes with its runner, or at the next start where that was killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from runner.adapters.scratch import scratch
from runner.shell import ROOT

PROGRAM = """
import sys
from runner.adapters.scratch import scratch
with scratch() as place:
    print(place, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> subprocess.Popen[str]:
    """Another runner that has a place of its own."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_a_living_runner_keeps_its_place_and_a_killed_one_loses_it(other: subprocess.Popen[str]) -> None:
    with other:
        assert other.stdout is not None
        place = Path(other.stdout.readline().strip())
        with scratch() as own:
            assert place.is_dir()
            assert own.is_dir()
        assert not own.exists()
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert place.is_dir()
        with scratch():
            assert not place.exists()
