"""Makes a kept card again from the queries of its rows, or says why it is void."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from runner.counts import counted
from runner.provenance.card import Scorecard, Standing
from runner.retrieval.eligibility import row_reasons
from runner.retrieval.gates import FixedGates, suite_verdicts
from runner.retrieval.kept_rows import faults, remake
from runner.retrieval.paired import Named, pairs, power
from runner.retrieval.scorecard import QueryRow, SystemRow
from runner.retrieval.suites import gates_report


class RemadeCard(NamedTuple):
    """A card made again, and the samples behind its rows: the point and the resamples of each."""

    card: Scorecard
    samples: Named


def faults_of(card: Scorecard) -> Iterator[str]:
    """Why nothing can be made of a card, public or not; the first of them tells."""
    names = [row.system for row in card.systems]
    if names != [version.system for version in card.versions] or not names or len(set(names)) < len(names):
        yield "its rows are not the systems it has versions of"


def row_faults(card: Scorecard) -> Iterator[str]:
    """Why the queries of a full card give no figures."""
    for row in card.systems:
        yield from (f"{row.system}: {fault}" for fault in faults(row, card.partition.queries))
    first, *others = card.systems
    for row in others:
        yield from (f"{row.system}: {fault}" for fault in unlike(first.queries, row.queries))


def unlike(one: tuple[QueryRow, ...], other: tuple[QueryRow, ...]) -> Iterator[str]:
    """Where `other` are not the queries of `one`, in its order."""
    for mine, theirs in zip(one, other, strict=False):
        if _asked(mine) != _asked(theirs):
            yield f"query {theirs.query_id} stands where another row has {mine.query_id}, or in another group"
    if len(one) != len(other):
        yield f"{counted(len(other), 'query', 'queries')}, and another row has {len(one)}"


def _asked(query: QueryRow) -> tuple[str, str, str, bool, bool]:
    return query.query_id, query.slice, query.family, query.safety_flag, query.multi_cue_flag


def remake_card(card: Scorecard) -> RemadeCard:
    """A full card without faults, as the queries of its rows give it."""
    remade = {row.system: remake(row, fixed_gates(card, row)) for row in card.systems}
    samples = {name: each.samples for name, each in remade.items()}
    found = pairs(samples)
    rows = tuple(each.row for each in remade.values())
    families = len({query.family for query in card.systems[0].queries})
    made = {
        **framed(card, rows),
        "partition": card.partition.model_copy(update={"families": families}),
        "pairs": found,
        "power": power(samples, found),
    }
    return RemadeCard(card.model_copy(update=made), samples)


def framed(card: Scorecard, rows: tuple[SystemRow, ...]) -> dict[str, Any]:
    """What of a card follows from its rows and its rules; a reason that only the run could give stays as it is."""
    reasons = tuple(dict.fromkeys((*card.reasons, *row_reasons(rows))))
    return {
        "systems": rows,
        "reasons": reasons,
        "standing": Standing.PROVISIONAL if reasons else Standing.ELIGIBLE,
        "gates": tuple(gates_report(each.system, each.rules, each.endings) for each in card.gates),
    }


def fixed_gates(card: Scorecard, row: SystemRow) -> FixedGates:
    """The gates of a row that rest on no figure, as its violations and the rules on its card have them."""
    results = [result for report in card.gates for result in report.suites]
    return FixedGates(bool(row.violations), suite_verdicts(row.system, results))
