"""The course of a run: warm-up, blocks, restarts, the engine path, the floors, the checks (D14-D16)."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from runner.driver import counters, floors
from runner.driver.engine import EngineError
from runner.driver.engine_path import EngineClient, ask_all
from runner.driver.environment import left_behind
from runner.driver.log import RawLog
from runner.driver.loop import Loop
from runner.driver.plan import Plan, Query
from runner.driver.session import Outcome, Request, Session
from runner.driver.stage import Stage
from runner.terminal.rawlog import Phase, Result, Role

SETTLE_MS = 10
Report = Callable[[str, int, int], None]


class Run:
    """Carries out one plan; what it found stands in its attributes, however it ends."""

    def __init__(self, plan: Plan, loop: Loop, log: RawLog, report: Report) -> None:
        self._plan, self._loop, self._log, self._report = plan, loop, log, report
        self.stage = Stage(plan, loop, log)
        self._session = Session(loop, log, plan.limits)
        self._numbers = self._submits = self._fruitless = self._in_file = 0
        self._given_up = False
        self.results: Counter[str] = Counter()
        self.rights: dict[str, dict[str, str]] = {}

    def carry_out(self) -> None:
        """Everything the plan asks for; Ended where it comes to an early end."""
        self._loop.limit(self._plan.limits.wall_limit_s)
        self._warm_up()
        for number, block in enumerate(self._plan.blocks, 1):
            self._measure(number, block)
        self._repeat(self._plan.blocks[:1])
        self._ask_engine()
        self._probe()
        self._check()

    def close(self) -> None:
        """End what runs and the open file, and note what is left of it."""
        self.stage.close()
        self._log.close(self._in_file)
        with self._file("after", "after"):
            for role, account in ((Role.ENGINE, self.stage.engine_account), (Role.UI, self.stage.ui_account)):
                for left in left_behind(account):
                    self._log.add("left", role=role, **left)
            for name in sorted(self.stage.strange_sockets):
                self._log.add("socket", name=name)

    @contextmanager
    def _file(self, name: str, block: int | str) -> Iterator[None]:
        self._in_file = 0
        self._log.open(f"{name}.jsonl", block=block, system=self._plan.system.name)
        counters.write(self._log)
        yield
        # What is said after a last frame belongs to its file.
        self._loop.pause(SETTLE_MS)
        counters.write(self._log)
        self.stage.note_memory()
        self.stage.look_for_sockets()
        self._log.close(self._in_file)
        gc.collect()

    def _warm_up(self) -> None:
        with self._file("block-000", 0):
            self._report("start", 0, 1)
            self.stage.start()
            self.rights = self.stage.rights()
            self._report("start", 1, 1)
            for done, query in enumerate(self._plan.warmup, 1):
                self._numbers += 1
                outcome = self._ask(Request(self._numbers, query, Phase.WARMUP))
                self._report("warmup", done, len(self._plan.warmup))
                if not outcome.came or self.stage.broken:
                    self._recover(outcome)
                    break
        self._numbers = len(self._plan.warmup)

    def _measure(self, number: int, block: Sequence[Query]) -> None:
        total = sum(len(each) for each in self._plan.blocks)
        with self._file(f"block-{number:03}", number):
            for query in block:
                self._numbers += 1
                self._ask_measured(Request(self._numbers, query, Phase.MEASURED))
                self._report("block", self._numbers - len(self._plan.warmup), total)

    def _ask_measured(self, request: Request) -> None:
        if self._given_up:
            self._count(self._session.charge(request))
            return
        outcome = self._ask(request)
        if outcome.result is Result.DONE and not self.stage.engine.gone:
            self._fruitless = 0
        if not outcome.came or self.stage.broken:
            self._recover(outcome)

    def _ask(self, request: Request) -> Outcome:
        if self.stage.ui is None:
            return self._session.charge(request)
        self._submits += 1
        outcome = self._session.ask(self.stage.ui, request, self._submits)
        self.stage.look_for_sockets()
        if request.phase.told:
            self._count(outcome)
        return outcome

    def _count(self, outcome: Outcome) -> None:
        self.results[outcome.result.value] += 1
        self._in_file += 1

    def _recover(self, outcome: Outcome) -> None:
        """Bring the system up again, or give it up when it was brought up often enough without an answer (D14)."""
        reason = self.stage.broken or outcome.result.value
        while self._fruitless < self._plan.limits.restarts:
            self._fruitless += 1
            self._submits = 0
            if not self.stage.restart(reason):
                reason = "not ready"
                continue
            outcome = self._rewarm()
            if outcome.came and not self.stage.broken:
                return
            reason = self.stage.broken or outcome.result.value
        self.stage.end_ui()
        self._given_up = True

    def _rewarm(self) -> Outcome:
        """Warm up again, uncounted; stops at the first request without a frame in time."""
        outcome = Outcome(Result.DONE)
        for query in self._plan.warmup:
            outcome = self._ask(Request(0, query, Phase.REWARM))
            if outcome.result is not Result.DONE or self.stage.broken:
                break
        return outcome

    def _repeat(self, blocks: Sequence[Sequence[Query]]) -> None:
        """Ask once more what was asked first, uncounted; stops where the system does not come through."""
        queries = [query for block in blocks for query in block]
        with self._file("repeat", "repeat"):
            for done, query in enumerate(queries, 1):
                if self.stage.broken:
                    break
                outcome = self._ask(Request(done, replace(query, held=False), Phase.REPEAT))
                self._report("repeat", done, len(queries))
                if not outcome.came:
                    break

    def _ask_engine(self) -> None:
        with self._file("engine", "engine"):
            self.stage.quit_ui()
            client = EngineClient(self._loop, self._log, self.stage.engine.connect, self._plan.limits.time_limit_ms)
            try:
                self.stage.revive_engine()
            except EngineError:
                return
            client.hello()
            if self._plan.engine_path:
                queries = [query for block in self._plan.blocks for query in block]
                ask_all(client, queries, lambda done: self._report("engine", done, len(queries)))
            client.close()
            self.stage.note_memory()
            self.stage.engine.quit()

    def _probe(self) -> None:
        wanted = self._plan.floors
        with self._file("floors", "floors"):
            if not wanted.echo + wanted.null_ui:
                return
            bench = floors.Bench(self._loop, self._log, self.stage.broker, self.stage.ui_account)
            total = wanted.echo + wanted.null_ui
            bench.echo(wanted.echo)
            self._report("floors", wanted.echo, total)
            bench.null_ui(wanted.null_ui)
            self._report("floors", total, total)

    def _check(self) -> None:
        with self._file("instrument", "instrument"):
            self._report("instrument", 0, 1)
            floors.Bench(self._loop, self._log, self.stage.broker, self.stage.ui_account).check()
            self._report("instrument", 1, 1)
