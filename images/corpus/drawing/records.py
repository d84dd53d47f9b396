"""The lines of `items.jsonl` and `art.jsonl`, as far as previews need them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from drawing.faults import PreviewError
from drawing.layouts import LAYOUTS
from drawing.scene import Words

_ART_KEYS = ("template_group", "art", "layout")


class ArtLine(NamedTuple):
    """The drawing and the layout of one template group. `page` and `ink` are measured, not chosen."""

    template_group: str
    art: str
    layout: str
    digest: str = ""
    creator: str = ""
    title: str = ""
    page: tuple[float, float] = (0, 0)
    ink: tuple[float, float, float, float] = (0, 0, 0, 0)


def digest(data: bytes) -> str:
    """`sha256:<hex>` of `data`."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def canonical(value: Any) -> bytes:
    """The one JSON spelling of `value`: sorted keys, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def to_lines(values: Iterable[Any]) -> bytes:
    """JSON Lines of `values`."""
    return b"".join(canonical(value) + b"\n" for value in values)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file, or a PreviewError that names the line."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise PreviewError(f"{path}: cannot be read ({error.strerror}).") from None
    found = []
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line)
        except ValueError:
            raise PreviewError(f"{path}:{number}: not JSON. Mend the line.") from None
        if not isinstance(value, dict):
            raise PreviewError(f"{path}:{number}: not an object. Mend the line.")
        found.append(value)
    return found


def words_of(item: Mapping[str, Any]) -> Words:
    """What a picture shows of an item."""
    return Words(item["doc_id"], item["title"], item["template"], item["template_group"], item["ocr_text"])


def read_art(path: Path) -> dict[str, ArtLine]:
    """The art by template group; an unknown layout, a missing key or a group that stands twice is a PreviewError."""
    found: dict[str, ArtLine] = {}
    for number, value in enumerate(read_lines(path), 1):
        missing = [key for key in _ART_KEYS if key not in value]
        if missing or value.keys() - set(ArtLine._fields):
            raise PreviewError(
                f"{path}:{number}: keys must be {', '.join(ArtLine._fields)} (the first three at least)."
            )
        line = ArtLine(**{key: tuple(entry) if isinstance(entry, list) else entry for key, entry in value.items()})
        if line.layout not in LAYOUTS:
            raise PreviewError(f"{path}:{number}: layout {line.layout!r} is not one of {', '.join(LAYOUTS)}.")
        if line.template_group in found:
            raise PreviewError(f"{path}:{number}: group {line.template_group!r} stands twice. Keep one line.")
        found[line.template_group] = line
    return found
