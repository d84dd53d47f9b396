"""Says whether a result is what its steward signed, and whether that makes it official (D31)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from runner.documents import digest
from runner.errors import CannotDecide, Findings
from runner.ports import Progress, ResultFolder
from runner.provenance.card import Scorecard, Standing
from runner.provenance.journal import RunLog
from runner.provenance.public_card import publish
from runner.provenance.run_lock import RunLock
from runner.provenance.sealed import Retirement, is_hidden, retirement_of
from runner.provenance.signatures import Signed, open_envelopes
from runner.provenance.statement import ENVELOPES, STATEMENT, Card, ScoredRun, Statement
from runner.provenance.trust import OFFICIAL, SIGNED, Signer, Trust, shortfall
from runner.workflows.differences import differences
from runner.workflows.examine import Examined, Load, examine, hold_start
from runner.workflows.hush import HIDDEN, hushed
from runner.workflows.logged import held_log, names_run
from runner.workflows.names import LOCK
from runner.workflows.nonce import held_nonce, told
from runner.workflows.own_code import Code
from runner.workflows.seal import short
from runner.workflows.verify_hidden import (
    SEALED_NOTE,
    Inner,
    Outside,
    Unseal,
    held_card,
    held_in_public,
    of_hidden_run,
    sealed_for_all,
    unsealed,
)

#: What holds of a result where everything was computed again, and of a hidden run's without its key.
WHOLE, PUBLIC_PART = (
    "signatures, files, raw logs, screens and numbers",
    "signatures, files and the form of what is public",
)

UNLOGGED = "the steward's log was not given (--log results/log.jsonl): how many tries there were is the signers' word"
LOGGED_BESIDE = "held against {}, which lies beside it: what was left out of that log only a witness's memory shows"


class Verified(NamedTuple):
    """A result that is as signed. `held` is what was looked at; `reasons` say why it is not official, empty if it
    is."""

    lock: RunLock
    card: Card
    signers: tuple[Signer, ...]
    held: str
    reasons: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def run_id(self) -> str:
        """The name of the run."""
        return self.lock.run_id

    @property
    def official(self) -> bool:
        """Whether an eligible card carries all signatures that the trust file asks for."""
        return not self.reasons

    @property
    def recomputed(self) -> bool:
        """Whether every number was computed again."""
        return self.held == WHOLE


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
    it was not given). `beside` is a log that merely lies beside the result, whosever it is."""

    trust: Trust
    now: str
    log: RunLog | None
    beside: RunLog | None = None


class Held(NamedTuple):
    """What was looked at, and what is to be noted of it."""

    held: str
    notes: tuple[str, ...]


def verify(folder: ResultFolder, against: Against, here: Here, progress: Progress) -> Verified:
    """Hold signatures, then files, then the log, then all that follows from the records: Findings of the first that
    fails.

    CannotDecide where this checkout lacks what the run was made from, or where only the run's own code can tell.
    """
    signed, files = open_signed(folder, against.trust, against.now)
    run, signers = signed.statement.predicate, signed.signers
    hold_start(files)
    code = Code.of(files[LOCK], here.commit)
    with code.sure():
        lock, hidden = RunLock.parse(files[LOCK], LOCK), of_hidden_run(files)
    logged = (*_hold_log(lock, signed, against), *_hold_nonce(lock, signed))
    found = (_hold_hidden if hidden else _hold)(files, run, Bench(here, code, progress))
    reasons = (*unofficial(run.card, signers, against.trust), *_retired(lock, here))
    notes = (*signed.notes, *_hold_known(code, here), *found.notes, *logged)
    return Verified(lock, run.card, signers, found.held, reasons, notes)


def open_signed(folder: ResultFolder, trust: Trust, now: str) -> tuple[Signed, dict[str, bytes]]:
    """What was signed, and the files of a result as they were signed: Findings where they are not."""
    names = folder.names()
    signed = open_envelopes(_envelopes(folder, names), trust, now, SIGNED)
    return signed, _signed_files(folder, names, signed.statement)


