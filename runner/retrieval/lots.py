"""Reproducible lots: an order that nobody chose, alike on every machine and Python."""

from __future__ import annotations

import hashlib


def order_key(seed: int, *parts: object) -> str:
    """The lot of whatever `parts` name; sorting by it shuffles."""
    return hashlib.sha256(":".join(str(part) for part in (seed, *parts)).encode()).hexdigest()
