"""Saves what is good in a damaged recording."""

from __future__ import annotations

from typing import NamedTuple

from runner.terminal.asciicast.findings import Finding
from runner.terminal.asciicast.reading import read_recording
from runner.terminal.asciicast.writing import write_recording


class Saved(NamedTuple):
    """The sound file, null where nothing could be kept; how many events are in it; what was done, by line."""

    data: bytes | None
    events: int
    account: tuple[Finding, ...]


def salvage(data: bytes) -> Saved:
    """`data` with each event that can be kept, as it is where nothing is wrong with its form."""
    read = read_recording(data)
    account = tuple(finding for finding in read.findings if finding.rule.form)
    if read.header is None:
        return Saved(None, 0, account)
    whole = write_recording(read.header, read.entries) if account else data
    return Saved(whole, len(read.events), account)
