"""What a witness gives out before a run, so that no run can be older than that: given, held, spent once."""

from __future__ import annotations

from collections.abc import Iterator

from runner.documents import digest
from runner.errors import Findings
from runner.provenance.run_lock import RunLock
from runner.provenance.statement import WITNESS, Given, WitnessedRun
from runner.provenance.tries import Nonce
from runner.provenance.trust import GivenNonce, Memory
from runner.workflows.names import LOCK

ADVICE = "Sign nothing, and ask the steward; or have the run made again, with a nonce of your own."


def give(memory: Memory, nonce: Nonce, now: str) -> Memory:
    """The memory of a witness who gives `nonce` out at `now` (UTC)."""
    return memory.model_copy(update={"nonces": {**memory.nonces, nonce: GivenNonce(at=now, lock=None)}})


def spend(memory: Memory, lock: RunLock) -> tuple[Memory, Given | None]:
    """The memory of a witness who signs the run of `lock`, and what to say of its nonce (null: it has none).

    Findings where the nonce was not given out here, or after the run started, or went into another run.
    """
    if lock.nonce is None:
        return memory, None
    own, name = memory.nonces.get(lock.nonce), digest(lock.pretty())
    if own is None:
        raise Findings(f"{LOCK}: nonce: {lock.nonce} was not given out here.", advice=ADVICE)
    if lock.started_at < own.at:
        what = f"{LOCK}: nonce: was given out at {own.at}, after the run started, {lock.started_at}."
        raise Findings(what, advice="One of the two clocks is wrong: set it, and have the run made again.")
    if own.lock not in {None, name}:
        what = f"{LOCK}: nonce: {lock.nonce} was signed for with another run."
        raise Findings(what, advice=ADVICE)
    spent = own.model_copy(update={"lock": name})
    given = Given(value=lock.nonce, given_at=own.at)
    return memory.model_copy(update={"nonces": {**memory.nonces, lock.nonce: spent}}), given


def held_nonce(said: WitnessedRun, lock: RunLock) -> Iterator[str]:
    """Where a witness says something else of the nonce than the lock."""
    value = said.nonce.value if said.nonce else None
    if value != lock.nonce:
        yield f"{WITNESS}: nonce: says {value}, {LOCK} has {lock.nonce}."
    elif said.nonce and not said.nonce.given_at <= lock.started_at:
        yield f"{WITNESS}: nonce: was given out at {said.nonce.given_at}, after the run started, {lock.started_at}."


def told(said: WitnessedRun) -> str:
    """What a witness's word is worth for the time of the run."""
    if said.nonce is None:
        return "the witness gave no nonce: that the run is not older than it says, is the steward's word"
    return f"begun after the witness gave its nonce, {said.nonce.given_at}, and over before it signed, {said.signed_at}"
