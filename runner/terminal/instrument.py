"""What the null UI is asked in every run, to see that the instrument notices what is known to be there."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

TEXT = "a query of usual length"
#: The limits of these requests.
TIME_LIMIT_MS, LATE_MS = 400, 2_000
#: What the engine of the null UI returns to every search: titles by doc_id, in their order. No corpus has these.
RETURNED: Mapping[str, str] = {f"null-{rank:02}": f"A title without a meaning, {rank}" for rank in range(1, 11)}


class Check(StrEnum):
    """What must be noticed, or the run is void."""

    SLOW = "slow canary"
    TIMEOUT = "injected timeout"
    FRAME = "known bad frame"
    RECORD = "tampered record"


class Answer(NamedTuple):
    """How the null UI answers: so late after its engine, with the first two results `swapped` or not."""

    check: Check
    delay_ms: int
    swapped: bool = False


#: The answers in their order, each to a search of its own; what a median of three says does not hang on one hiccup.
ANSWERS = (
    Answer(Check.SLOW, 100),
    Answer(Check.SLOW, 100),
    Answer(Check.SLOW, 100),
    Answer(Check.TIMEOUT, 600),
    Answer(Check.FRAME, 0, swapped=True),
)
