"""Letters as keys, for hands that know vi, less or tig: only in a list entered with Esc."""

from __future__ import annotations

from .keys import Key

LETTERS = {
    "j": Key.DOWN, "k": Key.UP, "g": Key.HOME, "G": Key.END, "l": Key.ENTER, "h": Key.ESCAPE, "q": Key.END_OF_FILE,
    "v": Key.PREVIEW, " ": Key.PREVIEW, "o": Key.OPEN, "y": Key.COPY, "c": Key.CHOOSE, "?": Key.HELP,
}  # fmt: skip
RANKS = "1234567890"
BACK_TO_LINE = "ia/"
_HELD_DOWN = "jk"


def command(text: str) -> str:
    """The letter that `text`, typed in such a list, stands for; empty where it is text: a write of several characters
    is, unless it is a moving key held down."""
    first = text[:1]
    if len(text) > 1 and (first not in _HELD_DOWN or text.strip(first)):
        return ""
    return first if first in LETTERS or first in RANKS or first in BACK_TO_LINE else ""
