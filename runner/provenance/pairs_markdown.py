"""Systems beside each other, for the scorecard in Markdown: differences, power, the acceptance rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.provenance.acceptance import Term, decide, lacking
from runner.provenance.card import Scorecard
from runner.provenance.suites_markdown import Cells, Table
from runner.retrieval.estimates import Interval
from runner.retrieval.moved import moves
from runner.retrieval.paired import TOLD_APART, Difference, Pair


def pair_tables(card: Scorecard) -> Iterator[Table]:
    """A table for each pair of systems."""
    for pair in card.pairs:
        columns = ("", pair.one, pair.other, "difference", "detectable")
        yield Table(f"## {pair.one} less {pair.other}", columns, _differences(pair))


def moves_tables(card: Scorecard) -> Iterator[Table]:
    """How many queries each pair gained, lost and tied; nothing on a public card, which has no queries."""
    queries = {row.system: row.queries for row in card.systems if row.queries}
    found = [(pair, moves(queries[pair.other], queries[pair.one])) for pair in card.pairs if queries]
    body: Sequence[Cells] = [
        (f"{pair.one} less {pair.other}", str(len(each.gained)), str(len(each.lost)), str(each.tied))
        for pair, each in found
    ]
    title = "## Queries by their own figure: nDCG@10, or CorrectEmpty where nothing matches"
    yield Table(title, ("", "gained", "lost", "tied"), body)


def acceptance_tables(card: Scorecard) -> Iterator[Table]:
    """The acceptance rule, term by term, where the card has the rows that it needs."""
    if not lacking(card):
        found = decide(card, card.run_id)
        columns = ("term", "wanted", "hybrid less bm25", "verdict", "")
        yield Table(f"## Semantic-search acceptance: {found.sentence}", columns, [_term(term) for term in found.terms])


def power_table(card: Scorecard) -> Table:
    """What the partition tells from noise, figure by figure."""
    body: Sequence[Cells] = [(name, _least(card.power.detectable[name])) for name in TOLD_APART]
    return Table("## What this partition tells from noise", ("difference in", "detectable from"), body)


def power_note(card: Scorecard) -> str:
    """How the power was found."""
    return (
        "A true difference of that size gives a 95 % interval without 0 in 80 % of partitions like this one: "
        f"(1.96 + 0.84) times the standard deviation of the resampled differences (- where none moved). Here: "
        f"{card.power.basis}.\n"
    )


def _differences(pair: Pair) -> list[Cells]:
    return [
        (each.figure, f"{each.one:.3f}", f"{each.other:.3f}", _signed(each), _least(each.detectable))
        for each in pair.differences
    ]


def _least(detectable: float | None) -> str:
    return "-" if detectable is None else f"{detectable:.3f}"


def _signed(found: Difference | Term) -> str:
    return "" if found.value is None or found.interval is None else f"{found.value:+.3f} {_brackets(found.interval)}"


def _brackets(interval: Interval) -> str:
    return f"[{interval.low:+.3f}, {interval.high:+.3f}]"


def _term(term: Term) -> Cells:
    return term.name, term.rule, _signed(term), term.verdict, term.detail
