"""Adds to items the plain words by which people look for them who do not know what they are called."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from mambomeme.faults import StartError

PATH = Path(__file__).with_name("ideas.jsonl")
"""One object a line: `doc_id`, `of` (see there) and `ideas`. Written by machine for each item from its own fields and
general knowledge, by a writer who saw no query and no label."""

_DESCRIBED = ("title", "template", "ocr_text", "visual", "meaning")

Ideas = Mapping[str, tuple[str, tuple[str, ...]]]


def of(record: Mapping[str, Any]) -> str:
    """What ties ideas to the item that they were written for: they are for no other text under the same doc_id."""
    text = "\n".join(record[field] or "" for field in _DESCRIBED)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@lru_cache(maxsize=1)
def read_ideas(path: Path = PATH) -> Ideas:
    """The ideas in `path` by doc_id, with the `of` of the item that they are for; StartError names a line that holds
    none."""
    found = {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            record = json.loads(line)
            found[str(record["doc_id"])] = str(record["of"]), tuple(map(str, record["ideas"]))
        except (ValueError, KeyError, TypeError):
            raise StartError(f"{path.name}:{number}: needs doc_id, of and ideas.") from None
    return found


def ideas_for(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The ideas that were written for an item of the corpus; none for an item unknown or changed since."""
    item, ideas = read_ideas().get(record["doc_id"], ("", ()))
    return ideas if ideas and item == of(record) else ()
