"""Finds kept scorecards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from runner.adapters.formats import name_of, read_bytes
from runner.documents import Source
from runner.errors import BadInput
from runner.provenance.statement import ENVELOPES

CARD = "scorecard.json"


def card_source(place: Path) -> Source:
    """The card of a result, or the file itself."""
    path = place / CARD if place.is_dir() else place
    return Source(name_of(path), read_bytes(path))


def published(places: Iterable[Path]) -> Iterator[Source]:
    """The cards of sealed results at or right below `places`; a run that broke off has published nothing."""
    for place in places:
        if not place.exists():
            raise BadInput(f"{place}: no such place.", advice="Name a result, or a folder of results.")
        folders = sorted(path for path in place.iterdir() if path.is_dir()) if place.is_dir() else []
        for path in [place, *folders]:
            if path.is_file() or (path / ENVELOPES[0]).is_file():
                yield card_source(path)
