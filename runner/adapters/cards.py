"""Finds kept scorecards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from runner.adapters.archives import ENDING, is_archive, open_result
from runner.adapters.formats import name_of, read_bytes
from runner.documents import Source
from runner.errors import BadInput
from runner.provenance.statement import ENVELOPES

CARD = "scorecard.json"


def card_source(place: Path) -> Source:
    """The card of a result or of its archive, or the file itself."""
    if is_archive(place):
        result = open_result(place)
        if CARD not in result.names():
            raise BadInput(f"{name_of(place)}: {CARD}: missing.", advice="Name the archive of a whole result.")
        return Source(f"{name_of(place)}: {CARD}", result.read(CARD))
    path = place / CARD if place.is_dir() else place
    return Source(name_of(path), read_bytes(path))


def published(places: Iterable[Path]) -> Iterator[Source]:
    """The cards of sealed results right below `places` and of archives in them, each once; a run that broke off has
    published nothing."""
    seen = set[bytes]()
    for place in places:
        if not place.exists():
            raise BadInput(f"{place}: no such place.", advice="Name a result, or a folder of results.")
        for path in [place, *_below(place)]:
            if path.is_file() or (path / ENVELOPES[0]).is_file():
                source = card_source(path)
                if source.data not in seen:
                    seen.add(source.data)
                    yield source


def _below(place: Path) -> Iterator[Path]:
    """Folders right below a place, and archives beside or in them."""
    for path in sorted(place.iterdir()) if place.is_dir() else ():
        if path.is_dir():
            yield path
            yield from sorted(path.rglob(f"*{ENDING}"))
        elif path.name.endswith(ENDING):
            yield path
