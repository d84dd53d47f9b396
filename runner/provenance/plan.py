"""The plan that the driver is handed, as the runner writes it (docs/raw-log.md)."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from runner.documents import Digest, Document
from runner.provenance.manifest import Floors
from runner.terminal.profile import Profile


class PlannedSystem(Document):
    """What is measured: how its parts are started, with which configuration."""

    name: str
    engine: tuple[str, ...]
    tui: tuple[str, ...]
    configuration: dict[str, JsonValue]


class PlannedWarmup(Document):
    """One search of the warm-up."""

    query_id: str
    text: str


class PlannedSearch(Document):
    """One measured search; a held one has its done frame watched (D12)."""

    query_id: str
    text: str
    held: bool


class PlanLimits(Document):
    """What bounds a request and the run."""

    time_limit_ms: int
    late_ms: int
    hold_ms: int
    restarts: int
    wall_limit_s: int


class PlanPaths(Document):
    """Folders as the driver sees them; below `run` it makes the writable places."""

    system: str
    corpus: str
    models: str
    run: str


class Plan(Document):
    """`plan.json`. `lock` is the digest of run.lock.json, so that the chain of the raw log starts from it."""

    system: PlannedSystem
    warmup: tuple[PlannedWarmup, ...]
    blocks: tuple[tuple[PlannedSearch, ...], ...]
    limits: PlanLimits
    paths: PlanPaths
    isolation: Literal["users", "none"]
    terminal: Profile
    engine_path: bool
    floors: Floors
    lock: Digest
