"""The measured system on its stage: engine, broker and UI, started, restarted and ended together."""

from __future__ import annotations

import os
import time

from runner.driver import counters
from runner.driver.broker import Broker
from runner.driver.engine import Engine, EngineError
from runner.driver.environment import rights
from runner.driver.log import RawLog
from runner.driver.loop import Ended, Loop
from runner.driver.plan import Isolation, Plan
from runner.driver.processes import (
    ENGINE_UID,
    UI_UID,
    Account,
    Command,
    environment,
    reap_strays,
    start_in_terminal,
)
from runner.driver.terminal import Terminal

READY_SECONDS = 10
QUIT_SECONDS = 2
_SECOND = 1_000_000_000
_CTRL_C = b"\x03"


class Stage:
    """Where one plan's engine and UI live; `close` leaves nothing running."""

    def __init__(self, plan: Plan, loop: Loop, log: RawLog) -> None:
        self._plan, self._loop, self._log = plan, loop, log
        users = plan.isolation is Isolation.USERS
        self._places = {name: os.path.join(plan.paths.run, name) for name in ("engine", "ui", "driver")}
        self.engine_account = Account(ENGINE_UID if users else None, self._places["engine"])
        self.ui_account = Account(UI_UID if users else None, self._places["ui"])
        self.engine = Engine(loop, log, self._engine_command(), self.engine_account, self._engine_socket)
        try:
            self._make_places()
            meeting = os.path.join(self._places["driver"], "ui")
            self.broker = Broker(loop, log, meeting, self.ui_account, self.engine.connect)
        except OSError as error:
            raise Ended("void", f"The writable places cannot be used: {error}.") from None
        self.ui: Terminal | None = None
        self.started = self.restarts = 0
        self.strange_sockets: set[str] = set()

    @property
    def broken(self) -> str:
        """Why the system cannot be asked now; empty if it can."""
        if self.engine.gone:
            return "engine exit"
        return "crash" if self.ui is None or self.ui.gone else ""

    def start(self) -> None:
        """Bring engine and UI up for the first time, or end the run as void."""
        try:
            self.engine.start()
        except EngineError as failure:
            raise Ended("void", str(failure)) from None
        try:
            ready = self._start_ui()
        except OSError as error:
            raise Ended("void", f"The UI cannot be started: {error}.") from None
        if not ready:
            raise Ended("void", f"The UI was not ready for keys: {self._why_not_ready()}")

    def restart(self, reason: str) -> bool:
        """Kill the UI, bring it (and an engine that has ended) up again; whether it is ready for keys."""
        self._log.add("restart", reason=reason)
        self.restarts += 1
        self.end_ui()
        try:
            self.revive_engine()
            return self._start_ui()
        except (EngineError, OSError):
            return False

    def revive_engine(self) -> None:
        """Start the engine again if it has ended; EngineError if it does not come."""
        if self.engine.gone:
            self.engine.start()

    def quit_ui(self) -> None:
        """Ask the UI to end, as a person would, before it is made to."""
        if self.ui is not None and not self.ui.gone:
            ui = self.ui
            ui.write("quit", _CTRL_C)
            self._loop.until(lambda: ui.ended, time.monotonic_ns() + QUIT_SECONDS * _SECOND)
        self.end_ui()

    def end_ui(self) -> None:
        """End the UI and all it started; hang up its connections."""
        if self.ui is not None:
            self.ui.close()
            self.ui = None
        self.broker.hang_up()
        self.reap()

    def end_engine(self) -> None:
        """End the engine and all it started, and take its socket away."""
        self.engine.kill()
        self.reap()
        self.engine.unlink()

    def reap(self) -> None:
        """End what the children left behind."""
        alive = (self.engine.pid, self.ui.pid if self.ui else None)
        reap_strays({pid for pid in alive if pid is not None})

    def close(self) -> None:
        """End everything."""
        self.end_ui()
        self.end_engine()
        self.broker.close()
        os.rmdir(os.path.join(self._places["driver"], "ui"))

    def look_for_sockets(self) -> None:
        """Note named sockets by which UI and engine could talk past the driver (with users the namespace is ours)."""
        if self._plan.isolation is Isolation.USERS:
            ours = {self._engine_socket, self.broker.search_path, self.broker.events_path}
            self.strange_sockets |= counters.named_sockets() - ours

    def note_memory(self) -> None:
        """Add a `memory` event for engine and UI, as far as they run."""
        pids = {"engine": (self.engine.starts, self.engine.pid), "ui": (self.started, self.ui.pid if self.ui else None)}
        for role, (process, pid) in pids.items():
            if pid is not None:
                self._log.add("memory", role=role, process=process, peak_bytes=counters.peak_memory(pid))

    def rights(self) -> dict[str, dict[str, str]]:
        """What engine and UI may do, as the kernel says now."""
        pids = {"engine": self.engine.pid, "ui": self.ui.pid if self.ui else None}
        return {role: rights(pid) for role, pid in pids.items() if pid is not None}

    def ui_environment(self) -> dict[str, str]:
        """All that a UI is told (images/README.md)."""
        return environment(
            self.ui_account,
            MAMBO_CORPUS=self._plan.paths.corpus,
            MAMBO_CONFIGURATION=self._plan.system.configuration,
            MAMBO_SOCKET=self.broker.search_path,
            MAMBO_EVENTS=self.broker.events_path,
            TERM="xterm-256color",
        )

    @property
    def _engine_socket(self) -> str:
        return os.path.join(self._places["engine"], "engine.sock")

    def _engine_command(self) -> Command:
        told = environment(
            self.engine_account,
            MAMBO_CORPUS=self._plan.paths.corpus,
            MAMBO_MODELS=self._plan.paths.models,
            MAMBO_CONFIGURATION=self._plan.system.configuration,
            MAMBO_ENGINE_SOCKET=self._engine_socket,
        )
        return Command(self._plan.system.engine, self._plan.paths.system, told)

    def _start_ui(self) -> bool:
        self.started += 1
        command = Command(self._plan.system.tui, self._plan.paths.system, self.ui_environment())
        child = start_in_terminal(command, self.ui_account)
        ui = self.ui = Terminal(self._loop, self._log, child, self.ui_account, self.started, self._plan.terminal)
        before, deadline = self._log.weight, time.monotonic_ns() + READY_SECONDS * _SECOND
        self._loop.until(lambda: ui.gone or ui.typing(1) or self._log.flooded(before), deadline)
        ready = ui.typing(1) and not ui.gone
        if ready:
            self._log.add("ready", role="ui", process=self.started)
        self._log.flush()
        self.look_for_sockets()
        return ready

    def _why_not_ready(self) -> str:
        if self.ui is None or self.ui.gone:
            return "it ended before its first typing frame."
        return f"no typing frame with submit=1 within {READY_SECONDS} s."

    def _make_places(self) -> None:
        if self._plan.isolation is Isolation.NONE:
            for place in self._places.values():
                os.makedirs(place, mode=0o700, exist_ok=True)
        for name, place in self._places.items():
            if not os.path.isdir(place):
                raise Ended("void", f"The writable place of {name} is missing: {place}.")
