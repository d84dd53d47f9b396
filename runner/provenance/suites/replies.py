"""What is wrong with a reply of protocol search-v1, in words; empty where nothing is (images/README.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_CODES = ("bad_request", "too_large", "unknown_op", "protocol", "out_of_order", "internal")
_ROUTES = {"lexical", "dense"}
_WORDS = ("protocol", "interface", "system", "version")
_DIGESTS = ("corpus", "index", "model", "configuration")


class Coded(Protocol):
    """A reply with a status or error code."""

    @property
    def code(self) -> str:
        """`ok`, the code of an error, or nothing."""
        ...


def hello_fault(value: Mapping[str, Any]) -> str:
    """Of the reply to hello."""
    missing = [name for name in (*_WORDS, *_DIGESTS) if name not in value]
    if missing:
        return f"hello does not name {', '.join(missing)}"
    for name in _WORDS:
        if not isinstance(value[name], str) or not value[name]:
            return f"{name} is {value[name]!r}, not a string with words"
    for name in _DIGESTS:
        if value[name] is None and name == "model":
            continue
        if not isinstance(value[name], str) or not _DIGEST.fullmatch(value[name]):
            return f"{name} is {value[name]!r}, not a digest"
    return ""


def items_fault(value: Mapping[str, Any]) -> str:
    """Of the reply to a search."""
    items = value.get("items")
    if not isinstance(items, list):
        return "a reply with status ok has no list of items"
    return next(filter(None, map(_item_fault, items)), "")


def _item_fault(item: object) -> str:
    if not isinstance(item, dict):
        return "an item is no object"
    for name in ("doc_id", "title"):
        if not isinstance(item.get(name), str) or not item[name]:
            return f"an item's {name} is {item.get(name)!r}"
    routes = item.get("routes")
    if (
        not isinstance(routes, list)
        or not routes
        or not all(isinstance(each, str) and each in _ROUTES for each in routes)
    ):
        return f"routes of {item['doc_id']} is {routes!r}"
    return ""


def error_fault(value: Mapping[str, Any]) -> str:
    """Of an error reply."""
    if value.get("status") != "error":
        return f"status is {value.get('status')!r}, neither ok nor error"
    if value.get("error") not in _CODES:
        return f"error is {value.get('error')!r}, which is none of {', '.join(_CODES)}"
    if not isinstance(value.get("message"), str) or not value["message"].strip():
        return f"message is {value.get('message')!r}, not words"
    if "id" not in value or not (value["id"] is None or type(value["id"]) is int):
        return "id is missing, or neither an integer nor null"
    return ""


def listing(heard: Sequence[Coded]) -> str:
    """Replies by their codes."""
    return ", ".join(each.code or "something else" for each in heard[:3]) + (" and more" if len(heard) > 3 else "")
