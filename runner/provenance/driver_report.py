"""`driver.json`: what the driver found in its container, and how its run ended (docs/raw-log.md)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from runner.documents import Digest, Document

Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class FileReport(Document):
    """One raw file: its lines, and the chain digest it ends in."""

    name: str
    lines: int
    chain: Hex


class DriverReport(Document):
    """How a drive ended; `found` is the container as seen from inside."""

    how: Literal["complete", "void", "lifeline", "terminated"]
    reason: str
    plan: Digest
    chain: Hex
    files: tuple[FileReport, ...]
    requests: dict[str, int]
    restarts: int
    engine_restarts: int
    found: dict[str, JsonValue]
    stderr: str
