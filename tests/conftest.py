"""What all tests share: in CI, an image even on the day after a mirror dropped a locked package; and the verbs."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from hypothesis import settings

from runner.cli import ROOT, main, tools
from runner.errors import Gone
from runner.workflows.build import design
from runner.workflows.relock import relock

# A law holds on a busy machine too.
settings.register_profile("untimed", settings(), deadline=None)
settings.load_profile("untimed")

MOVED = pytest.StashKey[list[str]]()
#: What the command line takes for the whole process.
HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Said(NamedTuple):
    """How a verb ended."""

    status: int
    out: str
    err: str


def pytest_sessionstart(session: pytest.Session) -> None:
    """In CI, build from a temporary re-lock where the mirror no longer has what is locked; never elsewhere."""
    if os.environ.get("CI") != "true":
        return
    kit = tools()
    try:
        design(kit.workshop(), kit.progress)
    except Gone as error:
        folder = ROOT / ".cache/temporary-locks"
        folder.mkdir(parents=True, exist_ok=True)
        moves = relock(kit.workshop(), folder)
        os.environ["MAMBO_LOCKS"] = str(folder)
        session.config.stash[MOVED] = [str(error), *(f"{m.lock} {m.name}: {m.old} -> {m.new}" for m in moves)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say loudly that what was tested is not the pinned image."""
    moves = config.stash.get(MOVED, None)
    if moves:
        terminalreporter.section("NOT THE PINNED IMAGE: built from a temporary re-lock", sep="!", red=True, bold=True)
        for line in moves:
            terminalreporter.line(line)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Callable[..., Said]]:
    """Runs a verb of the command line in this process, which saves the start of another one."""
    handlers = {number: signal.getsignal(number) for number in HANDLED}

    def run(*words: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["bench", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        return Said(ended.value.code, *capsys.readouterr())

    yield run
    gc.enable()
    for number, handler in handlers.items():
        signal.signal(number, handler)
