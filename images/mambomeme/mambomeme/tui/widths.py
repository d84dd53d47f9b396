"""How many columns a text may take at most, in any terminal: for cutting, never for placing what follows it."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from .clusters import following

ELLIPSIS = "…"
_WIDENS = {"\ufe0f", "\u20e3"}


def width(text: str) -> int:
    """Columns of `text` (shown form) in the terminal that draws it widest.

    Joined emoji count one by one and spacing marks count, since some terminals draw them so.
    """
    if text.isascii():
        return len(text)
    total = previous = 0
    for character in text:
        step = 1 if character in _WIDENS and previous == 1 else _columns(character)
        total += step
        previous = step or previous
        if character in _WIDENS:
            previous = 2
    return total


def cut(text: str, columns: int) -> str:
    """`text` if it fits into `columns`, else the longest prefix of whole characters that does, and `…`."""
    if width(text) <= columns:
        return text
    return text[: fitting(text, columns - 1)].rstrip() + ELLIPSIS


def fitting(text: str, columns: int) -> int:
    """The length of the longest prefix of whole characters that takes at most `columns`."""
    end = taken = 0
    while end < len(text):
        next_end = following(text, end)
        taken += width(text[end:next_end])
        if taken > columns:
            break
        end = next_end
    return end


def wrap(text: str, columns: int, lines: int) -> list[str]:
    """`text` in at most `lines` lines of `columns`, broken at blanks where it can be; `…` ends what was cut."""
    found: list[str] = []
    rest = text.strip()
    while rest and len(found) < lines - 1 and width(rest) > columns:
        end = _line_end(rest, columns)
        found.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    if rest and lines > 0:
        found.append(cut(rest, columns))
    return found


def _line_end(text: str, columns: int) -> int:
    end = max(fitting(text, columns), 1)
    if end == len(text) or text[end] == " ":
        return end
    blank = text.rfind(" ", 0, end)
    return blank if blank > 0 else end


@lru_cache(maxsize=4096)
def _columns(character: str) -> int:
    code = ord(character)
    category = unicodedata.category(character)
    if category in {"Mn", "Me", "Cf"}:
        return 0
    if unicodedata.east_asian_width(character) in "WF" or 0x1F000 <= code <= 0x1FAFF:
        return 2
    return 1
