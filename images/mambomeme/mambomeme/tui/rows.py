"""A row of the screen: fields placed at absolute columns, since no two terminals agree on widths."""

from __future__ import annotations

from typing import NamedTuple

from .style import Style


class Field(NamedTuple):
    """`text` (shown form) from `column` on, in the SGR sequence `look`."""

    column: int
    look: str
    text: str


Row = tuple[Field, ...]
BLANK: Row = ()


def encode(number: int, row: Row, style: Style) -> str:
    """What clears row `number` and draws `row` on it, from plain to plain."""
    parts = [f"\x1b[{number};1H\x1b[2K"]
    look, column = style.plain, 1
    for field in row:
        if field.column != column:
            parts.append(f"\x1b[{number};{field.column}H")
        if field.look != look:
            parts.append(field.look)
        parts.append(field.text)
        look = field.look
        column = field.column + len(field.text) if field.text.isascii() else 0
    if look != style.plain:
        parts.append(style.plain)
    return "".join(parts)
