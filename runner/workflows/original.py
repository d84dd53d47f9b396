"""Reads a result that is to be run again: as it was signed, and from what this checkout has too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from runner.errors import BadInput, CannotDecide, Findings
from runner.ports import ResultFolder
from runner.provenance.inputs import Inputs
from runner.provenance.run_lock import RunLock
from runner.provenance.trust import Trust
from runner.workflows.examine import Load, hold_start, run_inputs
from runner.workflows.lock import hold_lock
from runner.workflows.names import LOCK
from runner.workflows.own_code import Code
from runner.workflows.repeat import Side, read_side
from runner.workflows.verify import Here, open_signed
from runner.workflows.verify_hidden import of_hidden_run

ADVICE = "Get the result again from whoever published it; `verify` names all that is wrong."


class Original(NamedTuple):
    """A result as it was signed: its lock, what it was made from, and what came out."""

    lock: RunLock
    inputs: Inputs
    side: Side


def read_original(folder: ResultFolder, trust: Trust, now: str, here: Here) -> Original:
    """BadInput where a file is not as signed; CannotDecide where nobody known signed, the partition is sealed, or this
    checkout lacks what the run was made from."""
    try:
        _, files = open_signed(folder, trust, now)
        hold_start(files)
        _refuse_hidden(files)
        with Code.of(files[LOCK], here.commit).sure():
            return _read(files, read_side(folder), here.load)
    except (BadInput, Findings) as error:
        first, *others = error.what.split("\n")
        more = f" (and {len(others)} more)" if others else ""
        raise BadInput(first + more, advice=error.advice or ADVICE) from None


def _refuse_hidden(files: Mapping[str, bytes]) -> None:
    if of_hidden_run(files):
        what = "The evidence of this hidden run is sealed, so its lists cannot be held against others."
        raise CannotDecide(what, advice="Its steward runs `official --partition SEALED` again, and `compare`s.")


def _read(files: Mapping[str, bytes], side: Side, load: Load) -> Original:
    lock = RunLock.parse(files[LOCK], LOCK)
    inputs = run_inputs(lock, files, load)
    hold_lock(lock, inputs)
    return Original(lock, inputs, side)
