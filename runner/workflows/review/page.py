"""Makes the review of a result: a folder with one page, its data, the player, and a recording a block."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from runner.errors import BadInput, Findings
from runner.ports import Player, Progress, ResultFolder
from runner.provenance.card import Scorecard, Standing
from runner.retrieval.runs import Observation
from runner.terminal.asciicast.reading import Recording, read_recording
from runner.terminal.asciicast.writing import write_recording
from runner.terminal.shown import shown_form
from runner.workflows.names import CARD, CARD_PAGE, OBSERVATIONS
from runner.workflows.review.facts import Ground, page_facts
from runner.workflows.review.requests import cast_of, shown_requests

#: A link of the card's page into a cast, as `casts/bm25/block-001.cast#t=1.500000,1.502345`.
_MOMENT = re.compile(rb'href="(casts/[a-z0-9._/-]+)#t=')


def review(folder: ResultFolder, ground: Ground, player: Player, progress: Progress) -> dict[str, bytes]:
    """The files of the review by name; Findings where the result has no requests to show.

    It shows what was kept, whether or not that is genuine: `verify` says that.
    """
    observations = _observations(folder, ground)
    card = Scorecard.parse(folder.read(CARD), CARD)
    names = dict.fromkeys(map(cast_of, observations))
    kept = set(folder.names())
    with progress.step("reading the recordings"):
        casts = {name: read_recording(folder.read(name)) for name in names if name in kept}
    titles = {doc_id: item.title for doc_id, item in ground.corpus.items.items()}
    with progress.step("looking at the screens"):
        shown = tuple(shown_requests(observations, casts, titles))
    notes = {name: _notes(casts.get(name)) for name in names}
    facts = {**page_facts(card.run_id, shown, ground, notes), "casts": [*casts]}
    return {
        "index.html": _page(card, CARD_PAGE if CARD_PAGE in kept else "", player),
        **{name: _text(name) for name in ("review.css", "recording.js", "notes.js", "review.js")},
        "data.js": _script("review_data", facts),
        "player.js": player.script,
        "player.css": player.style,
        "player-licence.txt": player.licence,
        **{script_of(name): _script("review_cast", name, _playable(read)) for name, read in casts.items()},
        **({CARD_PAGE: _card_page(folder.read(CARD_PAGE))} if CARD_PAGE in kept else {}),
    }


def script_of(cast: str) -> str:
    """The file that brings a cast into the page."""
    return cast.removesuffix(".cast") + ".js"


def _observations(folder: ResultFolder, ground: Ground) -> tuple[Observation, ...]:
    names = folder.names()
    if OBSERVATIONS not in names:
        raise Findings(f"{OBSERVATIONS}: missing, so there is nothing to review.", advice="Name a finished result.")
    found = Observation.parse_lines(folder.read(OBSERVATIONS), OBSERVATIONS)
    if not found:
        raise Findings(f"{OBSERVATIONS}: empty, so there is nothing to review.")
    for line, seen in enumerate(found, 1):
        if seen.query_id not in ground.labels:
            raise BadInput(f"{OBSERVATIONS}:{line}: query_id: {seen.query_id!r} is no query of the partition.")
        if len(seen.returned) != len(seen.routes):
            raise BadInput(f"{OBSERVATIONS}:{line}: routes: not one for each item that was returned.")
    return found


def _notes(read: Recording | None) -> list[str]:
    """What a reviewer has to know about the form of a cast."""
    if read is None:
        return ["is missing from the result"]
    return [f"line {finding}" + (f" ({finding.deed})" if finding.deed else "") for finding in read.findings]


def _playable(read: Recording) -> str:
    """The recording as the player takes it: one cut line, and it would refuse the whole."""
    return write_recording(read.header, read.entries).decode() if read.header else ""


def _card_page(page: bytes) -> bytes:
    """The card's page, whose links into casts open them here."""
    return _MOMENT.sub(rb'href="index.html#\1&amp;t=', page)


def _script(function: str, *values: object) -> bytes:
    """A call with JSON values, ASCII only: what looks like markup or an end of line in it is neither."""
    written = ", ".join(json.dumps(value, separators=(",", ":")).replace("<", "\\u003c") for value in values)
    return f"{function}({written});\n".encode()


def _page(card: Scorecard, card_page: str, player: Player) -> bytes:
    facts: Mapping[str, object] = {
        "run": shown_form(card.run_id),
        "standing": card.standing,
        "eligible": card.standing is Standing.ELIGIBLE,
        "card_page": card_page,
        "player": player.version,
    }
    return _environment().get_template("index.html.j2").render(facts).encode()


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("runner.workflows.review"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _text(name: str) -> bytes:
    environment = _environment()
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0].encode()
