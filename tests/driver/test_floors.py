"""The bench of the measuring itself runs and its figures can be true; it asserts no absolute time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from runner.driver.floors import percentile

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("values", "per_cent", "expected"),
    [([3, 1, 2], 50, 2), ([4, 1, 3, 2], 50, 2), (range(1, 21), 95, 19), ([7], 95, 7)],
)
def test_percentile_is_the_nearest_rank(values, per_cent, expected):
    """D17: the ceil(p*n)-th smallest."""
    assert percentile(list(values), per_cent) == expected


def test_percentile_of_nothing():
    assert percentile([], 50) is None


def test_null_bench():
    command = [sys.executable, "-m", "runner.driver.null_bench", "4"]
    figures = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=60).stdout)
    assert list(figures["error_ns"]) == ["0", "1", "5", "20", "100", "500"]
    assert [found["n"] for found in figures["error_ns"].values()] == [4] * 6
    assert figures["echo_ns"]["n"] == 40
    assert 0 < figures["echo_ns"]["p50"] <= figures["echo_ns"]["p95"]
    assert all(0 < found["p50"] < 100_000_000 for found in figures["error_ns"].values())
