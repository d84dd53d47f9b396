"""Signs a finished run: every kept file by digest, the card in integers, its place in the steward's log."""

from __future__ import annotations

from pathlib import Path

from runner.documents import digest
from runner.ports import Journal, OpenResult, Signer
from runner.provenance.journal import Entry
from runner.provenance.statement import ENVELOPES, Card, ScoredRun, payload, state


def seal(result: OpenResult, card: Card, *, run_id: str, signer: Signer, journal: Journal, now: str) -> Path:
    """Keep the signed statement of `result`, enter it in the log, and give the result its final name.

    The log is written before the name: an entry without its result is a run that broke off, never the reverse.
    """
    digests = {name: digest(path.read_bytes()) for name, path in result.files().items()}
    with journal.turn() as log:
        run = ScoredRun(run_id=run_id, card=card, signed_at=now, log_index=log.place.index, log_head=log.place.head)
        signed = payload(state(digests, run))
        result.keep(ENVELOPES[0], signer.sign(signed))
        log.append(Entry(index=log.place.index, run_id=run_id, signed_at=now, statement=digest(signed)))
    return result.finish()
