"""What publishers did and what a connection was served, read and put in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runner.documents import parse_json
from runner.errors import BadInput
from runner.provenance.suites.cases import HELLO_ID, OK
from runner.terminal import suite_log as log

Lines = tuple[bytes, ...]
_FORMAT = "mambo-release/v1"


def build_fault(ran: log.Ran, made: log.Made | None) -> str:
    """What is wrong with a build, in words; empty where nothing is."""
    if ran.status != 0:
        return f"`build` {how(ran)}"
    if made is None:
        return "there is no release.json that names an index"
    card = object_in(made.data)
    if card.get("format") != _FORMAT or card.keys() != {"format", "corpus", "index", "model", "files"}:
        return f"release.json has the keys {', '.join(sorted(card))} and format {card.get('format')!r}"
    if card["files"] != dict(made.files):
        return "release.json does not name exactly its files by their digests"
    if card["corpus"] != made.corpus:
        return "release.json names another corpus than it was made of"
    return ""


def object_in(data: bytes) -> Mapping[str, Any]:
    """The JSON object in `data`; empty where it is none."""
    try:
        value = parse_json(data, "reply")
    except BadInput:
        return {}
    return value if isinstance(value, dict) else {}


def hello_of(lines: Lines) -> Mapping[str, Any]:
    """The reply to hello with status ok; empty where there is none."""
    for line in lines:
        value = object_in(line)
        if value.get("id") == HELLO_ID:
            return value if value.get("status") == OK else {}
    return {}


def _lists(lines: Lines) -> Iterator[list[str]]:
    """The doc_ids of each list, in its order."""
    for line in lines:
        items = object_in(line).get("items")
        if isinstance(items, list):
            yield [str(item.get("doc_id")) for item in items if isinstance(item, dict)]


def found_in(lines: Lines) -> Iterator[str]:
    """Every doc_id in the replies."""
    yield from (doc_id for found in _lists(lines) for doc_id in found)


def first_found_in(lines: Lines) -> Iterator[str]:
    """The doc_id at the head of each list."""
    yield from (found[0] for found in _lists(lines) if found)


def how(ran: log.Ran) -> str:
    """How a publisher ended."""
    return f"ended with {ran.status}" if ran.signal is None else f"was ended by signal {ran.signal}"


def what_came(lines: Lines) -> str:
    """What a connection got, in words."""
    if not lines:
        return "nothing"
    return "neither of the two releases as a whole" if hello_of(lines) else "no good reply to hello"
