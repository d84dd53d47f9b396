"""Writes a recording as every player takes it."""

from __future__ import annotations

import json
from collections.abc import Iterable

from runner.terminal.asciicast.events import Event
from runner.terminal.asciicast.header import Header
from runner.terminal.asciicast.lines import Comment
from runner.terminal.asciicast.numbers import seconds


def write_recording(header: Header, entries: Iterable[Event | Comment]) -> bytes:
    """The file in the version that `header` says: 2 with times from the start, 3 with the time since the last event."""
    lines, latest = [_json(_first_line(header))], 0
    for entry in entries:
        if isinstance(entry, Comment):
            lines.append(entry.text)
            continue
        ns = entry.ns - latest if header.version == 3 else entry.ns
        latest = entry.ns
        lines.append(f'[{seconds(ns)}, "{entry.code}", {_json(entry.text)}]')
    return ("\n".join(lines) + "\n").encode()


def _first_line(header: Header) -> dict[str, object]:
    if header.version == 3:
        looks = header.fields.get("term", {})
        size = {"cols": header.columns, "rows": header.rows, **looks}
        return {"version": 3, **header.fields, "term": size}
    return {"version": 2, "width": header.columns, "height": header.rows, **header.fields}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
