"""Runs a result again, holds the two against each other, and signs what came out; checks such a statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from runner.errors import CannotDecide, Findings, VoidRun
from runner.ports import ResultFolder
from runner.provenance.host_spread import HostSpread
from runner.provenance.reproduction import (
    REPRODUCTION_KIND,
    ReproducedRun,
    SecondRun,
    attest_reproduction,
)
from runner.provenance.run_lock import RunLock
from runner.provenance.signatures import SignedReproduction
from runner.provenance.statement import STATEMENT, payload
from runner.workflows.names import LOCK
from runner.workflows.official import Desk, Stage, official
from runner.workflows.original import Original
from runner.workflows.repeat import Side, hold, known_runs, read_side

Open = Callable[[Path], ResultFolder]


class Reproduction(NamedTuple):
    """The signed statement, what it says, and where the second result is."""

    envelope: bytes
    run: ReproducedRun
    path: Path


def reproduce(
    original: Original, stage: Stage, desk: Desk, open_result: Open, spreads: Iterable[HostSpread]
) -> Reproduction:
    """Run a result again by its own manifest, and sign how the second result compares; of `spreads` one may be of runs
    like these.

    CannotDecide where the second run is void.
    """
    try:
        done = official(original.inputs, stage, desk)
    except VoidRun as error:
        raise CannotDecide(f"The second run is void: {error.what}", advice=error.advice) from None
    with desk.progress.step("holding the second run against the first"):
        folder = open_result(done.path)
        again = read_side(folder)
        found = hold(original.side, again, known_runs(spreads, original.side, again))
    run = ReproducedRun(
        run_id=original.lock.run_id,
        code_commit=original.lock.code_commit,
        again=_second(again, RunLock.parse(folder.read(LOCK), LOCK), desk),
        equality=found.equality,
        times=found.times,
        signed_at=desk.clock.now(),
    )
    signed = payload(attest_reproduction(original.side.digests, run))
    return Reproduction(desk.signer.sign(signed, REPRODUCTION_KIND), run, done.path)


def _second(again: Side, lock: RunLock, desk: Desk) -> SecondRun:
    """The second run as it is signed for, after the last entry of the log that there is now."""
    with desk.journal.turn() as journal:
        last = journal.log.size - 1
    return SecondRun(
        run_id=lock.run_id,
        files=dict(again.digests),
        log_index=last,
        code_commit=lock.code_commit,
        code_clean=lock.code_clean,
    )


def hold_statement(signed: SignedReproduction, first: Side, again: Side | None) -> None:
    """Findings where a statement is about other results, or says of the two what they do not show: the first of them.

    Where the second result is not at hand (null), what it was is the signer's word.
    """
    for wrong in _strays(signed, first, again):
        raise Findings(wrong)
    for untrue in _untrue(signed.statement.predicate, first, again) if again is not None else ():
        raise Findings(untrue)


def _strays(signed: SignedReproduction, first: Side, again: Side | None) -> Iterator[str]:
    """Where the results here are not those that were signed for."""
    said = signed.statement.predicate
    for name, found in first.digests.items():
        if signed.statement.digests.get(name) != found:
            expected = signed.statement.digests.get(name)
            yield f"{name}: expected {expected} by the statement, found {found}: another result was run again."
    if said.run_id != first.card.run_id:
        yield f"runId: says {said.run_id!r}, the card is that of {first.card.run_id!r}."
    if said.again.files.get(STATEMENT) == signed.statement.digests.get(STATEMENT):
        yield f"again: {said.again.run_id} is the first run itself."
    if again is not None and again.digests != said.again.files:
        yield f"again: {again.card.run_id} is not the second run that was signed for, {said.again.run_id}."


def _untrue(said: ReproducedRun, first: Side, again: Side) -> Iterator[str]:
    made = hold(first, again, {times.system: times.runs for times in said.times if times.runs is not None})
    for name, here, there in (("equality", said.equality, made.equality), ("times", said.times, made.times)):
        if here != there:
            yield f"{name}: says {here!r}, the two results give {there!r}."
