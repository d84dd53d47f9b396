"""Reads kept scorecards, and refuses those that are void."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from runner.documents import Source
from runner.errors import BadInput, CannotDecide, UsageError
from runner.provenance.card import PUBLIC, Scorecard
from runner.provenance.versions import VersionTuple
from runner.retrieval.kept_rows import contradictions, faults
from runner.retrieval.scorecard import SystemRow

ADVICE = "A void card is not scored: restore it, or run again."


class Kept(NamedTuple):
    """One row of a kept card, with the versions it was scored with; `where` names the card's file."""

    where: str
    card: Scorecard
    row: SystemRow
    versions: VersionTuple


def read_card(source: Source) -> Scorecard:
    """The card in a file; BadInput names the file and what makes it void: a NaN, a slice missing, a query not asked."""
    card = Scorecard.parse(source.data, source.where)
    if [row.system for row in card.systems] != [one.system for one in card.versions] or not card.systems:
        raise BadInput(f"{source.where}: void: its rows are not the systems it has versions of.", advice=ADVICE)
    for row in () if card.format == PUBLIC else card.systems:
        found = next(iter(faults(row, card.partition.queries)), None) or next(iter(contradictions(row)), None)
        if found:
            raise BadInput(f"{source.where}: void: {row.system}: {found}.", advice=ADVICE)
    return card


def row_of(source: Source, name: str | None) -> Kept:
    """The row named `name` of the card in `source`, or its only one."""
    card = read_card(source)
    if card.format == PUBLIC:
        what = f"{source.where}: is the public card of a hidden run, without its queries."
        raise CannotDecide(what, advice="Whoever has the key compares the full cards: `partition open`.")
    names = [row.system for row in card.systems]
    wanted = name or (names[0] if len(names) == 1 else None)
    if wanted is None or wanted not in names:
        what = f"{source.where}: has no row {name}" if name else f"{source.where}: has more than one row"
        raise UsageError(f"{what}; there are {', '.join(names)}.", advice="Name one of them.")
    place = names.index(wanted)
    return Kept(source.where, card, card.systems[place], card.versions[place])


def shared_names(cards: Iterable[Scorecard]) -> tuple[str, ...]:
    """The systems that all of the cards have a row of, in the order of the first."""
    every = [[row.system for row in card.systems] for card in cards]
    return tuple(name for name in every[0] if all(name in names for names in every))
