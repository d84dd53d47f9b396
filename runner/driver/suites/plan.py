"""The plan of the suites: which system, under which names, and what to ask it; read once and strictly."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from runner.driver.plan import (
    Isolation,
    Paths,
    PlanError,
    System,
    Table,
    load,
    read_isolation,
    read_lock,
    read_paths,
    read_profile,
    read_system,
)
from runner.terminal.profile import Profile


@dataclass(frozen=True, slots=True)
class SuitesPlan:
    """A whole plan; `digest` is the hex sha256 of its line."""

    system: System
    parts: tuple[str, ...]
    texts: tuple[str, ...]
    seed: int
    time_limit_ms: int
    wall_limit_s: int
    paths: Paths
    isolation: Isolation
    terminal: Profile
    digest: str


PARTS = ("protocol", "publication", "restoration")
_KEYS = "system parts texts seed time_limit_ms wall_limit_s paths isolation terminal lock follows"


def parse(line: bytes) -> SuitesPlan:
    """The plan in `line` (without its newline), or PlanError."""
    top = Table(load(line), "plan", _KEYS)
    texts = top.list("texts")
    if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
        raise PlanError("plan.texts: must be a list of texts that are not blank.")
    read_lock(top.text("lock"))
    top.text("follows")
    return SuitesPlan(
        system=_system(top.table("system", "name engine tui release configuration")),
        parts=_parts(top.list("parts")),
        texts=tuple(texts),
        seed=top.number("seed"),
        time_limit_ms=top.number("time_limit_ms", 1),
        wall_limit_s=top.number("wall_limit_s", 1),
        paths=read_paths(top.table("paths", "system corpus models run")),
        isolation=read_isolation(top.text("isolation")),
        terminal=read_profile(top.text("terminal")),
        digest=hashlib.sha256(line).hexdigest(),
    )


def _parts(names: list[object]) -> tuple[str, ...]:
    if not names or [name for name in PARTS if name in names] != names:
        raise PlanError(f"plan.parts: must name some of {', '.join(PARTS)}, in this order.")
    return tuple(name for name in PARTS if name in names)


def _system(table: Table) -> System:
    return replace(read_system(table), release=table.command("release") if table.list("release") else ())
