"""Retires a hidden version that was exposed, and says what has to be run again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from runner.documents import Source, digest, spoken
from runner.errors import BadInput
from runner.provenance.card import Scorecard
from runner.provenance.sealed import Rerun, Retirement, retirement_of
from runner.retrieval.partitions import CARD, JUDGEMENTS, QUERIES, Kind, PartitionCard


class PastCards(NamedTuple):
    """The cards of past results, and for each place that could not be read why."""

    cards: tuple[Scorecard, ...]
    unread: tuple[str, ...]


def past_cards(places: Iterable[Path], read: Callable[[Path], Iterable[Source]]) -> PastCards:
    """The cards that `read` finds at each place, each run once; a void card is one too, since only its versions are
    asked for."""
    cards: dict[str, Scorecard] = {}
    unread = []
    for place in places:
        try:
            found = [Scorecard.parse(source.data, source.where) for source in read(place)]
            cards.update({card.run_id: card for card in found})
        except BadInput as error:
            unread.append(error.what)
    return PastCards(tuple(cards.values()), tuple(unread))


def retire(
    sources: Mapping[str, Source], reason: str, now: str, *, known: Iterable[Retirement], cards: Iterable[Scorecard]
) -> Retirement:
    """The end of the hidden version in `sources`, with every result among `cards` that was scored on it."""
    name, queries = sources[CARD], digest(sources[QUERIES].data)
    card, partition = PartitionCard.parse(name.data, name.where), digest(name.data)
    if card.kind is not Kind.HIDDEN:
        raise BadInput(f"{name.where}: is a {card.kind} partition.", advice="Only a hidden one is retired.")
    if retirement_of(queries, known):
        raise BadInput(f"{card.name} {card.version}: is retired already.")
    return Retirement(
        partition=partition,
        queries=queries,
        judgement_set=digest(sources[JUDGEMENTS].data),
        name=card.name,
        version=card.version,
        retired_at=now,
        reason=spoken("--reason", reason),
        rerun=tuple(_scored_on(partition, cards)),
    )


def _scored_on(partition: str, cards: Iterable[Scorecard]) -> Iterable[Rerun]:
    for card in cards:
        systems = tuple(one.system for one in card.versions if one.partition == partition)
        if systems:
            yield Rerun(run_id=card.run_id, systems=systems)


def retirement_lines(found: Retirement, unread: Iterable[str]) -> list[str]:
    """What was retired, what has to be run again on the next version, and which cards nobody could ask."""
    lines = [f"{found.name} {found.version}  {found.partition}", f"retired at {found.retired_at}: {found.reason}"]
    lines += [f"no baseline any more: {one.run_id} ({', '.join(one.systems)})" for one in found.rerun]
    lines += [f"not read, so look there yourself: {why}" for why in unread]
    systems = dict.fromkeys(name for one in found.rerun for name in one.systems)
    return [*lines, f"to be run on the next hidden version: {', '.join(systems) or 'no result was found here'}"]
