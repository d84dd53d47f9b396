"""What the corpus tells of a result beyond the engine's reply, looked up when somebody reads on."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple


class Note(NamedTuple):
    """What the picture shows, and the tags; empty where not known."""

    visual: str
    tags: tuple[str, ...]


NOTHING = Note("", ())


@lru_cache(maxsize=64)
def read_note(folder: str, doc_id: str) -> Note:
    """The note on `doc_id` from the corpus in `folder`; NOTHING where there is none that can be read."""
    try:
        data = (Path(folder) / "items.jsonl").read_bytes() if folder else b""
        value = json.loads(_line_with(data, f'"doc_id":{json.dumps(doc_id, ensure_ascii=False)}'.encode()))
    except (OSError, ValueError, RecursionError):
        return NOTHING
    if not isinstance(value, dict) or value.get("doc_id") != doc_id:
        return NOTHING
    visual, tags = value.get("visual"), value.get("tags")
    return Note(
        visual if isinstance(visual, str) else "",
        tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
    )


def _line_with(data: bytes, words: bytes) -> bytes:
    """The line of `data` that holds `words`, empty without one: one line of a large corpus is soon found and parsed."""
    at = data.find(words)
    return data[data.rfind(b"\n", 0, at) + 1 : data.find(b"\n", at) + 1 or None] if at >= 0 else b""
