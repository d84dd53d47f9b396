"""Decides which signatures on a result count: nobody holds a Statement whose envelope did not hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeVar

from runner.counts import counted
from runner.documents import Digest, canonical_bytes, digest
from runner.errors import BadInput, CannotDecide, Findings
from runner.provenance.dsse import Letter, read_envelope
from runner.provenance.reproduction import REPRODUCTION_KIND, ReproductionStatement
from runner.provenance.statement import (
    PAYLOAD_TYPE,
    STATEMENT,
    WITNESS,
    ScoredRun,
    Statement,
    WitnessedRun,
    WitnessStatement,
)
from runner.provenance.trust import Policy, Role, Signer, Trust, TrustedKey, hold_current, hold_trust, shortfall

S = TypeVar("S", Statement, WitnessStatement, ReproductionStatement)


class Signed(NamedTuple):
    """A statement that was signed, the digest of what was signed, what a witness adds (null: none counts), by whom, and
    which signatures did not count and why."""

    statement: Statement
    payload: Digest
    witnessed: WitnessedRun | None
    signers: tuple[Signer, ...]
    notes: tuple[str, ...]


class SignedReproduction(NamedTuple):
    """A reproduction statement, by whom, and which signatures did not count and why."""

    statement: ReproductionStatement
    signers: tuple[Signer, ...]
    notes: tuple[str, ...]


class _Moment(NamedTuple):
    """When a signature was made, by its own account and by the log: the index of the last entry that was there."""

    role: Role
    at: str
    entry: int


class _Counted(NamedTuple):
    """The signatures on one envelope that count, and why the others do not."""

    signers: tuple[Signer, ...]
    notes: tuple[str, ...]


def open_envelopes(files: Mapping[str, bytes], trust: Trust, now: str, need: Policy) -> Signed:
    """The statement in `files` (envelopes by name), signed as `need` has it at `now`.

    Findings where a signature or a payload is wrong; CannotDecide where no known key signed or the file has expired.
    """
    hold_trust(trust)
    hold_current(trust, now)
    letter = read_envelope(files[STATEMENT], STATEMENT, PAYLOAD_TYPE)
    keys, strange = _known(letter, trust)
    if not keys:
        raise CannotDecide(f"{STATEMENT}: {'; '.join(strange)}.", advice="Get the trust file of its steward.")
    statement = _parse(Statement, letter)
    if len(statement.digests) < len(statement.subject):
        raise Findings(f"{STATEMENT}: payload: subject: one file stands there twice.")
    run = statement.predicate
    own = _count(keys, _Moment(Role.STEWARD, run.signed_at, run.log_index))
    witnessed, others = _witnessed(files, run, trust)
    signers, notes = (*own.signers, *others.signers), (*own.notes, *strange, *others.notes)
    missing = shortfall(signers, need)
    if missing:
        raise Findings(f"{' and '.join(files)}: {'; '.join((*missing, *notes))}.")
    return Signed(statement, digest(letter.payload), witnessed if others.signers else None, signers, notes)


def open_reproduction(data: bytes, name: str, trust: Trust, now: str) -> SignedReproduction:
    """The reproduction statement in the file `name`, signed by the steward of the second run.

    Findings where signature or payload is wrong; CannotDecide where no known key signed or the trust file has expired.
    """
    hold_trust(trust)
    hold_current(trust, now)
    letter = read_envelope(data, name, REPRODUCTION_KIND)
    keys, strange = _known(letter, trust)
    if not keys:
        raise CannotDecide(f"{name}: {'; '.join(strange)}.", advice="Get the trust file of whoever reproduced it.")
    statement = _parse(ReproductionStatement, letter)
    again = statement.predicate.again
    found = _count(keys, _Moment(Role.STEWARD, statement.predicate.signed_at, again.log_index))
    if not found.signers:
        raise Findings(f"{name}: {'; '.join((*found.notes, *strange))}.")
    return SignedReproduction(statement, found.signers, (*found.notes, *strange))


def _witnessed(files: Mapping[str, bytes], run: ScoredRun, trust: Trust) -> tuple[WitnessedRun | None, _Counted]:
    """What a witness says of the run, and which of its signatures count."""
    if WITNESS not in files:
        return None, _Counted((), ())
    letter = read_envelope(files[WITNESS], WITNESS, PAYLOAD_TYPE)
    keys, strange = _known(letter, trust)
    if not keys:
        return None, _Counted((), strange)
    statement = _parse(WitnessStatement, letter)
    for wrong in _strays(statement, run, digest(files[STATEMENT])):
        raise Findings(f"{WITNESS}: {wrong}.")
    said = statement.predicate
    found = _count(keys, _Moment(Role.WITNESS, said.signed_at, said.log_entries - 1))
    return said, _Counted(found.signers, (*found.notes, *strange))


def _strays(statement: WitnessStatement, run: ScoredRun, envelope: Digest) -> Iterator[str]:
    said = statement.predicate
    if statement.subject[0].name != STATEMENT or statement.envelope != envelope:
        yield f"is not about the {STATEMENT} that is here"
    if said.run_id != run.run_id:
        yield f"runId: says {said.run_id!r}, not {run.run_id!r}"
    if said.log_entries <= run.log_index:
        yield f"logEntries: a log of {counted(said.log_entries, 'entry', 'entries')} cannot hold entry {run.log_index}"
    if said.signed_at < run.signed_at:
        yield f"signedAt: {said.signed_at} is before the steward signed, {run.signed_at}"


def _known(letter: Letter, trust: Trust) -> tuple[Mapping[str, TrustedKey], tuple[str, ...]]:
    """The keys of the trust file that signed, each held, and a note for each other one."""
    keys = {key_id: trust.keys[key_id] for key_id in letter.signatures if key_id in trust.keys}
    for entry in keys.values():
        letter.hold(entry.key)
    strange = (key_id for key_id in letter.signatures if key_id not in keys)
    return keys, tuple(f"key {key_id[:8]} is not in the trust file" for key_id in strange)


def _parse(kind: type[S], letter: Letter) -> S:
    """Only reached once a trusted key has signed these bytes."""
    try:
        statement = kind.parse(letter.payload, f"{letter.name}: payload")
    except BadInput as error:
        raise Findings(error.what) from None
    if canonical_bytes(statement.model_dump(mode="json")) != letter.payload:
        raise Findings(f"{letter.name}: payload: is not in its canonical form.")
    return statement


def _count(keys: Mapping[str, TrustedKey], moment: _Moment) -> _Counted:
    signers, notes = [], []
    for key_id, entry in sorted(keys.items()):
        why_not = _uncounted(entry, moment)
        if why_not:
            notes.append(f"key {key_id[:8]} {why_not}")
        else:
            signers.append(Signer(key_id, entry.role, entry.person))
    return _Counted(tuple(signers), tuple(notes))


def _uncounted(entry: TrustedKey, moment: _Moment) -> str | None:
    if entry.role is not moment.role:
        return f"is a {entry.role}'s and cannot sign as {moment.role}"
    if not entry.valid_from <= moment.at <= entry.valid_until:
        return f"was not valid at {moment.at}"
    if entry.revoked_from is not None and moment.entry >= entry.revoked_from:
        return f"is revoked from entry {entry.revoked_from} of the log on"
    return None
