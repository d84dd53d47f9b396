"""`nox -s bench`: engine, measuring, run, scoring, page, evidence and build, beside what they should reach.

`-- engine scoring` measures these parts alone; `--warm` leaves the cold build out. Asserts nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from rich.console import Console

from runner.adapters.containers import hardware_options
from runner.adapters.engine import connect
from runner.retrieval.latency import percentile
from runner.shell import ROOT, tools
from runner.tools import Tools
from runner.workflows.build import Built
from runner.workflows.official import official
from runner.workflows.report.page import card_page
from tests import bench_engine, bench_evidence, bench_scoring
from tests.bench_rows import Row, at_most, table_of
from tests.report.pages import long_page

MS = 1_000_000
DELAYS = ("0", "1", "5", "20", "100", "500")
OFFICIAL = ROOT / "manifests/official.json"
SUBMIT_TO_RENDER = {"bm25": 10, "dense": 20, "hybrid": 20}
"""The most milliseconds for 95 % of searches, by system."""


def main() -> None:
    """Print one table a part, as each is done."""
    parser = argparse.ArgumentParser(prog="nox -s bench --", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"one of {', '.join(PARTS)}; without any, all")
    parser.add_argument("--warm", action="store_true", help="leave the build from an empty cache out")
    wanted = parser.parse_args()
    strange = [part for part in wanted.parts if part not in PARTS]
    if strange:
        parser.error(f"no part {strange[0]}; there are {', '.join(PARTS)}")
    chosen = [name for name in PARTS if name in (wanted.parts or PARTS) and not (name == "cold" and wanted.warm)]
    if len(chosen) == 1:
        Console(width=150).print(table_of(PARTS[chosen[0]](), f"{chosen[0]} ({load()})"))
        return
    for name in chosen:  # each in a process of its own, so that none is measured with the memory of another
        subprocess.run([sys.executable, "-m", "tests.bench", name], check=True)


def load() -> str:
    """What else the machine has to do: figures of time hold where that is nothing."""
    return f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} before"


def engine() -> Iterator[Row]:
    """The bundled engine beside its targets and peers."""
    kit = tools()
    yield from bench_engine.rows(kit.prepared_system()[1], kit.models())


def measuring() -> Iterator[Row]:
    """The error of the stamps inside the container, the terminal's floor, and the driver's own time."""
    kit = tools()
    hardware = kit.inputs(OFFICIAL).hardware
    found = json.loads(
        connect().containers.run(
            kit.build().image.tag,
            entrypoint=["python3", "-m", "runner.driver.null_bench"],
            environment={"TMPDIR": "/run/driver"},
            remove=True,
            **hardware_options(hardware.profile, hardware.seccomp),
        )
    )
    for delay in DELAYS:
        middle, late = ends(found["error_ns"][delay])
        shown, met = f"p50 {middle:.3f} ms, p95 {late:.3f} ms", middle <= 0.3 and late <= 1
        yield Row(f"error of the measuring, null UI after {delay} ms", shown, "p50 <= 0.3 ms, p95 <= 1 ms", met)
    for what, times, most in (
        ("terminal floor (echo) in the container, p50", found["echo_ns"], 0.05),
        ("driver between two searches, p50", found["between_ns"], 2),
    ):
        middle, late = ends(times)
        yield at_most(what, middle, most, "ms", shown=f"p50 {middle:.3f} ms, p95 {late:.3f} ms")


def running() -> Iterator[Row]:
    """One official run, once built."""
    kit = tools()
    inputs = kit.inputs(OFFICIAL)
    kit.build()
    with tempfile.TemporaryDirectory() as results:
        started = time.monotonic()
        card = official(inputs, kit.container_stage(inputs, Path(results)), kit.desk(Path(results))).card
        took = time.monotonic() - started
    for row in card.systems:
        times = row.performance.ui
        shown = f"p50 {times.p50_ns / MS:.2f} ms, p95 {times.p95_ns / MS:.2f} ms (n = {times.n})"
        most = SUBMIT_TO_RENDER[row.system]
        yield at_most(f"{row.system}: submit to render", times.p95_ns / MS, most, "ms", shown=shown)
    yield at_most("whole official run, once built", took, 90, "s")


def reporting() -> Iterator[Row]:
    """The page of a full run's card."""
    inputs = tools().inputs(OFFICIAL)
    made = long_page(inputs.partition, inputs.corpus)
    started = time.monotonic()
    size = len(card_page(made.card, made.ground, made.traces)) / 1e6
    took = time.monotonic() - started
    what = "scorecard.html: three systems, 120 queries, 1,080 searches each"
    yield Row(what, f"{took:.1f} s, {size:.1f} MB", "<= 3 s, <= 3 MB", took <= 3 and size <= 3)


def building() -> Iterator[Row]:
    """The image, nothing changed."""
    tools().build()
    seconds, built = timed_build(tools())
    yield at_most("image with models", built.image.size / 1e6, 550, "MB")
    yield at_most("image build, nothing changed", seconds, 10, "s")


def cold() -> Iterator[Row]:
    """The image from an empty cache."""
    built = tools().build()
    with tempfile.TemporaryDirectory() as cache:
        seconds, again = timed_build(Tools(ROOT, Path(cache), ROOT / "images/locks", Console(stderr=True)))
    same = "same image id" if again.image == built.image else "ANOTHER IMAGE ID"
    yield at_most("image build, empty cache", seconds, 180, "s", shown=f"{seconds:.1f} s, {same}")


def timed_build(kit: Tools) -> tuple[float, Built]:
    """Seconds and what was built."""
    started = time.monotonic()
    built = kit.build()
    return time.monotonic() - started, built


def ends(times: list[int]) -> tuple[float, float]:
    """Median and p95, in milliseconds."""
    ordered = sorted(times)
    return percentile(ordered, 500) / MS, percentile(ordered, 950) / MS


PARTS: Mapping[str, Callable[[], Iterator[Row]]] = {
    "engine": engine,
    "running": running,
    "measuring": measuring,
    "scoring": bench_scoring.rows,
    "reporting": reporting,
    "evidence": bench_evidence.rows,
    "building": building,
    "cold": cold,
}
"""What is measured, the most important first."""


if __name__ == "__main__":
    main()
