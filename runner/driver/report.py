"""`driver.json`: what was found and how the run ended, written last."""

from __future__ import annotations

import json
import os
import time
from typing import Any

from runner.driver import environment
from runner.driver.log import RawLog
from runner.driver.run import Run

NAME = "driver.json"


def of_run(run: Run, found: dict[str, Any]) -> dict[str, Any]:
    """What a closed run tells; `found` is what the driver saw before it."""
    stage = run.stage
    accounts = {"engine": stage.engine_account, "ui": stage.ui_account}
    return {
        "requests": dict(run.results),
        "restarts": stage.restarts,
        "engine_restarts": stage.engine_restarts,
        "hello": _object(run.hello),
        "found": {
            **found,
            **run.rights,
            "refused": stage.broker.refused,
            "sockets": sorted(stage.strange_sockets),
            "ended_ns": time.monotonic_ns(),
        },
        "writable": [left for role, account in accounts.items() for left in environment.left_behind(role, account)],
        "stderr": stage.engine.words.decode(errors="replace"),
        "floors": run.floors,
    }


def of_no_run(found: dict[str, Any]) -> dict[str, Any]:
    """What is told of a run that did not even set its stage."""
    nothing: dict[str, Any] = {"requests": {}, "restarts": 0, "engine_restarts": 0, "hello": None, "found": found}
    return nothing | {"writable": [], "stderr": "", "floors": {}}


def keep(folder: str, report: dict[str, Any], log: RawLog) -> None:
    """Write driver.json, whole or not at all."""
    path = os.path.join(folder, NAME)
    whole = {**report, "chain": log.chain, "files": log.files}
    with open(path + ".part", "w", encoding="utf-8") as target:
        json.dump(whole, target, sort_keys=True, indent=2, ensure_ascii=False)
        target.write("\n")
        target.flush()
        os.fsync(target.fileno())
    os.rename(path + ".part", path)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
