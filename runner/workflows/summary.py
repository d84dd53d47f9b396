"""Puts the scorecard into the integers that are signed."""

from __future__ import annotations

from runner.provenance.card import Scorecard
from runner.provenance.statement import Card, Label, Row


def short_card(card: Scorecard) -> Card:
    """The card in short: label, and for each system its status, score in millionths, p95 and requests."""
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
    return Card(label=Label(card.standing.value), rows=rows)
