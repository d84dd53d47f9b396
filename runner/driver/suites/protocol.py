"""The suite about the release protocol: holds every conversation of the script with the engine."""

from __future__ import annotations

from runner.driver.suites.stage import CannotRun, Hall
from runner.driver.suites.wire import Switchboard, Wire
from runner.provenance.suites.cases import Case, Step, cases

#: An engine that dies at every case is not brought up for ever.
MOST_STARTS = 30
DEATH_MS = 200


def run(hall: Hall) -> None:
    """Every case, each with an engine that lives at its start; EngineError or CannotRun where none does."""
    engine = hall.engine()
    board = Switchboard(hall.loop, hall.log, engine.connect)
    try:
        for case in cases(hall.plan.texts[0]):
            if engine.gone:
                if engine.starts >= MOST_STARTS:
                    raise CannotRun(f"the engine ended {MOST_STARTS} times.")
                engine.start()
            hall.log.add("case", name=case.name)
            if Talk(hall, board).hold(case):
                # Its end may be seen a little later than that of its connections.
                hall.loop.pause(DEATH_MS, lambda: engine.gone)
            hall.log.flush()
    finally:
        # What follows belongs to no case.
        hall.log.add("case", name="")
        engine.quit()


class Talk:
    """One case under way."""

    def __init__(self, hall: Hall, board: Switchboard) -> None:
        self._hall, self._board = hall, board
        self._wires: dict[str, Wire] = {}
        self._refused = False

    def hold(self, case: Case) -> bool:
        """Take every step, whatever comes; then hang up. Whether the engine did so first, or took no connection."""
        for step in case.steps:
            self._take(step)
        cut = self._refused or any(wire.lost for wire in self._wires.values())
        for wire in self._wires.values():
            wire.farewell()
        return cut

    def _take(self, step: Step) -> None:
        if step.do == "dial":
            self._dial(step.name)
        elif step.name in self._wires:
            self._use(self._wires[step.name], step)

    def _dial(self, name: str) -> None:
        wire = self._board.dial(name)
        if wire is None:
            self._refused = True
        else:
            self._wires[name] = wire

    def _use(self, wire: Wire, step: Step) -> None:
        limit = self._hall.patience_ms
        if step.do == "send":
            wire.send(step.data, limit)
        elif step.do == "wait":
            self._hall.silences += not wire.wait(step.lines, limit)
        elif step.do == "end":
            wire.end()
        else:
            wire.close()
