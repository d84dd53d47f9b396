"""Says how a kept file differs from the one that its records give."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice, zip_longest

MOST = 20
#: Of a value, this much is shown; a whole list would hide what differs.
LONGEST = 600


def differences(name: str, kept: bytes, made: bytes) -> Iterator[str]:
    """One sentence for each place in which `kept` is not `made`, each opening with the file's name; the first 20."""
    if kept == made:
        return
    pairs = [(f"{name}: ", kept, made)] if name.endswith(".json") else _lines(name, kept, made)
    found = [line for where, old, new in pairs for line in islice(of_json(where, old, new), MOST)]
    yield from found[:MOST] or [f"{name}: is not what its records give."]


def _lines(name: str, kept: bytes, made: bytes) -> list[tuple[str, bytes, bytes]]:
    """The first line that differs, of files that hold lines of JSON; what follows from it would only repeat it."""
    if not name.endswith(".jsonl"):
        return []
    lines = zip_longest(kept.split(b"\n"), made.split(b"\n"), fillvalue=b"")
    number, old, new = next((n, old, new) for n, (old, new) in enumerate(lines, 1) if old != new)
    return [(f"{name}:{number}: ", old, new)]


def of_json(where: str, kept: bytes, made: bytes) -> Iterator[str]:
    """One sentence behind `where` for each place in which two JSON values differ; none where one is not JSON."""
    try:
        old, new = json.loads(kept), json.loads(made)
    except (ValueError, RecursionError):
        return
    for path, one, other in _values("", old, new):
        yield f"{where}{path.lstrip('.') or 'value'} says {_short(one)}, its records give {_short(other)}."


def _values(path: str, kept: object, made: object) -> Iterator[tuple[str, object, object]]:
    if isinstance(kept, dict) and isinstance(made, dict):
        for key in sorted(kept.keys() | made.keys()):
            yield from _values(f"{path}.{key}", kept.get(key), made.get(key))
    elif isinstance(kept, list) and isinstance(made, list) and len(kept) == len(made):
        for number, (one, other) in enumerate(zip(kept, made, strict=True)):
            yield from _values(f"{path}[{number}]", one, other)
    elif kept != made or type(kept) is not type(made):
        yield path, kept, made


def _short(value: object) -> str:
    shown = repr(value)
    many = f"{len(value)} of " if isinstance(value, list) else ""
    return shown if len(shown) <= LONGEST else f"{many}{shown[:LONGEST]}…"
