"""The filters that a query may hold, and the one that is being typed."""

from __future__ import annotations

import re

FILTERS = {
    "who:": "a person or character, as in who:ackbar",
    "from:": 'a film, game or series, as in from:"star wars"',
    "tag:": "a tag, as in tag:monday",
    "lang:": "a language, as in lang:en",
    "safe:": "yes for safe ones alone, no for all, as in safe:yes",
}
_WORD = re.compile(r"(?<!\S)(\w+:)\S*\Z")


def about(text: str, cursor: int) -> str:
    """What the filter that ends at `cursor` does; for a lone `?`, where help is; else empty."""
    if text.strip() == "?":
        return "F1 shows the keys and filters"
    found = _WORD.search(text[:cursor])
    name = found[1].casefold() if found else ""
    return f"{name} {FILTERS[name]}" if name in FILTERS else ""