def _signed_files(folder: ResultFolder, names: Iterable[str], statement: Statement) -> dict[str, bytes]:
    """The files of a result as they were signed; nothing else is read."""
    wanted = [name for name in names if name in statement.digests]
    files = {name: folder.read(name) for name in wanted}
    strange = [f"{name}: was not signed." for name in names if name not in {*ENVELOPES, *wanted}]
    _refuse([*held_files(files, statement), *strange])
    return files


class Bench(NamedTuple):
    """Where a result is looked at: what is here, whose code its numbers are, and where to say how far it is."""

    here: Here
    code: Code
    progress: Progress


def _hold(files: Mapping[str, bytes], run: ScoredRun, bench: Bench) -> Held:
    """Everything follows from the records, and so does what was signed in short."""
    with bench.code.sure():
        found = examine(files, bench.here.load, bench.progress)
    bench.code.refuse(held_products(files, found))
    _refuse(held_statement(run, found.card, found.lock))
    return Held(WHOLE, ())


def _hold_hidden(files: Mapping[str, bytes], run: ScoredRun, bench: Bench) -> Held:
    """As `_hold` where the key is at hand; else what is public fits together."""
    with bench.code.sure():
        outside = Outside.of(files)
    _refuse(held_in_public(files, outside))
    _refuse(held_statement(run, outside.card, outside.lock))
    inner = bench.here.unseal(files)
    if inner is None:
        bench.code.refuse(held_card(files, outside.card))
        return Held(PUBLIC_PART, (SEALED_NOTE,))
    with bench.code.sure(), hushed(HIDDEN):
        _refuse(held_inside(files, inner, bench.progress))
    return Held(WHOLE, ())


def held_inside(files: Mapping[str, bytes], inner: Inner, progress: Progress) -> Iterator[str]:
    """Everything that is sealed follows from the records among it, and so does what is public."""
    found = examine(inner.files, inner.load, progress)
    yield from held_products(inner.files, found)
    yield from held_card(files, publish(found.card))


def _hold_log(lock: RunLock, signed: Signed, against: Against) -> tuple[str, ...]:
    """A log that was given must be that of the run; one beside the result is taken for it where it names the run."""
    if against.log is not None:
        _refuse(held_log(against.log, lock, signed))
        return ()
    if against.beside is None or not names_run(against.beside, lock):
        return (UNLOGGED,)
    _refuse(held_log(against.beside, lock, signed))
    return (LOGGED_BESIDE.format(against.beside.name),)


def _hold_nonce(lock: RunLock, signed: Signed) -> tuple[str, ...]:
    """How far a witness's nonce tells when the run was made."""
    if signed.witnessed is None:
        return ()
    _refuse(held_nonce(signed.witnessed, lock))
    return (told(signed.witnessed),)


def _retired(lock: RunLock, here: Here) -> Iterator[str]:
    """Why a result on a hidden version that was exposed since counts no more."""
    one = retirement_of(lock.queries, here.retired)
    if one is not None:
        yield f"its partition {one.name} {one.version} was retired at {one.retired_at}: {one.reason}"


def _hold_known(code: Code, here: Here) -> tuple[str, ...]:
    """That other code than the run's made the same of the records; CannotDecide where nobody here knows that."""
    if code.commit == code.here:
        return ()
    if not here.knows(code.commit):
        what = f"{LOCK}: code_commit: this checkout does not know commit {code.commit}."
        raise CannotDecide(what, advice="Fetch it.")
    return (f"checked by the code of commit {code.here[:12]}; the run used {code.commit[:12]}",)


def rescore(folder: ResultFolder, here: Here, progress: Progress) -> list[str]:
    """Where a kept result says something else than its records give, whoever signed it; empty if nowhere.

    CannotDecide where they are sealed and no key is at hand.
    """
    files = {name: folder.read(name) for name in folder.names() if name not in ENVELOPES}
    if not of_hidden_run(files):
        return list(held_products(files, examine(files, here.load, progress)))
    inner = unsealed(files, here.unseal)
    if not is_hidden(files):
        return list(held_products(inner.files, examine(inner.files, inner.load, progress)))
    with hushed(HIDDEN):
        _refuse(held_inside(files, inner, progress))
    return []


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
