"""The second person: verifies a result and the log it stands in, and only then signs, into a file of its own."""

from __future__ import annotations

from typing import NamedTuple

from runner.documents import digest
from runner.errors import BadInput, CannotDecide
from runner.ports import Progress, ResultFolder, Signer
from runner.provenance.journal import RunLog
from runner.provenance.signatures import open_envelopes
from runner.provenance.statement import STATEMENT, WITNESS, WitnessedRun, attest, payload
from runner.provenance.trust import OFFICIAL, SIGNED, Memory, Role, Trust, shortfall
from runner.workflows.logged import hold_growth
from runner.workflows.nonce import spend
from runner.workflows.verify import Against, Here, verify


class Witnessed(NamedTuple):
    """The bytes of `witness.dsse.json`, what they say of the run, and what was seen up to there."""

    envelope: bytes
    said: WitnessedRun
    memory: Memory


class Desk(NamedTuple):
    """What a witness has: a key, who is trusted, the whole of the steward's log, and what was seen before of both."""

    signer: Signer
    trust: Trust
    log: RunLog
    memory: Memory


def witness(folder: ResultFolder, desk: Desk, now: str, here: Here, progress: Progress) -> Witnessed:
    """The witness's signature on a result that verifies, stands in a log that only grew, and was begun after its nonce
    was given out, if it has one.

    As `verify` where the result is wrong; BadInput where this key's signature would not count.
    """
    if WITNESS in folder.names():
        raise BadInput(f"{WITNESS}: exists already.", advice="A result is witnessed once; move it away to do it anew.")
    root = desk.trust.root.key_id
    hold_growth(desk.log, desk.memory.roots[root])
    found = verify(folder, Against(desk.trust, now, desk.log), here, progress)
    if not found.recomputed:
        what = "The evidence of this hidden run is sealed, so none of its numbers was computed again."
        advice = "Give your own age key with --identity; the steward seals the partition for the witness too."
        raise CannotDecide(what, advice=advice)
    memory, given = spend(desk.memory, found.lock)
    entries, head = desk.log.size, desk.log.head
    run = WitnessedRun(run_id=found.run_id, signed_at=now, log_entries=entries, log_head=head, nonce=given)
    steward = folder.read(STATEMENT)
    envelope = desk.signer.sign(payload(attest(digest(steward), run)))
    _hold_counting({STATEMENT: steward, WITNESS: envelope}, desk, now)
    seen = memory.roots[root].model_copy(update={"log_entries": entries, "log_head": head})
    return Witnessed(envelope, run, memory.model_copy(update={"roots": {**memory.roots, root: seen}}))


def joined(seen: Memory, now: Memory, root: str) -> Memory:
    """What is remembered `now`, with what a witness saw of the log of `root` and of the nonces that it spent."""
    spent = {nonce: given for nonce, given in seen.nonces.items() if given.lock is not None}
    log = seen.roots[root].model_dump(include={"log_entries", "log_head"})
    roots = {**now.roots, root: now.roots.get(root, seen.roots[root]).model_copy(update=log)}
    return now.model_copy(update={"roots": roots, "nonces": {**now.nonces, **spent}})


def _hold_counting(files: dict[str, bytes], desk: Desk, now: str) -> None:
    """BadInput unless this signature counts, and is that of another person than the steward's."""
    signed = open_envelopes(files, desk.trust, now, SIGNED)
    key_id = desk.signer.public_key.key_id
    counted = {signer.key_id: signer for signer in signed.signers if signer.role is Role.WITNESS}
    if key_id not in counted:
        why = next((note for note in signed.notes if key_id[:8] in note), "does not count")
        raise BadInput(f"{why}.", advice="Have the holder of the root key add it with `./bench run trust add`.")
    if shortfall(signed.signers, OFFICIAL):
        what = f"key {key_id[:8]} is of {counted[key_id].person}, who signed as steward."
        raise BadInput(what, advice="Have another person witness it.")
