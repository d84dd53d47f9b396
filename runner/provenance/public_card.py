"""The scorecard of a hidden run as anyone may read it."""

from __future__ import annotations

from runner.provenance.card import PUBLIC, Scorecard
from runner.provenance.versions import VersionTuple
from runner.retrieval.gates import Verdict
from runner.retrieval.paired import Power
from runner.retrieval.publication import published_instrument, published_row, whole_slices
from runner.retrieval.suites import GatesReport, RuleRow

#: What stands in place of words that a measured system could have chosen.
WITHHELD = "sealed"


def publish(card: Scorecard) -> Scorecard:
    """`card` reduced to counts, digests and aggregates; a card that is reduced already stays as it is."""
    sliced = all(whole_slices(row) for row in card.systems)
    return card.model_copy(
        update={
            "format": PUBLIC,
            "systems": tuple(published_row(row) for row in card.systems),
            "pairs": card.pairs if sliced else (),
            "power": card.power if sliced else _no_power(card.power),
            "versions": tuple(map(_versions, card.versions)),
            "gates": tuple(map(_gates, card.gates)),
            "instrument": tuple(map(published_instrument, card.instrument)),
        }
    )


def _no_power(power: Power) -> Power:
    return power.model_copy(update={"detectable": dict.fromkeys(power.detectable)})


def _versions(found: VersionTuple) -> VersionTuple:
    """Without what the engine says of its index and model after it was asked every query."""
    return found.model_copy(update={"index": None, "model": None})


def _gates(report: GatesReport) -> GatesReport:
    return report.model_copy(update={"rules": tuple(map(_rule, report.rules))})


def _rule(row: RuleRow) -> RuleRow:
    return row if row.verdict is Verdict.PASS else row.model_copy(update={"found": WITHHELD})
