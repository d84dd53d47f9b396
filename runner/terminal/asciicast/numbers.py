"""Values of a recording: numbers exact as they are written, bounded before anything is computed with them."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

NS = 1_000_000_000
HALF = re.compile("[\ud800-\udfff]")


def number(text: str) -> Decimal:
    """What a JSON number says; one too large even for that is infinite."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("Infinity")


def whole(value: object, most: int) -> int | None:
    """A whole number from 1 to `most`, or null."""
    if isinstance(value, Decimal) and value.is_finite() and 1 <= value <= most and value == int(value):
        return int(value)
    return None


def plain(value: object) -> object:
    """A parsed JSON value that can be written again: numbers of a sensible size, no halves of surrogate pairs."""
    if isinstance(value, Decimal):
        exact = value.is_finite() and abs(value.adjusted()) < 18
        return (int(value) if value == value.to_integral_value() else float(value)) if exact else None
    if isinstance(value, str):
        return HALF.sub("\ufffd", value)
    if isinstance(value, dict):
        return {HALF.sub("\ufffd", name): plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


def to_ns(seconds: Decimal) -> int:
    """Seconds, already bounded, as nanoseconds, cut."""
    return int(seconds * NS)


def seconds(ns: int) -> str:
    """Nanoseconds as seconds, to the microsecond, or finer where they need it."""
    whole_, rest = divmod(ns, NS)
    digits = f"{rest:09}"
    return f"{whole_}.{digits[:6]}{digits[6:].rstrip('0')}"
