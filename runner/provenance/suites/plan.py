"""The plan of the suites that the driver is handed for one system (docs/raw-log.md)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from runner.documents import Digest, Document
from runner.provenance.driver_report import Hex
from runner.provenance.plan import PlanPaths
from runner.terminal.profile import Profile


class SuitesSystem(Document):
    """Whose suites: how its parts are started (`release` is empty where it has none), with which configuration."""

    name: str
    engine: tuple[str, ...]
    tui: tuple[str, ...]
    release: tuple[str, ...]
    configuration: dict[str, JsonValue]


class SuitesPlan(Document):
    """`suites.plan.json`. `lock` is the digest of run.lock.json; `follows` the last link of the drive's chain, so that
    the suites' own chain goes on from it."""

    system: SuitesSystem
    parts: Annotated[tuple[str, ...], Field(min_length=1)]
    texts: Annotated[tuple[str, ...], Field(min_length=1)]
    seed: int
    time_limit_ms: int
    wall_limit_s: int
    paths: PlanPaths
    isolation: Literal["users", "none"]
    terminal: Profile
    lock: Digest
    follows: Hex
