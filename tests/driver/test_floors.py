"""The bench of the measuring itself runs and its figures can be true; it asserts no absolute time."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_null_bench():
    command = [sys.executable, "-m", "runner.driver.null_bench", "4"]
    figures = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=60).stdout)
    assert list(figures["error_ns"]) == ["0", "1", "5", "20", "100", "500"]
    assert [len(found) for found in figures["error_ns"].values()] == [4] * 6
    assert (len(figures["echo_ns"]), len(figures["between_ns"])) == (40, 3)
    assert all(0 < ns < 1_000_000_000 for ns in figures["echo_ns"])
    assert all(0 < sorted(found)[1] < 100_000_000 for found in figures["error_ns"].values())
