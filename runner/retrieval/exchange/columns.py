"""Reads clean files of columns fast: all of a file at once, where every line is plain.

Whatever is odd in any way gives None, and the caller's reader goes through the file line by line: it alone says what
is wrong and where, or that it is not wrong at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import ne

import numpy as np

_NEWLINE, _BLANK = 10, 32
# What may stand in a plain file: printable ASCII, blanks, tabs and ends of lines.
_PLAIN = np.zeros(256, dtype=bool)
_PLAIN[[9, _NEWLINE]] = _PLAIN[32:127] = True

_DIGITS = b"0123456789"


def columns(data: bytes, width: int) -> list[list[str]] | None:
    """The columns of a file of `width` columns in every line."""
    signs = np.frombuffer(data, dtype=np.uint8)
    if not data.endswith(b"\n") or not _PLAIN[signs].all():
        return None
    blank = signs <= _BLANK
    starts = np.flatnonzero(~blank & np.concatenate([[True], blank[:-1]]))
    in_line = np.diff(np.searchsorted(starts, np.flatnonzero(signs == _NEWLINE)), prepend=0)
    if (in_line != width).any():
        return None
    words = data.decode().split()
    return [words[column::width] for column in range(width)]


def whole_numbers(words: Sequence[str], digits: int) -> list[int] | None:
    """The numbers that `words` spell in at most so many digits."""
    if "".join(words).encode().translate(None, _DIGITS) or max(map(len, words)) > digits:
        return None
    return list(map(int, words))


def numbers(words: Sequence[str]) -> list[float] | None:
    """The finite numbers that `words` spell in digits, sign, point and exponent."""
    if "".join(words).encode().translate(None, _DIGITS + b"+-.eE"):
        return None
    try:
        found = list(map(float, words))
    except ValueError:
        return None
    return found if np.isfinite(found).all() else None


def runs(names: Sequence[str]) -> list[tuple[str, slice]]:
    """Where each stretch of equal names stands."""
    changes = np.fromiter(map(ne, names, names[1:]), dtype=bool, count=len(names) - 1)
    ends = [*(np.flatnonzero(changes) + 1).tolist(), len(names)]
    return [(names[start], slice(start, end)) for start, end in zip([0, *ends], ends, strict=False)]
