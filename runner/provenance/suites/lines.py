"""What stands in the lines that an engine replies with, for the driver that asks and the judge alike."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runner.provenance.suites.cases import HELLO_ID, OK


def object_in(line: bytes) -> Mapping[str, Any] | None:
    """The object in a line of JSON in UTF-8, with no key twice and finite numbers; null where it is none."""
    try:
        value = json.loads(line.decode(), object_pairs_hook=_unique, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def hello_of(lines: Sequence[bytes]) -> Mapping[str, Any]:
    """The reply to hello with status ok; empty where there is none."""
    for line in lines:
        value = object_in(line) or {}
        if value.get("id") == HELLO_ID:
            return value if value.get("status") == OK else {}
    return {}


def lists_in(lines: Sequence[bytes]) -> Iterator[list[str]]:
    """The doc_ids of each list of items, in its order."""
    for line in lines:
        items = (object_in(line) or {}).get("items")
        if isinstance(items, list):
            yield [str(item.get("doc_id")) for item in items if isinstance(item, dict)]


def first_found_in(lines: Sequence[bytes]) -> frozenset[str]:
    """The doc_id at the head of each list."""
    return frozenset(found[0] for found in lists_in(lines) if found)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not finite")
    return value
