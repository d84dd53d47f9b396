"""Keeps the words of a hidden partition out of error messages: what went wrong is said by kind, and sealed in full."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from runner.errors import BenchError, Unavailable, VoidRun

FAILURE = "failure.txt"
#: Names of files in a result; a query may look like a file, but not like one of these.
_OURS = re.compile(
    r"(sealed/)?(partition/|(raw|casts)/[a-z0-9-]+/|gates/)?"
    r"(block-\d+|after|engine|floors|driver|plan|suites(\.plan|\.driver)?|manifest|run\.lock|environment|certificate|"
    r"scorecard|observations|acceptance|partition|queries|judgements|exact_targets|no_match_audits|warmup|"
    r"statement\.dsse)\.(json|jsonl|cast|md|html)(\.age)?"
)
#: Keeps a note sealed; whether there was a place for it.
Note = Callable[[str, bytes], bool]


@contextmanager
def hushed(what: str, note: Note) -> Iterator[None]:
    """Within it an error about `what` names at most the file that it opens with.

    What the machine refuses (a full disk, no engine) holds no word of a query, and passes as it is.
    """
    try:
        yield
    except (Unavailable, OSError):
        raise
    except Exception as error:  # whatever it is, its words may be those of a query
        whole = "".join(traceback.format_exception(error)).encode()
        kept = False
        with suppress(BenchError, OSError):
            kept = note(FAILURE, whole)
        kind = type(error) if isinstance(error, BenchError) else VoidRun
        place = str(error).partition(":")[0] if isinstance(error, BenchError) else ""
        raise kind(_said(what, place), advice=_advice(kept)) from None


def _said(what: str, place: str) -> str:
    """One line; `place` where it is the name of a file of ours, which has no room for a query."""
    named = f" at {place}" if _OURS.fullmatch(place) else ""
    return f"{what}: not as it must be{named}; what exactly, would show what is sealed."


def _advice(kept: bool) -> str:  # noqa: FBT001 - what came of it
    return f"In the unfinished result {FAILURE} has it: `partition open`." if kept else "Look at it where it is open."
