"""Says whether a result is what its steward signed, and whether that makes it official (D31)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from runner.documents import digest
from runner.errors import CannotDecide, Findings
from runner.ports import Progress, ResultFolder
from runner.provenance.card import Standing
from runner.provenance.statement import ENVELOPES, Card, ScoredRun, Statement
from runner.provenance.trust import OFFICIAL, SIGNED, Signer, Trust, open_envelopes, shortfall
from runner.workflows.differences import differences
from runner.workflows.examine import Examined, Load, examine
from runner.workflows.names import LOCK
from runner.workflows.seal import short


class Verified(NamedTuple):
    """A result that is as signed. `reasons` say why it is not official; empty if it is."""

    run_id: str
    card: Card
    signers: tuple[Signer, ...]
    reasons: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def official(self) -> bool:
        """Whether an eligible card carries all signatures that the trust file asks for."""
        return not self.reasons


class Here(NamedTuple):
    """What the checkout that verifies has: a way to load inputs, its commit, and which other commits it knows."""

    load: Load
    commit: str
    knows: Callable[[str], bool]


def verify(folder: ResultFolder, trust: Trust, now: str, here: Here, progress: Progress) -> Verified:
    """Hold signatures, then files, then all that follows from them: Findings of the first that fails.

    CannotDecide where this checkout lacks what the run was made from, or was scored by.
    """
    names = folder.names()
    signed = open_envelopes(_envelopes(folder, names), trust, now, SIGNED)
    run, signers = signed.statement.predicate, signed.signers
    files = {name: folder.read(name) for name in names if name not in ENVELOPES}
    _refuse(held_files(files, signed.statement))
    found = examine(files, here.load, progress)
    notes = _hold_code(held_products(files, found), found.lock.code_commit, here)
    _refuse(held_statement(run, found))
    return Verified(run.run_id, run.card, signers, tuple(unofficial(run.card, signers, trust)), (*signed.notes, *notes))


def _hold_code(differing: Iterable[str], commit: str, here: Here) -> tuple[str, ...]:
    """Findings where this code makes other files of the records; but only the run's own code can be sure of that."""
    found = list(differing)
    if commit == here.commit:
        _refuse(found)
        return ()
    advice = f"This is commit {here.commit[:12]}: check out {commit[:12]}."
    if found:
        raise CannotDecide("\n".join(found), advice=advice)
    if not here.knows(commit):
        raise CannotDecide(f"{LOCK}: code_commit: this checkout does not know commit {commit}.", advice="Fetch it.")
    return (f"recomputed by the code of commit {here.commit[:12]}; the run used {commit[:12]}",)


def rescore(folder: ResultFolder, load: Load, progress: Progress) -> list[str]:
    """Where a kept result says something else than its records give, whoever signed it; empty if nowhere."""
    files = {name: folder.read(name) for name in folder.names() if name not in ENVELOPES}
    return list(held_products(files, examine(files, load, progress)))


def held_files(files: Mapping[str, bytes], statement: Statement) -> Iterator[str]:
    """Every signed file is there and unchanged, and there is no other."""
    for name, expected in statement.digests.items():
        if name not in files:
            yield f"{name}: was signed, but is missing."
        elif digest(files[name]) != expected:
            yield f"{name}: expected {expected}, found {digest(files[name])}: changed after it was signed."
    for name in sorted(files.keys() - statement.digests.keys()):
        yield f"{name}: was not signed."


def held_products(files: Mapping[str, bytes], found: Examined) -> Iterator[str]:
    """Everything that follows from the records is kept as it follows, and there is nothing else."""
    for name, made in found.products.items():
        if name not in files:
            yield f"{name}: missing."
        else:
            yield from differences(name, files[name], made)
    for name in sorted(files.keys() - found.recorded - found.products.keys()):
        yield f"{name}: is no part of a result."


def held_statement(run: ScoredRun, found: Examined) -> Iterator[str]:
    """What was signed in short is the card."""
    signed = {"runId": run.run_id, "card": run.card}
    for name, value in {"runId": found.card.run_id, "card": short(found.card)}.items():
        if signed[name] != value:
            yield f"{ENVELOPES[0]}: {name}: says {signed[name]!r}, the records give {value!r}."
    if run.signed_at < found.lock.started_at:
        yield f"{ENVELOPES[0]}: signedAt: {run.signed_at} is before the run started, {found.lock.started_at}."


def unofficial(card: Card, signers: Iterable[Signer], trust: Trust) -> Iterator[str]:
    """Why a verified result is not official."""
    if card.standing is not Standing.ELIGIBLE:
        yield "the card is provisional"
    yield from shortfall(tuple(signers), {**OFFICIAL, **trust.policy})


def _refuse(findings: Iterable[str]) -> None:
    found = list(findings)
    if found:
        raise Findings("\n".join(found))


def _envelopes(folder: ResultFolder, names: Iterable[str]) -> dict[str, bytes]:
    found = {name: folder.read(name) for name in ENVELOPES if name in names}
    if ENVELOPES[0] not in found:
        raise CannotDecide(f"{ENVELOPES[0]}: missing.", advice="This result was never sealed, so it proves nothing.")
    return found
