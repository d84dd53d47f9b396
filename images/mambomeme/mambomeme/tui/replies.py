"""What the engine says, read strictly from one line of protocol `search-v1`."""

from __future__ import annotations

import json
from typing import NamedTuple

PROTOCOL = "search-v1"
INTERFACE = "list-80x24-v1"
MOST_ITEMS = 10
_DETAILS = ("template", "quote", "meaning", "attribution", "license", "language", "preview")
_VERSIONS = ("system", "version", "interface", "protocol", "corpus", "index", "model", "configuration")
Versions = tuple[tuple[str, str | None], ...]


class BadReplyError(ValueError):
    """A line that is no reply of this protocol; the text says why."""


class Draft(NamedTuple):
    """How an interleaved result came to be shown: the team that gets the credit (empty for none), the systems that
    returned it, and the probability that it is shown at all."""

    team: str
    lists: str
    exposure: float


class Item(NamedTuple):
    """One result; what the engine did not tell of it is empty."""

    doc_id: str
    title: str
    routes: tuple[str, ...]
    template: str
    quote: str
    meaning: str
    attribution: str
    license: str
    language: str
    preview: str = ""
    draft: Draft | None = None


class Welcome(NamedTuple):
    """The reply to a hello: whose engine it is; where two are interleaved, `other` is the second."""

    request: int
    versions: Versions
    other: Versions


class Found(NamedTuple):
    """The reply to a search."""

    request: int
    items: tuple[Item, ...]


class Refused(NamedTuple):
    """An error reply."""

    request: int | None
    error: str
    message: str


Reply = Welcome | Found | Refused


def parse_reply(line: bytes) -> Reply:
    """The reply in `line`, or BadReplyError."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise BadReplyError("the engine sent a line that is not JSON") from None
    if not isinstance(value, dict):
        raise BadReplyError("the engine sent something that is not an object")
    request = value.get("id")
    if value.get("status") == "error":
        known = request if type(request) is int else None
        return Refused(known, _text(value, "error") or "unnamed", _text(value, "message"))
    if value.get("status") != "ok" or type(request) is not int:
        raise BadReplyError("the engine sent a reply without status or id")
    return _found(request, value["items"]) if "items" in value else _welcome(request, value)


def _welcome(request: int, value: dict[str, object]) -> Welcome:
    for key, wanted in (("protocol", PROTOCOL), ("interface", INTERFACE)):
        if value.get(key) != wanted:
            raise BadReplyError(f"the engine speaks {key} {value.get(key)}, this screen {wanted}")
    other = value.get("other")
    return Welcome(request, _versions(value), _versions(other) if isinstance(other, dict) else ())


def _versions(value: dict[str, object]) -> Versions:
    return tuple((key, _text(value, key) or None) for key in _VERSIONS)


def _found(request: int, items: object) -> Found:
    if not isinstance(items, list):
        raise BadReplyError("the engine sent items that are not a list")
    if len(items) > MOST_ITEMS:
        raise BadReplyError(f"the engine sent {len(items)} items where {MOST_ITEMS} were asked for")
    return Found(request, tuple(map(_item, items)))


def _item(value: object) -> Item:
    if not isinstance(value, dict) or not _text(value, "doc_id") or not isinstance(value.get("title"), str):
        raise BadReplyError("the engine sent an item without doc_id or title")
    details = [_text(value, key) for key in _DETAILS]
    return Item(value["doc_id"], value["title"], _texts(value, "routes"), *details, draft=_draft(value.get("draft")))


def _draft(value: object) -> Draft | None:
    if not isinstance(value, dict):
        return None
    exposure = value.get("exposure")
    return Draft(_text(value, "team"), _text(value, "lists"), exposure if isinstance(exposure, float) else 1.0)


def _text(value: dict[str, object], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def _texts(value: dict[str, object], key: str) -> tuple[str, ...]:
    found = value.get(key)
    return tuple(text for text in found if isinstance(text, str)) if isinstance(found, list) else ()
