"""What is done with a recording: looked over, saved, drawn at one moment."""

from __future__ import annotations

from typing import NamedTuple

from avt import Vt  # type: ignore[attr-defined]

from runner.errors import BadInput
from runner.terminal.asciicast.burden import burden
from runner.terminal.asciicast.findings import Finding
from runner.terminal.asciicast.payloads import payloads
from runner.terminal.asciicast.reading import Recording, read_recording
from runner.terminal.asciicast.writing import write_recording
from runner.terminal.picture import picture


def lint(data: bytes) -> tuple[Finding, ...]:
    """Everything found in its form and in what it carries, in the order of the lines."""
    read = read_recording(data)
    return tuple(sorted([*read.findings, *payloads(read)], key=lambda one: one.line))


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


def still(read: Recording, ns: int) -> str:
    """The SVG of the screen `ns` nanoseconds from the start; BadInput where there is nothing or too much to draw."""
    if read.header is None:
        raise BadInput(f"no recording: line {read.findings[0]}.", advice="`cast lint` says more.")
    if heavy := burden(read):
        raise BadInput(f"line {heavy}.", advice="It was not drawn.")
    terminal = Vt(read.header.columns, read.header.rows, 0)
    for event in read.events:
        if event.ns > ns:
            break
        if event.code == "o":
            terminal.feed_str(event.text)
        elif event.code == "r":
            columns, _, rows = event.text.partition("x")
            terminal.resize(int(columns), int(rows))
    return picture(list(terminal.view()))
