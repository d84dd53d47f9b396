"""Where one visible character ends: marks, ZWJ sequences, skin tones and flags stay with their base."""

from __future__ import annotations

import unicodedata

from .shown import ZWJ

# Nothing below attaches to what stands before it.
_FIRST_MARK = "\u0300"


def following(text: str, index: int) -> int:
    """The boundary after `index`, at most the end of `text`."""
    index += 1
    while index < len(text) and _joined(text, index):
        index += 1
    return min(index, len(text))


def preceding(text: str, index: int) -> int:
    """The boundary before `index`, at least 0."""
    index -= 1
    while index > 0 and _joined(text, index):
        index -= 1
    return max(index, 0)


def extends(character: str) -> bool:
    """Whether `character` attaches to what stands before it."""
    if character.isascii():
        return False
    code = ord(character)
    return (
        character == ZWJ
        or 0x1F3FB <= code <= 0x1F3FF
        or 0xE0020 <= code <= 0xE007F
        or unicodedata.category(character)[0] == "M"
    )


def _joined(text: str, index: int) -> bool:
    character = text[index]
    if character < _FIRST_MARK and text[index - 1] != ZWJ:
        return False
    if extends(character):
        return True
    if text[index - 1] == ZWJ:
        return not (character.isalnum() or character.isspace())
    return _regional(character) and _regionals_before(text, index) % 2 == 1


def _regional(character: str) -> bool:
    return 0x1F1E6 <= ord(character) <= 0x1F1FF


def _regionals_before(text: str, index: int) -> int:
    start = index
    while start > 0 and _regional(text[start - 1]):
        start -= 1
    return index - start
