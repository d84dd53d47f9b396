"""What the measuring itself costs and notices: the echo of a terminal, and a UI that has nothing to do."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from runner.driver.broker import Broker
from runner.driver.log import RawLog
from runner.driver.loop import Loop
from runner.driver.null_engine import NullEngine
from runner.driver.plan import Limits, Query
from runner.driver.processes import Account, Command, environment, start_in_terminal
from runner.driver.session import Request, Session
from runner.driver.terminal import Terminal
from runner.terminal import instrument
from runner.terminal.rawlog import Phase, Result

_HERE = os.path.dirname(os.path.abspath(__file__))
_SECOND = 1_000_000_000
_WAIT_MS = 5_000
_QUERY = Query("null", instrument.TEXT)
_CHECKED = Limits(instrument.TIME_LIMIT_MS, instrument.LATE_MS, hold_ms=0, restarts=0, wall_limit_s=1)


class Drawn(NamedTuple):
    """One search of the null UI: its latency, and the driver's read stamp minus the UI's own stamp of its draw."""

    ns: int
    error_ns: int
    key: int


class Bench:
    """Runs probes as `account`; keeps each in the log."""

    def __init__(self, loop: Loop, log: RawLog, broker: Broker, account: Account) -> None:
        self._loop, self._log, self._broker, self._account = loop, log, broker, account
        self._started = 0

    def echo(self, count: int) -> list[int]:
        """Nanoseconds from a key to its echo."""
        terminal = self._start("echo.py")
        found = []
        for _ in range(count if self._ready(terminal) else 0):
            took = self._echoed(terminal)
            if took is None:
                break
            self._log.add("probe", probe="echo", ns=took)
            self._log.flush()
            found.append(took)
        terminal.close()
        return found

    def null_ui(self, count: int, delay_ms: float = 0) -> list[Drawn]:
        """Searches of the null UI that draws `delay_ms` after Enter."""
        terminal = self._start("null_ui.py", str(delay_ms))
        session = Session(self._loop, self._log, Limits(_WAIT_MS, 0, 0, 0, 1))
        found = []
        for submit in range(1, (count if self._ready(terminal) else 0) + 1):
            drawn = self._searched(session, terminal, submit)
            if drawn is None:
                break
            self._log.add("probe", probe="null_ui", ns=drawn.ns, error_ns=drawn.error_ns)
            found.append(drawn)
        self._log.flush()
        terminal.close()
        return found

    def check(self) -> None:
        """Searches of the null UI in which the instrument must notice what is known to be there."""
        engine = NullEngine(self._loop)
        self._broker.serve(engine.connect)
        delays = [f"{each.delay_ms} {'swapped' if each.swapped else ''}" for each in instrument.ANSWERS]
        terminal = self._start("null_ui.py", *delays, MAMBO_SOCKET=self._broker.search_path)
        session = Session(self._loop, self._log, _CHECKED)
        for submit in range(1, (len(delays) if self._ready(terminal) else 0) + 1):
            if not self._checked(session, terminal, submit):
                break
        terminal.close()
        self._broker.hang_up()
        engine.close()

    def _start(self, program: str, *arguments: str, **variables: str) -> Terminal:
        self._started += 1
        told = environment(self._account, MAMBO_EVENTS=self._broker.events_path, TERM="xterm-256color", **variables)
        words = [sys.executable, "-I", os.path.join(_HERE, program), *arguments]
        child = start_in_terminal(Command(words, "/", told), self._account)
        return Terminal(self._loop, self._log, child, self._account, self._started)

    def _wait(self, satisfied: Callable[[], bool]) -> bool:
        return self._loop.until(satisfied, time.monotonic_ns() + _WAIT_MS * 1_000_000)

    def _ready(self, terminal: Terminal) -> bool:
        return self._wait(lambda: terminal.gone or terminal.typing(1)) and not terminal.gone

    def _echoed(self, terminal: Terminal) -> int | None:
        key = terminal.write("text", b"x")
        came = self._wait(lambda: terminal.gone or terminal.last_read > key)
        return terminal.last_read - key if came and not terminal.gone else None

    def _searched(self, session: Session, terminal: Terminal, submit: int) -> Drawn | None:
        outcome = session.ask(terminal, Request(0, _QUERY, Phase.WARMUP), submit)
        if outcome.result is not Result.DONE or terminal.done is None:
            return None
        if not self._wait(lambda: terminal.gone or self._broker.drawn[0] == submit):
            return None
        read = terminal.done[0]
        return Drawn(read - terminal.key, read - self._broker.drawn[1], terminal.key)

    def _checked(self, session: Session, terminal: Terminal, submit: int) -> bool:
        """Whether the null UI has drawn, in time or not, and said so."""
        query = Query(f"check-{submit}", instrument.TEXT)
        outcome = session.ask(terminal, Request(submit, query, Phase.CHECK), submit)
        return outcome.came and self._wait(lambda: terminal.gone or self._broker.drawn[0] == submit)
