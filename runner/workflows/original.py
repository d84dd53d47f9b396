"""Reads a result that is to be run again: as it was signed, and from what this checkout has too."""

from __future__ import annotations

from typing import NamedTuple

from runner.errors import BadInput, CannotDecide, Findings
from runner.ports import ResultFolder
from runner.provenance.inputs import Inputs
from runner.provenance.run_lock import RunLock
from runner.provenance.sealed import is_hidden
from runner.provenance.trust import Trust
from runner.workflows.examine import Load, run_inputs
from runner.workflows.lock import hold_lock
from runner.workflows.names import LOCK
from runner.workflows.repeat import Side, read_side
from runner.workflows.verify import open_result

ADVICE = "Get the result again from whoever published it; `verify` names all that is wrong."


class Original(NamedTuple):
    """A result as it was signed: its lock, what it was made from, and what came out."""

    lock: RunLock
    inputs: Inputs
    side: Side


def read_original(folder: ResultFolder, trust: Trust, now: str, load: Load) -> Original:
    """BadInput where a file is not as signed; CannotDecide where nobody known signed, the partition is sealed, or this
    checkout lacks what the run was made from."""
    try:
        return _read(folder, trust, now, load)
    except (BadInput, Findings) as error:
        first, *others = error.what.split("\n")
        more = f" (and {len(others)} more)" if others else ""
        raise BadInput(first + more, advice=error.advice or ADVICE) from None


def _read(folder: ResultFolder, trust: Trust, now: str, load: Load) -> Original:
    _, files = open_result(folder, trust, now)
    if is_hidden(files):
        what = "The evidence of this hidden run is sealed, so its lists cannot be held against others."
        raise CannotDecide(what, advice="Its steward runs `official --partition SEALED` again, and `compare`s.")
    lock = RunLock.parse(files.get(LOCK, b""), LOCK)
    inputs = run_inputs(lock, files, load)
    hold_lock(lock, inputs)
    return Original(lock, inputs, read_side(folder))
