"""`nox -s bench`: measures the measuring, the build and the run, beside what they should reach; asserts nothing."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from runner.adapters.containers import hardware_options
from runner.adapters.engine import connect
from runner.cli import ROOT, tools
from runner.provenance.inputs import Inputs
from runner.retrieval.latency import percentile
from runner.tools import Tools
from runner.workflows.build import Built
from runner.workflows.official import official
from runner.workflows.report.page import card_page
from tests.report.pages import long_page

MS = 1_000_000
DELAYS = ("0", "1", "5", "20", "100", "500")


class Line(NamedTuple):
    """One row of the table."""

    what: str
    found: str
    wanted: str


def main() -> None:
    """Print the table; `--warm` leaves the cold build out."""
    warm = tools()
    inputs = warm.inputs(ROOT / "manifests/official.json")
    built = warm.build()
    table = Table("figure", "found", "wanted")
    lines = [
        *measuring(inputs, built),
        *running(inputs, warm),
        *reporting(inputs),
        *building(cold="--warm" not in sys.argv),
    ]
    for line in lines:
        table.add_row(*line)
    Console(width=110).print(table)


def measuring(inputs: Inputs, built: Built) -> Iterator[Line]:
    """The error of the stamps inside the container, the terminal's floor, and the driver's own time."""
    found = json.loads(
        connect().containers.run(
            built.image.tag,
            entrypoint=["python3", "-m", "runner.driver.null_bench"],
            environment={"TMPDIR": "/run/driver"},
            remove=True,
            **hardware_options(inputs.hardware.profile, inputs.hardware.seccomp),
        )
    )
    for delay in DELAYS:
        error = found["error_ns"][delay]
        yield Line(f"error of the measuring, null UI after {delay} ms", p50_p95(error), "p50 <= 0.3 ms, p95 <= 1 ms")
    yield Line("terminal floor (echo) in the container", p50_p95(found["echo_ns"]), "p50 <= 0.05 ms")
    yield Line("driver between two searches", p50_p95(found["between_ns"]), "<= 2 ms a search")


def running(inputs: Inputs, kit: Tools) -> Iterator[Line]:
    """One official run, once built."""
    with tempfile.TemporaryDirectory() as results:
        started = time.monotonic()
        card = official(inputs, kit.container_stage(inputs, Path(results)), kit.desk(Path(results))).card
        took = time.monotonic() - started
    for row in card.systems:
        times = row.performance.ui
        shown = f"p50 {times.p50_ns / MS:.2f} ms, p95 {times.p95_ns / MS:.2f} ms (n = {times.n})"
        yield Line(f"{row.system}: submit to render", shown, "p95 <= 10 ms")
    yield Line("whole official run, once built", f"{took:.1f} s", "<= 90 s")


def reporting(inputs: Inputs) -> Iterator[Line]:
    """The page of a full run's card."""
    made = long_page(inputs.partition, inputs.corpus)
    started = time.monotonic()
    size = len(card_page(made.card, made.ground, made.traces)) / 1e6
    shown = f"{time.monotonic() - started:.1f} s, {size:.1f} MB"
    yield Line("scorecard.html: three systems, 120 queries, 1,080 searches each", shown, "<= 3 s, <= 3 MB")


def building(*, cold: bool) -> Iterator[Line]:
    """The image: nothing changed, and from an empty cache."""
    seconds, built = timed_build(tools())
    yield Line("image size", f"{built.image.size / 1e6:.0f} MB", "<= 350 MB")
    yield Line("image build, nothing changed", f"{seconds:.1f} s", "<= 10 s")
    if cold:
        with tempfile.TemporaryDirectory() as cache:
            seconds, again = timed_build(Tools(ROOT, Path(cache), ROOT / "images/locks", Console(stderr=True)))
        same = "same image id" if again.image == built.image else "ANOTHER IMAGE ID"
        yield Line("image build, empty cache", f"{seconds:.1f} s, {same}", "<= 180 s")


def timed_build(kit: Tools) -> tuple[float, Built]:
    """Seconds and what was built."""
    started = time.monotonic()
    built = kit.build()
    return time.monotonic() - started, built


def p50_p95(times: list[int]) -> str:
    """Two percentiles in milliseconds."""
    ordered = sorted(times)
    return f"p50 {percentile(ordered, 500) / MS:.3f} ms, p95 {percentile(ordered, 950) / MS:.3f} ms"


if __name__ == "__main__":
    main()
