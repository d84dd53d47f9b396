"""Finds in a text what is to be taken out of a recording: words, whatever their case and spacing, and secrets."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runner.terminal.asciicast.payloads import SECRETS

MASK = "█"
#: Emulators drop or keep these, each in a way of its own.
_LOOSE = re.compile("[\u200d\ufe00-\ufe0f]")
_SECRETS = tuple(map(re.compile, SECRETS.values()))
#: What a header may say. Anything else is for programs that are not known here, and does not come along.
_FIELDS = frozenset({"timestamp", "duration", "idle_time_limit", "command", "title", "tags"})
_LOOKS, _COLOURS = frozenset({"type", "version", "theme"}), frozenset({"fg", "bg", "palette"})


class Sought:
    """What is taken out."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(pattern for word in words for pattern in _patterns(word))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where it stands, by first place and end."""
        folded, places = _folded(text) if self._words else ("", ())
        found = [hit.span() for pattern in _SECRETS for hit in pattern.finditer(text)]
        words = (hit.span() for pattern in self._words for hit in pattern.finditer(folded))
        return [*found, *((places[first], places[end - 1] + 1) for first, end in words)]

    def masked(self, text: str) -> str:
        """`text` with a block in place of each character of it; blanks stay."""
        letters = list(text)
        for first, end in self.spans(text):
            letters[first:end] = [letter if letter.isspace() else MASK for letter in letters[first:end]]
        return "".join(letters)

    def header(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The known fields of a header, without it."""
        kept = {name: self._inside(each) for name, each in fields.items() if name in _FIELDS}
        kept |= self._theme(fields)
        if isinstance(fields.get("env"), dict):
            kept["env"] = {self.masked(name): self._inside(each) for name, each in fields["env"].items()}
        if isinstance(fields.get("term"), dict):
            looks = {name: each for name, each in fields["term"].items() if name in _LOOKS - {"theme"}}
            kept["term"] = {name: self._inside(each) for name, each in looks.items()} | self._theme(fields["term"])
        return {name: each for name, each in kept.items() if each is not None}

    def _theme(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Colours, unless they spell it."""
        theme = fields.get("theme")
        if not isinstance(theme, dict):
            return {}
        colours = {name: each for name, each in theme.items() if name in _COLOURS}
        return {"theme": colours} if all(self._inside(each) == each for each in colours.values()) else {}

    def _inside(self, value: Any) -> Any:
        """A value without it; a number that spells it goes as a whole, and so does what is neither."""
        if isinstance(value, str):
            return self.masked(value)
        if isinstance(value, list):
            return [self._inside(each) for each in value]
        return value if isinstance(value, int | float) and not self.spans(str(value)) else None


def _patterns(word: str) -> Iterator[re.Pattern[str]]:
    """The folded spellings of a word or phrase, whose blanks may be as wide as what is left of a row."""
    folded = [each.casefold() for each in (word, _LOOSE.sub("", word))]
    for form in sorted({unicodedata.normalize(form, each) for form in ("NFC", "NFD") for each in folded}):
        yield re.compile(r"\s*".join(map(re.escape, form.split())), re.IGNORECASE)


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """`text` in the form in which cases are one, and of which of its characters each is."""
    if text.isascii():
        return text.lower(), range(len(text))
    folded = [(sign, place) for place, letter in enumerate(text) for sign in letter.casefold()]
    return "".join(sign for sign, _ in folded), [place for _, place in folded]
