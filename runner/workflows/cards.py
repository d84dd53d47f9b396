"""Reads kept scorecards, and refuses those that are void."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from runner.documents import Source
from runner.errors import BadInput, CannotDecide, UsageError
from runner.provenance.card import PUBLIC, Scorecard
from runner.provenance.kept_card import RemadeCard, faults_of, remake_card, row_faults
from runner.provenance.kept_public_card import remake_public
from runner.provenance.versions import VersionTuple
from runner.retrieval.rows import ScoredSample
from runner.retrieval.scorecard import SystemRow
from runner.workflows.differences import of_json

ADVICE = "A void card is not scored: restore it, or run again."


class Kept(NamedTuple):
    """One row of a kept card, with the versions it was scored with; `where` names the card's file."""

    where: str
    card: Scorecard
    row: SystemRow
    versions: VersionTuple


class Compared(NamedTuple):
    """A row with the samples behind it: the point and the resamples."""

    kept: Kept
    samples: tuple[ScoredSample, ScoredSample]


class OpenCard(NamedTuple):
    """A full card that holds, as it follows from its queries."""

    where: str
    remade: RemadeCard

    @property
    def names(self) -> list[str]:
        """The systems that it has a row of."""
        return [row.system for row in self.remade.card.systems]

    def row(self, name: str | None) -> Compared:
        """The row named `name`, or the only one."""
        card, names = self.remade.card, self.names
        wanted = name or (names[0] if len(names) == 1 else None)
        if wanted is None or wanted not in names:
            what = f"{self.where}: has no row {name}" if name else f"{self.where}: has more than one row"
            raise UsageError(f"{what}; there are {', '.join(names)}.", advice="Name one of them.")
        place = names.index(wanted)
        return Compared(Kept(self.where, card, card.systems[place], card.versions[place]), self.remade.samples[wanted])


def read_card(source: Source) -> Scorecard:
    """The card in a file; BadInput names the file and what makes it void: a NaN, a slice missing, a query not asked,
    or a figure that does not follow from its queries (on a public card, from its other figures)."""
    card = _parsed(source)
    if card.format != PUBLIC:
        return _opened(source.where, card).remade.card
    _refuse(source.where, of_json("", card.pretty(), remake_public(card).pretty()))
    return card


def open_card(source: Source) -> OpenCard:
    """The full card in a file, with what is behind its rows; CannotDecide for a public one."""
    card = _parsed(source)
    if card.format == PUBLIC:
        what = f"{source.where}: is the public card of a hidden run, without its queries."
        raise CannotDecide(what, advice="Whoever has the key compares the full cards: `partition open`.")
    return _opened(source.where, card)


def _parsed(source: Source) -> Scorecard:
    card = Scorecard.parse(source.data, source.where)
    _refuse(source.where, faults_of(card))
    return card


def _opened(where: str, card: Scorecard) -> OpenCard:
    _refuse(where, row_faults(card))
    remade = remake_card(card)
    _refuse(where, of_json("", card.pretty(), remade.card.pretty()))
    return OpenCard(where, remade)


def _refuse(where: str, found: Iterator[str]) -> None:
    for fault in found:
        raise BadInput(f"{where}: void: {fault.rstrip('.')}.", advice=ADVICE)


def shared_names(cards: Iterable[OpenCard]) -> tuple[str, ...]:
    """The systems that all of the cards have a row of, in the order of the first."""
    every = [card.names for card in cards]
    return tuple(name for name in every[0] if all(name in names for names in every))
