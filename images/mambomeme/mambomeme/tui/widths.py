"""How many columns a text may take at most, in any terminal: for cutting, never for placing what follows it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from .clusters import following

ELLIPSIS = "…"
# Narrow by the tables of Python 3.11, but wide in some terminals or by later tables.
_WIDE_ELSEWHERE = (
    (0x17A4, 0x17A4), (0x2630, 0x2637), (0x268A, 0x268F), (0x2E3A, 0x2E3B), (0x4DC0, 0x4DFF), (0x1D300, 0x1D376),
    (0x1F000, 0x1FAFF),
)  # fmt: skip
# One column each, and nothing that joins: most texts are of these.
_PLAIN = re.compile(r"[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*")


def width(text: str) -> int:
    """Columns of `text` (shown form) in the terminal that draws it widest.

    Nothing counts 0 and joined emoji count one by one: some terminals give marks and joiners a cell of their own.
    """
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut(text: str, columns: int) -> str:
    """`text` if it fits into `columns`, else the longest prefix of whole characters that does, and `…`."""
    if width(text) <= columns:
        return text
    return text[: fitting(text, columns - 1)].rstrip() + ELLIPSIS


def fitting(text: str, columns: int) -> int:
    """The length of the longest prefix of whole characters that takes at most `columns`.

    Where not even the first fits (a letter under a hundred marks), as many code points of it as do.
    """
    if _PLAIN.fullmatch(text, 0, max(columns, 0) + 1):
        return min(len(text), max(columns, 0))
    return _fitting(text, columns, following) or _fitting(text, columns, _next_code_point)


def _fitting(text: str, columns: int, step: Callable[[str, int], int]) -> int:
    end = taken = 0
    while end < len(text):
        next_end = step(text, end)
        taken += width(text[end:next_end])
        if taken > columns:
            break
        end = next_end
    return end


def _next_code_point(_text: str, index: int) -> int:
    return index + 1


def wrap(text: str, columns: int, lines: int) -> list[str]:
    """`text` in at most `lines` lines of `columns`, broken at blanks where it can be; `…` ends what was cut."""
    found: list[str] = []
    rest = text.strip()
    while rest and len(found) < lines - 1 and (len(rest) > columns or width(rest) > columns):
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
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 1
    wide = unicodedata.east_asian_width(character) in "WF" or unicodedata.category(character) == "Cn"
    return 2 if wide or any(first <= code <= last for first, last in _WIDE_ELSEWHERE) else 1
