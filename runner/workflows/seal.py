"""Signs a finished run: every kept file by digest, the card in integers, its place in the steward's log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from runner.documents import digest
from runner.ports import Clock, Journal, OpenResult, Signer
from runner.provenance.card import Scorecard
from runner.provenance.journal import Attempt, Entry, Outcome
from runner.provenance.run_lock import RunLock
from runner.provenance.statement import STATEMENT, Card, Row, ScoredRun, payload, state


class Notary(NamedTuple):
    """What a result is signed with and entered in, and when (UTC)."""

    signer: Signer
    journal: Journal
    now: str


def begun(lock: RunLock, index: int) -> Entry:
    """The entry that makes a run a try, before its first search."""
    return Entry(index=index, outcome=Outcome.BEGUN, at=lock.started_at, run=attempt_of(lock), statement=None)


def attempt_of(lock: RunLock) -> Attempt:
    """How the log names a run."""
    return Attempt(run_id=lock.run_id, lock=digest(lock.pretty()), partition=lock.partition, manifest=lock.manifest)


@contextmanager
def attempt(lock: RunLock, journal: Journal, clock: Clock) -> Iterator[None]:
    """Enter a run as void, whatever ends it before it is sealed; only a killed one leaves no end."""
    try:
        yield
    except BaseException:
        with journal.turn() as turn:
            if turn.log.is_open(lock.run_id):
                run, at = attempt_of(lock), clock.now()
                turn.append(Entry(index=turn.log.size, outcome=Outcome.VOID, at=at, run=run, statement=None))
        raise


def seal(result: OpenResult, lock: RunLock, card: Scorecard, notary: Notary) -> Path:
    """Keep the signed statement of `result`, enter it in the log, and give the result its final name.

    The log is written before the name: an entry without its result is a run that broke off, never the reverse.
    """
    digests = {name: digest(path.read_bytes()) for name, path in result.files().items()}
    run, now = attempt_of(lock), notary.now
    with notary.journal.turn() as journal:
        index, head = journal.log.size, journal.log.head
        scored = ScoredRun(run_id=run.run_id, card=short(card), signed_at=now, log_index=index, log_head=head)
        signed = payload(state(digests, scored))
        result.keep(STATEMENT, notary.signer.sign(signed))
        journal.append(Entry(index=index, outcome=Outcome.SEALED, at=now, run=run, statement=digest(signed)))
    return result.finish()


def short(card: Scorecard) -> Card:
    """The card in integers: its standing, and for each system status, score in millionths, p95 and requests."""
    rows = tuple(
        Row(
            system=row.system,
            status=row.status.value,
            score_millionths=round(row.score * 1_000_000),
            p95_ns=row.performance.ui.p95_ns,
            requests=row.performance.ui.n,
        )
        for row in card.systems
    )
    return Card(standing=card.standing, rows=rows)
