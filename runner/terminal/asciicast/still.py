"""Draws one moment of a recording."""

from __future__ import annotations

from avt import Vt  # type: ignore[attr-defined]

from runner.errors import BadInput
from runner.terminal.asciicast.reading import Recording
from runner.terminal.picture import picture


def still(read: Recording, ns: int) -> str:
    """The SVG of the screen `ns` nanoseconds from the start; BadInput where nothing can be read."""
    if read.header is None:
        raise BadInput(f"no recording: line {read.findings[0]}.", advice="`cast lint` says more.")
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
