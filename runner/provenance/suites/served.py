"""What publishers did and what a connection was served, read and put in words."""

from __future__ import annotations

from runner.provenance.suites.lines import hello_of, object_in
from runner.terminal import suite_log as log

Lines = tuple[bytes, ...]
_FORMAT = "mambo-release/v1"


def build_fault(ran: log.Ran, made: log.Made | None) -> str:
    """What is wrong with a build, in words; empty where nothing is."""
    if ran.status != 0:
        return f"`build` {how(ran)}"
    if made is None:
        return "there is no release.json that names an index"
    card = object_in(made.data) or {}
    if card.get("format") != _FORMAT or card.keys() != {"format", "corpus", "index", "model", "files"}:
        return f"release.json has the keys {', '.join(sorted(card))} and format {card.get('format')!r}"
    if card["files"] != dict(made.files):
        return "release.json does not name exactly its files by their digests"
    if card["corpus"] != made.corpus:
        return "release.json names another corpus than it was made of"
    return ""


def how(ran: log.Ran) -> str:
    """How a publisher ended."""
    return f"ended with {ran.status}" if ran.signal is None else f"was ended by signal {ran.signal}"


def what_came(lines: Lines) -> str:
    """What a connection got, in words."""
    if not lines:
        return "nothing"
    return "neither of the two releases as a whole" if hello_of(lines) else "no good reply to hello"
