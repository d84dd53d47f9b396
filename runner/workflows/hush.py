"""Keeps the words of a hidden partition out of error messages: what went wrong is said by kind, and sealed in full."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress

from runner.errors import BenchError, CannotDecide, Unavailable, VoidRun
from runner.provenance.rawlog import REST
from runner.provenance.statement import STATEMENT
from runner.retrieval.partitions import FILES
from runner.terminal.instrument import Check
from runner.workflows.names import (
    ACCEPTANCE,
    CARD,
    CARD_PAGE,
    CARD_TEXT,
    CERTIFICATE,
    ENVIRONMENT,
    LOCK,
    MANIFEST,
    OBSERVATIONS,
    PLAN,
    RAW,
    REPORT,
    SUITES_FILES,
)

FAILURE = "failure.txt"
_WHOLE = (MANIFEST, LOCK, ENVIRONMENT, CERTIFICATE, OBSERVATIONS, CARD, CARD_TEXT, CARD_PAGE, ACCEPTANCE, STATEMENT)
_DRIVEN = (PLAN, REPORT, *SUITES_FILES, *REST)


def _one_of(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, names))


#: Names of files in a result; a query may look like a file, but not like one of these.
_OURS = re.compile(
    rf"(sealed/)?({_one_of(_WHOLE)}|(partition/)?({_one_of(FILES)}|warmup\.jsonl)|gates/[a-z0-9-]+\.json|"
    rf"{RAW}[a-z0-9-]+/({_one_of(_DRIVEN)}|block-\d+\.jsonl)|casts/[a-z0-9-]+/block-\d+\.cast)(\.age)?"
)
_CHECK = re.compile(rf" (instrument check '({_one_of(Check)})'):")
#: Keeps a note sealed; whether there was a place for it.
Note = Callable[[str, bytes], bool]

#: Where it may be said in full.
OPEN = "Open it with `partition open`; of what that makes, `score` and `partition check` say all."
#: What is spoken of where a result is looked at.
HIDDEN = "the hidden run"


def nowhere(_name: str, _data: bytes) -> bool:
    """Where nothing can be kept."""
    return False


@contextmanager
def hushed(what: str, note: Note = nowhere) -> Iterator[None]:
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
        words = str(error) if isinstance(error, BenchError) else ""
        raise kind(_said(what, words, kind), advice=_advice(kept)) from None


def _said(what: str, words: str, kind: type[BenchError]) -> str:
    """One line; of `words` the name of a file of ours and of a check in it, which have no room for a query."""
    place, _, rest = words.partition(":")
    check = _CHECK.match(rest)
    named = f" at {place}{f', {check[1]}' if check else ''}" if _OURS.fullmatch(place) else ""
    found = "cannot be decided" if kind is CannotDecide else "not as it must be"
    return f"{what}: {found}{named}; what exactly, would show what is sealed."


def _advice(kept: bool) -> str:  # noqa: FBT001 - what came of it
    return f"In the unfinished result {FAILURE} has it: `partition open`." if kept else OPEN
