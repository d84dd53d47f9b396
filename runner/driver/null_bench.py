"""`python3 -m runner.driver.null_bench [PROBES]`: the error of the measuring itself, probe by probe, as JSON."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
from itertools import pairwise

from runner.driver.broker import Broker
from runner.driver.floors import Bench, Drawn
from runner.driver.log import RawLog
from runner.driver.loop import Loop
from runner.driver.processes import Account

DELAYS_MS = (0, 1, 5, 20, 100, 500)
PROBES = 100
#: Slow delays get fewer probes, so that the whole bench stays under a minute.
LONGEST_MS = 10_000


def measure(probes: int) -> dict[str, object]:
    """Error of the stamps for each delay of the null UI, echo floor, and what the driver takes between searches; lists.

    `error_ns` is the distance between the driver's read stamp and the UI's own stamp of its draw. `between_ns` runs
    from one search's done frame to the next search's key: log, clear, typing, and the null UI's two frames.
    """
    with tempfile.TemporaryDirectory(prefix="mambo") as folder:
        loop, log, account = Loop(), RawLog(folder, ""), Account(None, folder)
        log.open("floors.jsonl", block="floors", system="null")
        broker = Broker(loop, log, os.path.join(folder, "ui"), account, _no_engine)
        bench = Bench(loop, log, broker, account)
        echo = bench.echo(10 * probes)
        drawn = {ms: bench.null_ui(min(probes, LONGEST_MS // max(ms, 1)), ms) for ms in DELAYS_MS}
        broker.close()
        log.close(0)
    return {
        "echo_ns": echo,
        "error_ns": {str(ms): [abs(each.error_ns) for each in found] for ms, found in drawn.items()},
        "between_ns": _between(drawn[0]),
    }


def _between(drawn: list[Drawn]) -> list[int]:
    return [after.key - (before.key + before.ns) for before, after in pairwise(drawn)]


def _no_engine() -> socket.socket:
    raise ConnectionRefusedError("the null UI needs no engine")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]) if len(sys.argv) > 1 else PROBES)) + "\n")
