"""`driver.json`: what the driver found around it, and how its run ended (docs/raw-log.md)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from runner.documents import Digest, Document

Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
#: Fields of `/proc/<pid>/status` as the kernel writes them.
Rights = dict[str, str]


class FileReport(Document):
    """One raw file: its lines, and the chain digest it ends in."""

    name: str
    lines: int
    chain: Hex


class Mount(Document):
    """One mounted file system."""

    target: str
    type: str
    options: str


class Found(Document):
    """The place of the run as seen from inside; rights are empty for a process that never ran.

    `host` are facts of the machine by name (runner/driver/machine.py), `unknown` where it does not say.
    """

    driver: Rights
    engine: Rights = Field(default_factory=dict)
    ui: Rights = Field(default_factory=dict)
    limits: dict[str, str]
    processors: tuple[int, ...]
    nofile: int
    mounts: tuple[Mount, ...]
    interfaces: tuple[str, ...]
    kernel: str
    machine: str
    processor: str
    host: dict[str, str]
    python: str
    refused: dict[str, int] = Field(default_factory=dict)
    started_ns: int
    ended_ns: int | None = None


class DriverReport(Document):
    """How a drive ended; `requests` counts by result, `stderr` holds the engine's last words."""

    how: Literal["complete", "void", "lifeline", "terminated"]
    reason: str
    plan: Digest
    chain: Hex
    files: tuple[FileReport, ...]
    requests: dict[str, int]
    restarts: int
    engine_restarts: int
    found: Found
    stderr: str
