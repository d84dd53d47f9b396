"""The steward's append-only log of runs: one hash-chained line for each statement signed, in order."""

from __future__ import annotations

from dataclasses import dataclass

from runner.documents import Digest, Document, parse_json
from runner.errors import Findings
from runner.provenance.chain import BrokenChain, follow, seal
from runner.provenance.statement import Count, Stamp

FIRST_HEAD = "0" * 64


class Entry(Document):
    """One signed run; `statement` is the digest of the signed payload."""

    index: Count
    run_id: str
    signed_at: Stamp
    statement: Digest


@dataclass(frozen=True, slots=True)
class Place:
    """Where the next entry goes: its index, and the chain digest it follows."""

    index: int
    head: str


def read_journal(data: bytes, name: str) -> tuple[tuple[Entry, ...], Place]:
    """The entries in `data` and the place of the next; Findings where the log was cut, changed or reordered."""
    lines = data.splitlines(keepends=True)
    try:
        head = follow(FIRST_HEAD, lines)
    except BrokenChain as error:
        raise Findings(f"{name}: {error}.", advice="The log of runs was altered; restore it.") from None
    entries = tuple(_entry(line, f"{name}:{number}") for number, line in enumerate(lines, 1))
    wrong = [number for number, entry in enumerate(entries) if entry.index != number]
    if wrong:
        raise Findings(f"{name}:{wrong[0] + 1}: index: is not {wrong[0]}.")
    return entries, Place(len(entries), head)


def journal_line(entry: Entry, place: Place) -> bytes:
    """The line of `entry` at `place`, with its newline."""
    line, _ = seal(place.head, entry.model_dump(mode="json"))
    return line


def _entry(line: bytes, where: str) -> Entry:
    value = parse_json(line, where)
    value.pop("chain", None)
    return Entry.model_validate(value)
