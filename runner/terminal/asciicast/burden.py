"""Says beforehand whether a recording would keep the emulator busy without end."""

from __future__ import annotations

import re

from runner.terminal.asciicast.findings import Finding, Rule
from runner.terminal.asciicast.reading import Recording

#: Cells that may be handled. A screen is read after each output and resize, which costs five times what a sequence can.
MOST_CELLS = 2_000_000_000
_READ = 5
#: A sequence may clear or move the whole screen; one that repeats does so as often as its number says, 65,535 at most.
_SEQUENCE = re.compile("[\x1b\x9b]")
_NUMBER = re.compile(r"[0-9]{4,}")
_MOST_REPEATS = 65_535
#: Terminals pass over these wherever they stand, so that a sequence can be hidden from whoever looks for its bytes.
PASSED_OVER = dict.fromkeys([*range(7), *range(8, 24), 25, *range(28, 32), 127])


def burden(read: Recording) -> Finding | None:
    """The line from which on too much is drawn; null where all of it can be."""
    if read.header is None:
        return None
    cells, total = read.header.columns * read.header.rows, 0
    for event in read.events:
        if event.code == "r":
            columns, _, rows = event.text.partition("x")
            cells = max(cells, int(columns) * int(rows))
            total += _READ * cells
            cells = int(columns) * int(rows)
        elif event.code == "o":
            total += cells * (_READ + len(_SEQUENCE.findall(event.text))) + _repeats(event.text)
        if total > MOST_CELLS:
            return Finding(event.line, Rule.BURDEN, f"more than {MOST_CELLS} cells are drawn up to here")
    return None


def _repeats(text: str) -> int:
    numbers = (number.lstrip("0") for number in _NUMBER.findall(text.translate(PASSED_OVER)))
    return sum(_MOST_REPEATS if len(number) > 5 else min(int(number or 0), _MOST_REPEATS) for number in numbers)
