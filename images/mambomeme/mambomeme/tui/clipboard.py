"""A result as text for the clipboard, by OSC 52: one line, which no shell runs when it is pasted there."""

from __future__ import annotations

import base64

from .details import credit, quote_lines
from .replies import Item
from .shown import one_line
from .widths import cut

# Some terminals drop what is longer than 74,994 bytes in base64; no line needs as much.
_LONGEST = 2000


def copied_text(item: Item) -> str:
    """Title, quote, and in brackets whose it is and its id."""
    quote = " / ".join(quote_lines(item.quote))
    source = ", ".join((*credit(item), one_line(item.doc_id)))
    return cut(" ".join(filter(None, (one_line(item.title), quote, f"({source})"))), _LONGEST)


def to_clipboard(text: str) -> bytes:
    """What asks the terminal to put `text` on its clipboard."""
    return b"\x1b]52;c;" + base64.standard_b64encode(text.encode("utf-8", "replace")) + b"\x1b\\"
