"""The shown form of text from data, and the form in which what emulators read back is compared with it."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

ELLIPSIS = "…"
_ZWJ = "\u200d"
_REPLACEMENT = "\ufffd"
#: A run draws the same titles over and over.
_REMEMBERED = 10_000


@lru_cache(_REMEMBERED)
def shown_form(text: str) -> str:
    """`text` as a UI draws it: controls as pictures, what could steer a terminal or turn its direction replaced."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_shown, unicodedata.normalize("NFC", text)))


@lru_cache(_REMEMBERED)
def compared_form(text: str) -> str:
    """What is left of drawn text for comparison: no blanks, no ZWJ, no variation selectors.

    Emulators keep or drop these, and pad wide characters, each in a way of its own.
    """
    if text.isascii():
        return text.replace(" ", "")
    return "".join(character for character in unicodedata.normalize("NFC", text) if not _ignored(character))


def shows_title(drawn: str, title: str) -> bool:
    """Whether `drawn` is the shown form of `title`, or a cut of it that ends in an ellipsis and shows something."""
    seen, whole = compared_form(drawn), compared_form(shown_form(title))
    if seen == whole:
        return True
    return len(seen) > 1 and seen.endswith(ELLIPSIS) and whole.startswith(seen[:-1])


def _shown(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if character == _ZWJ:
        return character
    category = unicodedata.category(character)
    if category in {"Cc", "Cf", "Cs"}:
        return _REPLACEMENT
    return " " if category in {"Zl", "Zp"} else character


def _ignored(character: str) -> bool:
    return (
        character == _ZWJ or "\ufe00" <= character <= "\ufe0f" or unicodedata.category(character) in {"Zs", "Zl", "Zp"}
    )
