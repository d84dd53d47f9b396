"""One request, from the first key to its last frame (D10, D13, D14)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from runner.driver.log import RawLog
from runner.driver.loop import Ended, Loop
from runner.driver.plan import Limits, Query
from runner.driver.screen import is_empty, shows
from runner.driver.terminal import Terminal
from runner.terminal.rawlog import Phase, Result

#: What UI and engine may send in a run.
LARGEST_LOG = 256 << 20
#: How long a held request is watched before its key, for a UI that asks too early.
EARLY_MS = 20
_MS = 1_000_000
_CLEAR, _SUBMIT = b"\x15", b"\r"


class Outcome(NamedTuple):
    """A result, whether its frame came after the time limit, and whether its hold was cut short."""

    result: Result
    late: bool = False
    cut: bool = False

    @property
    def came(self) -> bool:
        """Whether the frame came at all, so that the UI can be asked again."""
        return self.result is Result.DONE or self.late


@dataclass(frozen=True, slots=True)
class Request:
    """A query at its place in the run; `number` is 0 for a rewarm."""

    number: int
    query: Query
    phase: Phase


class Session:
    """Asks a UI, one request at a time."""

    def __init__(self, loop: Loop, log: RawLog, limits: Limits) -> None:
        self._loop, self._log, self._limits = loop, log, limits

    def ask(self, ui: Terminal, request: Request, submit: int) -> Outcome:
        """Type and submit a query, and wait for its frame; `submit` is the number that this UI must give it."""
        if self._log.weight > LARGEST_LOG:
            raise Ended("void", f"The system sent more than {LARGEST_LOG >> 20} MiB.")
        return self._told(request, submit, _Attempt(self._loop, self._log, self._limits, ui, submit))

    def charge(self, request: Request) -> Outcome:
        """Count a request that is not sent, since the UI cannot be brought back."""
        return self._told(request, 0, None)

    def _told(self, request: Request, submit: int, attempt: _Attempt | None) -> Outcome:
        query = request.query
        self._log.add(
            "begin",
            request=request.number,
            query_id=query.query_id,
            text=query.text,
            submit=submit,
            held=query.held,
            phase=request.phase.value,
        )
        outcome = attempt.run(query) if attempt else Outcome(Result.CHARGED)
        self._log.add("finish", result=outcome.result.value, late=outcome.late, cut=outcome.cut)
        self._log.flush()
        return outcome


class _Attempt:
    """The keys and waits of one request."""

    def __init__(self, loop: Loop, log: RawLog, limits: Limits, ui: Terminal, submit: int) -> None:
        self._loop, self._log, self._limits, self._ui, self._submit = loop, log, limits, ui, submit
        self._before = log.weight

    def run(self, query: Query) -> Outcome:
        if not self._type(query.text):
            return self._failed()
        if query.held:
            self._loop.pause(EARLY_MS, self._broken)
        # Whatever was sent before the key is read, and so stamped, before the key.
        self._loop.drain()
        outcome = self._press_enter()
        if query.held and outcome.result is Result.DONE:
            return outcome._replace(cut=self._loop.pause(self._limits.hold_ms, self._broken))
        return outcome

    def _broken(self) -> bool:
        return self._ui.gone or self._log.flooded(self._before)

    def _failed(self) -> Outcome:
        return Outcome(Result.CRASH if self._broken() else Result.TIMEOUT)

    def _type(self, text: str) -> bool:
        self._ui.write("clear", _CLEAR)
        if not self._see(lambda: is_empty(self._ui.screen.query_line())):
            return False
        self._ui.write("text", text.encode())
        if not self._see(lambda: shows(self._ui.screen.query_line(), text)):
            return False
        self._log.add("shown", submit=self._submit)
        return True

    def _see(self, wanted: Callable[[], bool]) -> bool:
        """Wait for a typing frame with the coming number on which `wanted` holds."""
        deadline = time.monotonic_ns() + self._limits.time_limit_ms * _MS
        self._loop.until(lambda: self._broken() or (self._ui.typing(self._submit) and wanted()), deadline)
        return not self._broken() and self._ui.typing(self._submit) and wanted()

    def _press_enter(self) -> Outcome:
        if self._broken():
            return self._failed()
        ui, limit = self._ui, self._limits.time_limit_ms * _MS
        ui.await_done(self._submit)
        key = ui.write("submit", _SUBMIT)
        self._loop.until(lambda: ui.done is not None or self._broken(), key + limit)
        if ui.done is None and not self._broken():
            self._loop.until(lambda: ui.done is not None or self._broken(), key + limit + self._limits.late_ms * _MS)
        return self._judged(key + limit)

    def _judged(self, deadline: int) -> Outcome:
        if self._ui.done is None:
            return self._failed()
        stamp, marker = self._ui.done
        self._log.add("done", stamp, submit=marker.submit, frame=marker.frame)
        return Outcome(Result.DONE) if stamp <= deadline else Outcome(Result.TIMEOUT, late=True)
