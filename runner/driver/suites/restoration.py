"""The suite about restoring the terminal: every ending of the UI, after a search and during one."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from runner.driver.broker import Broker
from runner.driver.engine import Engine
from runner.driver.environment import rights
from runner.driver.log import RawLog
from runner.driver.processes import Command, environment, kill_all, reap_strays
from runner.driver.screen import is_empty, shows
from runner.driver.suites.stage import CannotRun, Hall
from runner.driver.suites.tty import EARLIER, Tty, drawing
from runner.driver.terminal import Terminal
from runner.provenance.suites.endings import DURING, ENDINGS, MOMENTS, Ending

READY_SECONDS, END_SECONDS = 10, 5
#: After so many UIs that did not end, the next ones get a second.
MOST_HUNG = 3
#: How long the engine stays still after the ending, so that this falls into the search.
STILL_MS = 150
#: What is written after the end belongs to it.
SETTLE_MS = 30
_SECOND = 1_000_000_000
_CLEAR, _SUBMIT, _HALF = b"\x15", b"\r", "ca"


def run(hall: Hall) -> None:
    """Every ending at every moment; CannotRun where the UI does not come to its first frame."""
    engine = hall.engine()
    ears = Ears(hall.log)
    broker = Broker(hall.loop, ears, hall.meeting, hall.ui_account, engine.connect)
    try:
        for moment in MOMENTS:
            for ending in ENDINGS:
                hall.log.add("case", name=f"{ending.name}, {moment}")
                Sitting(hall, engine, broker, ears).hold(ending, moment)
                broker.hang_up()
                hall.log.flush()
    finally:
        hall.log.add("case", name="")
        broker.close()
        os.rmdir(hall.meeting)
        engine.quit()


class Ears:
    """Keeps what passes between UI and engine, and counts what the UI asks."""

    def __init__(self, log: RawLog) -> None:
        self._log = log
        self.asked = 0

    def add(self, kind: str, t: int | None = None, /, **fields: Any) -> None:
        """See RawLog.add."""
        self.asked += kind == "req"
        self._log.add(kind, t, **fields)


class Sitting:
    """One UI from its start to its end."""

    def __init__(self, hall: Hall, engine: Engine, broker: Broker, ears: Ears) -> None:
        self._hall, self._engine, self._broker, self._ears = hall, engine, broker, ears
        self._tty = Tty(hall.ui_account)

    def hold(self, ending: Ending, moment: str) -> None:
        """Start, search, end, and look at what is left of the terminal."""
        hall = self._hall
        hall.log.add("earlier", b64=EARLIER)
        hall.log.add("lines", when="before", termios=self._tty.lines())
        self._tty.start(self._command())
        hall.sittings += 1
        ui = Terminal(hall.loop, hall.log, self._tty, hall.ui_account, hall.sittings, hall.plan.terminal)
        try:
            self._until(lambda: ui.gone or ui.typing(1), READY_SECONDS * _SECOND)
            if ui.gone or not ui.typing(1):
                raise CannotRun(f"the UI was not ready for keys within {READY_SECONDS} s.")
            hall.rights.setdefault("ui", rights(ui.pid))
            self._search_during(ui, ending) if moment == DURING else self._search_before(ui, ending)
            self._until(lambda: ui.ended, END_SECONDS * _SECOND if hall.hung < MOST_HUNG else _SECOND)
            hall.hung += not ui.ended
            hall.loop.pause(SETTLE_MS)
            if ui.ended:
                hall.log.add("lines", when="after", termios=self._tty.lines())
        finally:
            with suppress(ProcessLookupError):
                kill_all(hall.ui_account, ui.pid)
            ui.close()
            reap_strays({pid for pid in (self._engine.pid,) if pid is not None})

    def _command(self) -> Command:
        hall = self._hall
        told = environment(
            hall.ui_account,
            MAMBO_CORPUS=hall.plan.paths.corpus,
            MAMBO_CONFIGURATION=hall.plan.system.configuration,
            MAMBO_SOCKET=self._broker.search_path,
            MAMBO_EVENTS=self._broker.events_path,
            TERM="xterm-256color",
        )
        return Command(hall.plan.system.tui, hall.plan.paths.system, told)

    def _search_before(self, ui: Terminal, ending: Ending) -> None:
        """A search that is done, half a query, then the end."""
        self._type(ui, self._hall.plan.texts[0], 1)
        ui.await_done(1)
        ui.write("submit", _SUBMIT)
        self._wait(lambda: ui.done is not None or ui.gone)
        self._type(ui, _HALF, 2)
        self._end(ui, ending)

    def _search_during(self, ui: Terminal, ending: Ending) -> None:
        """A search whose reply is kept back until after the end was asked for."""
        self._type(ui, self._hall.plan.texts[0], 1)
        before = self._ears.asked
        self._signal_engine(signal.SIGSTOP)
        try:
            ui.write("submit", _SUBMIT)
            self._wait(lambda: self._ears.asked > before or ui.gone)
            self._end(ui, ending)
            self._hall.loop.pause(STILL_MS, lambda: ui.ended)
        finally:
            self._signal_engine(signal.SIGCONT)

    def _type(self, ui: Terminal, text: str, submit: int) -> None:
        ui.write("clear", _CLEAR)
        self._wait(lambda: ui.gone or (ui.typing(submit) and is_empty(ui.screen.query_line())))
        ui.write("text", text.encode())
        self._wait(lambda: ui.gone or (ui.typing(submit) and shows(ui.screen.query_line(), text)))

    def _end(self, ui: Terminal, ending: Ending) -> None:
        # A person takes a moment too: a UI that was about to wait for keys does so now.
        self._hall.loop.pause(SETTLE_MS, lambda: ui.gone)
        if ending.clears:
            ui.write("clear", _CLEAR)
            # The key that ends is one of its own, also for a UI that does not read while it searches.
            self._hall.loop.pause(SETTLE_MS, lambda: ui.gone)
        if ending.keys:
            ui.write("quit", ending.keys)
            return
        pid = drawing(ui.pid) if ending.to == "drawing" else ui.pid
        self._hall.log.add("signalled", name=ending.signal, to=ending.to)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.Signals[ending.signal])

    def _signal_engine(self, number: int) -> None:
        if self._engine.pid is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._engine.pid, number)

    def _wait(self, satisfied: Callable[[], bool]) -> None:
        self._until(satisfied, self._hall.plan.time_limit_ms * 1_000_000)

    def _until(self, satisfied: Callable[[], bool], patience: int) -> None:
        self._hall.loop.until(satisfied, time.monotonic_ns() + patience)
