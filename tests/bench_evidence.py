"""What a stranger waits for: a published result verified, reviewed in a browser, and held against another run of it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from selenium.webdriver.support.ui import WebDriverWait

from runner.adapters.archives import open_result
from runner.shell import ROOT
from runner.workflows.repeat import hold, read_side
from tests.bench_rows import Row, at_most
from tests.report.browser import ask, browser, look

PUBLISHED = ROOT / "results/published"
DRAWN = "return document.getElementById('where')?.textContent.includes('done frame')"


def rows() -> Iterator[Row]:
    """The newest published result, as it lies there."""
    archive = max(PUBLISHED.glob("*/*.tar.zst"))
    seconds, megabytes = measured("verify", archive, "--trust", archive.parent / "trust.json")
    yield at_most("verify a full result of three systems", seconds, 10, "s")
    yield at_most("its peak of memory", megabytes, 500, "MB")
    yield opened(archive)
    started = time.monotonic()
    side = read_side(open_result(archive))
    hold(side, read_side(open_result(archive)), {})
    yield at_most("hold two results against each other", time.monotonic() - started, 30, "s")


def measured(*words: object) -> tuple[float, float]:
    """Seconds, and megabytes at the peak, of a verb in a process of its own."""
    started = time.monotonic()
    child = subprocess.Popen([sys.executable, "-m", "runner", *map(str, words)], cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    # By the code of a later commit a page may come out otherwise: 2, after all the work.
    if child.returncode not in {0, 2}:
        raise RuntimeError(f"{words[0]} ended with status {child.returncode}")
    return time.monotonic() - started, used.ru_maxrss * 1024 / 1e6


def opened(archive: Path) -> Row:
    """The review page in a browser, until the first request's frame is on it."""
    with tempfile.TemporaryDirectory() as scratch, browser(Path(scratch) / "profile") as driver:
        page = Path(scratch) / "review"
        measured("review", archive, "--to", page)
        look(driver, Path(os.devnull), width=1440)
        started = time.monotonic()
        look(driver, page / "index.html", width=1440)
        WebDriverWait(driver, 60, poll_frequency=0.02).until(lambda _: ask(driver, DRAWN))
        took = time.monotonic() - started
    requests = len(open_result(archive).read("observations.jsonl").splitlines())
    return at_most(f"review page of {requests:,} requests, until its first frame", took, 2, "s")
