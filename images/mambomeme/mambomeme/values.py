"""The values that `lang:` and `safe:` know, and those of a query that they do not."""

from __future__ import annotations

import json
from pathlib import Path

from mambomeme.query import Filter, parse_query
from mambomeme.tokens import tokens

LANGUAGES = {
    name: code
    for code, names in json.loads(Path(__file__).with_name("languages.json").read_bytes()).items()
    for name in (code, *("".join(tokens(name)) for name in names))
}
ONLY_SAFE = frozenset({"yes", "safe", "strict", "on", "true", "only", "1"})
ANY = frozenset({"no", "off", "any", "all", "false", "sensitive", "0"})


def unknown_values(text: str) -> tuple[str, ...]:
    """What is wrong with each filter of the query `text` that no item of any corpus meets, in words."""
    wrong = (_wrong(condition) for condition in parse_query(text).filters)
    return tuple(words for words in wrong if words)


def _wrong(condition: Filter) -> str:
    value = " ".join(condition.words)
    if condition.operator == "lang" and "".join(condition.words) not in LANGUAGES:
        return f"lang: knows no language {value}, but en or english"
    if condition.operator == "safe" and condition.words[0] not in ONLY_SAFE | ANY:
        return f"safe: knows no {value}, but yes and no"
    return ""
