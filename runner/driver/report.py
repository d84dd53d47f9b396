"""`driver.json`: what was found and how the run ended, written last."""

from __future__ import annotations

import json
import os
import time
from typing import Any

from runner.driver.log import RawLog
from runner.driver.run import Run

NAME = "driver.json"


def of_run(run: Run, found: dict[str, Any]) -> dict[str, Any]:
    """What a closed run tells; `found` is what the driver saw before it."""
    stage = run.stage
    return {
        "requests": dict(run.results),
        "restarts": stage.restarts,
        "engine_restarts": max(0, stage.engine.starts - 1),
        "found": {
            **found,
            **run.rights,
            "refused": stage.broker.refused,
            "ended_ns": time.monotonic_ns(),
        },
        "stderr": stage.engine.words.decode(errors="replace"),
    }


def of_no_run(found: dict[str, Any]) -> dict[str, Any]:
    """What is told of a run that did not even set its stage."""
    return {"requests": {}, "restarts": 0, "engine_restarts": 0, "found": found, "stderr": ""}


def keep(path: str, report: dict[str, Any], log: RawLog) -> None:
    """Write the report to `path`, whole or not at all."""
    whole = {**report, "chain": log.chain, "files": log.files}
    with open(path + ".part", "w", encoding="ascii") as target:
        json.dump(whole, target, sort_keys=True, indent=2)
        target.write("\n")
        target.flush()
        os.fsync(target.fileno())
    os.rename(path + ".part", path)
