"""The shown form: how text from data stands on the screen without being obeyed by it."""

from __future__ import annotations

import unicodedata

ZWJ = "\u200d"
REPLACEMENT = "\ufffd"


def shown(text: str) -> str:
    """`text` in the interface's shown form: NFC, controls as pictures, what could steer the terminal as U+FFFD."""
    normal = unicodedata.normalize("NFC", text)
    if normal.isprintable():
        return normal
    return "".join(map(_shown_character, normal))


def one_line(text: str) -> str:
    """`text` shown, with every run of whitespace as one blank: for words in a status or a paragraph."""
    return shown(" ".join(text.split()))


def _shown_character(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    category = unicodedata.category(character)
    if category in {"Zl", "Zp"}:
        return " "
    if category in {"Cc", "Cs"} or (category == "Cf" and character != ZWJ):
        return REPLACEMENT
    return character
