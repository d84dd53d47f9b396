"""The hash chain of the raw log: each line carries the digest of itself and of all lines before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

_KEY = b',"chain":"'


class BrokenChain(ValueError):
    """A line that was changed, dropped, added or moved."""


def link(previous: str, body: bytes) -> str:
    """Hex digest that follows `previous` (hex) after the line `body` (JSON object without its chain)."""
    return hashlib.sha256(previous.encode() + b"\n" + body).hexdigest()


def seal(previous: str, event: dict[str, Any]) -> tuple[bytes, str]:
    """The line for `event` (with newline) and the digest it ends in."""
    body = json.dumps(event, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
    head = link(previous, body)
    return body[:-1] + _KEY + head.encode() + b'"}\n', head


def follow(previous: str, lines: Iterable[bytes]) -> str:
    """The digest that `lines` (each with its newline) end in, from `previous` on; BrokenChain names the line."""
    for number, line in enumerate(lines, 1):
        body, key, tail = line.rpartition(_KEY)
        if not key or tail[64:] != b'"}\n':
            raise BrokenChain(f"line {number}: carries no chain digest")
        previous = link(previous, body + b"}")
        if tail[:64] != previous.encode():
            raise BrokenChain(f"line {number}: does not follow from the lines before it")
    return previous
