"""Reads the text a person typed, once, into words, quoted phrases and filters."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from mambomeme.tokens import line, tokens

OPERATORS = ("who", "from", "tag", "lang", "safe")
"""What may stand before the colon of a filter; any other word and its colon are plain words."""

_QUOTES = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'))
_FILTER = re.compile(rf'(?<![^\s"(])({"|".join(OPERATORS)}):("[^"]*"|[^\s"]+)', re.IGNORECASE)
_QUOTED = re.compile(r'"([^"]*)"')


class Filter(NamedTuple):
    """One condition that every result must meet: `operator` is one of OPERATORS, `words` are those of its value."""

    operator: str
    words: tuple[str, ...]


class Query(NamedTuple):
    """`free` is what was typed without filters, `line` its words with apostrophes left out; `phrases` has the words of
    each quoted phrase (of two or more)."""

    free: str
    line: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    filters: tuple[Filter, ...]


def parse_query(text: str) -> Query:
    """The query in `text`. Nothing is refused: what is no filter and no quotation is plain words."""
    plain = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    filters: list[Filter] = []
    free = _FILTER.sub(lambda found: _take(found, filters), plain)
    phrases = tuple(words for part in _QUOTED.findall(free) if len(words := tuple(line(part))) > 1)
    return Query(" ".join(free.split()), tuple(line(free)), phrases, tuple(filters))


def _take(found: re.Match[str], filters: list[Filter]) -> str:
    words = tuple(tokens(found[2]))
    if not words:
        return found[0]
    filters.append(Filter(found[1].lower(), words))
    return " "
