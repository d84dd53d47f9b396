"""Signs a finished run: every kept file by digest, the card in integers, its place in the steward's log."""

from __future__ import annotations

from pathlib import Path

from runner.documents import digest
from runner.ports import Journal, OpenResult, Signer
from runner.provenance.card import Scorecard
from runner.provenance.journal import Entry
from runner.provenance.statement import ENVELOPES, Card, Row, ScoredRun, payload, state


def seal(result: OpenResult, card: Scorecard, *, signer: Signer, journal: Journal, now: str) -> Path:
    """Keep the signed statement of `result`, enter it in the log, and give the result its final name.

    The log is written before the name: an entry without its result is a run that broke off, never the reverse.
    """
    digests = {name: digest(path.read_bytes()) for name, path in result.files().items()}
    with journal.turn() as log:
        place = log.place
        run = ScoredRun(run_id=card.run_id, card=short(card), signed_at=now, log_index=place.index, log_head=place.head)
        signed = payload(state(digests, run))
        result.keep(ENVELOPES[0], signer.sign(signed))
        log.append(Entry(index=place.index, run_id=card.run_id, signed_at=now, statement=digest(signed)))
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
