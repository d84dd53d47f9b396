"""What a system did: one Observation for each request, in the order they were sent (D11, D12, D13)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from runner.documents import Document

#: It names folders and files of a result.
SystemName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]


class Outcome(StrEnum):
    """How one request ended; four, never two."""

    ANSWERED = "answered"
    EMPTY = "empty"
    ERROR = "error"
    TIMEOUT = "timeout"

    @property
    def failed(self) -> bool:
        """Whether the request is charged the full limit and earns nothing."""
        return self in {Outcome.ERROR, Outcome.TIMEOUT}


class Violation(StrEnum):
    """Critical violations seen in one request (D24)."""

    DRAWN_DIFFERS = "drawn list differs from the returned list"
    CHANGED_AFTER_DONE = "drawn list changed after done"
    ASKED_BEFORE_KEY = "engine asked before the submit key"


class Observation(Document):
    """One measured request. Times are integer nanoseconds; null where the event was never seen.

    `latency_ns` is D13's, and the full limit for errors and timeouts. `reason` says why a request failed. `ties` counts
    the results returned whose score is that of the one above; null where the engine gave no scores.
    """

    system: SystemName
    block: int
    position: int
    query_id: str
    process: int
    submit: int
    outcome: Outcome
    reason: str | None
    returned: tuple[str, ...]
    routes: tuple[tuple[str, ...], ...]
    drawn: tuple[str, ...]
    violations: tuple[Violation, ...]
    held: bool
    latency_ns: int
    key_to_accept_ns: int | None
    engine_ns: int | None
    first_byte_ns: int | None
    frame_end_ns: int | None
    ties: int | None = None

    @property
    def trusted(self) -> bool:
        """Whether what was drawn counts: the request did not fail (D11), and its screen can be trusted (D24)."""
        return not self.outcome.failed and not self.violations


class EngineRequest(Document):
    """One request of the engine path (D16): straight at the socket, reported and not scored."""

    system: str
    query_id: str
    outcome: Outcome
    latency_ns: int
