"""Says whether a result is what its steward signed, and whether that makes it official (D31)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from runner.documents import digest
from runner.errors import CannotDecide, Findings
from runner.ports import Progress, ResultFolder
from runner.provenance.card import Scorecard, Standing
from runner.provenance.journal import RunLog
from runner.provenance.run_lock import RunLock
from runner.provenance.sealed import Retirement, is_hidden
from runner.provenance.signatures import Signed, open_envelopes
from runner.provenance.statement import ENVELOPES, STATEMENT, Card, ScoredRun, Statement
from runner.provenance.trust import OFFICIAL, SIGNED, Signer, Trust, shortfall
from runner.workflows.differences import differences
from runner.workflows.examine import Examined, Load, examine
from runner.workflows.logged import held_log
from runner.workflows.names import CARD, LOCK
from runner.workflows.seal import short
from runner.workflows.verify_hidden import (
    SEALED_NOTE,
    Unseal,
    held_in_public,
    held_public_card,
    held_publication,
    sealed_for_all,
)


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
    """What the checkout that verifies has: a way to load inputs, its commit, and which other commits it knows; for the
    results of hidden runs, what opens them, and which partitions were retired."""

    load: Load
    commit: str
    knows: Callable[[str], bool]
    unseal: Unseal = sealed_for_all
    retired: tuple[Retirement, ...] = ()


class Against(NamedTuple):
    """What a result is held against besides itself: who is trusted, at what time (UTC), and the steward's log (null:
    it is not at hand)."""

    trust: Trust
    now: str
    log: RunLog | None


def verify(folder: ResultFolder, against: Against, here: Here, progress: Progress) -> Verified:
    """Hold signatures, then files, then all that follows from them, then the log: Findings of the first that fails.

    CannotDecide where this checkout lacks what the run was made from, or was scored by.
    """
    names = folder.names()
    signed = open_envelopes(_envelopes(folder, names), against.trust, against.now, SIGNED)
    run, signers = signed.statement.predicate, signed.signers
    files = _signed_files(folder, names, signed.statement)
    notes = _hold_hidden(files, run, here, progress) if is_hidden(files) else _hold(files, run, here, progress)
    lock = RunLock.parse(files[LOCK], LOCK)
    logged = _hold_log(lock, signed, against.log)
    reasons = (*unofficial(run.card, signers, against.trust), *_retired(lock, here))
    return Verified(run.run_id, run.card, signers, reasons, (*signed.notes, *notes, *logged))


def _signed_files(folder: ResultFolder, names: Iterable[str], statement: Statement) -> dict[str, bytes]:
    """The files of a result as they were signed; nothing else is read."""
    wanted = [name for name in names if name in statement.digests]
    files = {name: folder.read(name) for name in wanted}
    strange = [f"{name}: was not signed." for name in names if name not in {*ENVELOPES, *wanted}]
    _refuse([*held_files(files, statement), *strange])
    return files


def _hold(files: Mapping[str, bytes], run: ScoredRun, here: Here, progress: Progress) -> tuple[str, ...]:
    """Everything follows from the records, and so does what was signed in short."""
    found = examine(files, here.load, progress)
    notes = _hold_code(held_products(files, found), found.lock.code_commit, here)
    _refuse(held_statement(run, found.card, found.lock))
    return notes


def _hold_hidden(files: Mapping[str, bytes], run: ScoredRun, here: Here, progress: Progress) -> tuple[str, ...]:
    """As `_hold` where the key is at hand; else what is public fits together."""
    _refuse(held_in_public(files))
    lock, card = RunLock.parse(files[LOCK], LOCK), Scorecard.parse(files[CARD], CARD)
    _refuse(held_statement(run, card, lock))
    inner = here.unseal(files)
    if inner is None:
        return (*_hold_code(held_public_card(files), lock.code_commit, here), SEALED_NOTE)
    found = examine(inner.files, inner.load, progress)
    differing = (*held_products(inner.files, found), *held_publication(files, found))
    return _hold_code(differing, lock.code_commit, here)


def _hold_log(lock: RunLock, signed: Signed, log: RunLog | None) -> tuple[str, ...]:
    if log is None:
        return ("the steward's log was not at hand: how many tries there were is the signers' word",)
    _refuse(held_log(log, lock, signed))
    return ()


def _retired(lock: RunLock, here: Here) -> Iterator[str]:
    """Why a result on a hidden version that was exposed since counts no more."""
    for one in here.retired:
        if one.partition == lock.partition:
            yield f"its partition {one.name} {one.version} was retired at {one.retired_at}: {one.reason}"


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
    """Every signed file is there and unchanged."""
    for name, expected in statement.digests.items():
        if name not in files:
            yield f"{name}: was signed, but is missing."
        elif digest(files[name]) != expected:
            yield f"{name}: expected {expected}, found {digest(files[name])}: changed after it was signed."


def held_products(files: Mapping[str, bytes], found: Examined) -> Iterator[str]:
    """Everything that follows from the records is kept as it follows, and there is nothing else."""
    for name, made in found.products.items():
        if name not in files:
            yield f"{name}: missing."
        else:
            yield from differences(name, files[name], made)
    for name in sorted(files.keys() - found.recorded - found.products.keys()):
        yield f"{name}: is no part of a result."


def held_statement(run: ScoredRun, card: Scorecard, lock: RunLock) -> Iterator[str]:
    """What was signed in short is the card."""
    signed = {"runId": run.run_id, "card": run.card}
    for name, value in {"runId": card.run_id, "card": short(card)}.items():
        if signed[name] != value:
            yield f"{STATEMENT}: {name}: says {signed[name]!r}, the records give {value!r}."
    if run.log_index <= lock.log.index:
        yield f"{STATEMENT}: logIndex: {run.log_index} is not after the start of the run, {lock.log.index}."
    if run.signed_at < lock.started_at:
        yield f"{STATEMENT}: signedAt: {run.signed_at} is before the run started, {lock.started_at}."


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
    if STATEMENT not in found:
        raise CannotDecide(f"{STATEMENT}: missing.", advice="This result was never sealed, so it proves nothing.")
    return found
