"""Where the suites are played: places, accounts, and engines with or without a folder of releases."""

from __future__ import annotations

import os

from runner.driver.engine import Engine
from runner.driver.environment import rights
from runner.driver.log import RawLog
from runner.driver.loop import Ended, Loop
from runner.driver.plan import Isolation
from runner.driver.processes import ENGINE_UID, UI_UID, Account, Command, environment, reap_strays
from runner.driver.suites.plan import SuitesPlan

MOST_SILENCES = 8
_SHORT_MS = 50


class CannotRun(Exception):
    """A suite cannot be run to its end; the message is one line for people."""


class Hall:
    """The places of one plan, and what engine and UI are told there."""

    def __init__(self, plan: SuitesPlan, loop: Loop, log: RawLog) -> None:
        self.plan, self.loop, self.log = plan, loop, log
        users = plan.isolation is Isolation.USERS
        self._places = {name: os.path.join(plan.paths.run, name) for name in ("engine", "ui", "driver")}
        self.engine_account = Account(ENGINE_UID if users else None, self._places["engine"])
        self.ui_account = Account(UI_UID if users else None, self._places["ui"])
        self._engines: list[Engine] = []
        self.silences = self.sittings = self.hung = 0
        self.rights: dict[str, dict[str, str]] = {}
        for name, place in self._places.items():
            if not users:
                os.makedirs(place, mode=0o700, exist_ok=True)
            if not os.path.isdir(place):
                raise Ended("void", f"The writable place of {name} is missing: {place}.")

    @property
    def patience_ms(self) -> int:
        """How long a reply is waited for: the time limit, but little once many have not come."""
        return self.plan.time_limit_ms if self.silences < MOST_SILENCES else _SHORT_MS

    @property
    def meeting(self) -> str:
        """The folder in which the UI finds its sockets; the broker makes it."""
        return os.path.join(self._places["driver"], "ui")

    def engine(self, releases: str | None = None) -> Engine:
        """An engine that accepts connections; EngineError if it does not come."""
        made = Engine(self.loop, self.log, self._engine_command(releases), self.engine_account, self._engine_socket)
        self._engines.append(made)
        made.start()
        if made.pid is not None:
            self.rights.setdefault("engine", rights(made.pid))
        return made

    def place_of(self, name: str) -> str:
        """A path below the engine's writable place."""
        return os.path.join(self._places["engine"], name)

    def close(self) -> None:
        """End every engine."""
        for engine in self._engines:
            engine.kill()
            engine.unlink()
        reap_strays(set())

    def engine_environment(self, releases: str | None, **more: str) -> dict[str, str]:
        """All that an engine, or the command `release`, is told (images/README.md)."""
        known = {} if releases is None else {"MAMBO_RELEASES": releases}
        return environment(
            self.engine_account,
            MAMBO_CONFIGURATION=self.plan.system.configuration,
            MAMBO_ENGINE_SOCKET=self._engine_socket,
            **{"MAMBO_CORPUS": self.plan.paths.corpus, "MAMBO_MODELS": self.plan.paths.models, **known, **more},
        )

    @property
    def _engine_socket(self) -> str:
        return os.path.join(self._places["engine"], "engine.sock")

    def _engine_command(self, releases: str | None) -> Command:
        return Command(self.plan.system.engine, self.plan.paths.system, self.engine_environment(releases))
