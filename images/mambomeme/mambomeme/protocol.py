"""Protocol `search-v1` as bytes: one JSON object a line in both directions, at most 65,536 bytes with its newline."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn

from mambomeme.ranking import Result

PROTOCOL = "search-v1"
INTERFACE = "list-80x24-v1"
LINE = 65_536
MOST = 10


class Hello(NamedTuple):
    """A client introduces itself, in the one version that is served."""

    id: int


class Search(NamedTuple):
    """A client asks for at most `limit` results."""

    id: int
    text: str
    limit: int


class RequestError(Exception):
    """A request that gets an error reply. `request` is its id, or None where none could be read."""

    def __init__(self, request: int | None, code: str, message: str) -> None:
        super().__init__(message)
        self.request, self.code, self.message = request, code, message


def parse(line: bytes) -> Hello | Search:
    """The request in `line`, without its newline; RequestError if it is none."""
    value = _object(line)
    request = value.get("id")
    if type(request) is not int:
        raise RequestError(None, "bad_request", "id must be an integer")
    if not isinstance(value.get("op"), str):
        raise RequestError(request, "bad_request", "op must be a string")
    if value["op"] == "hello":
        return _hello(request, value)
    if value["op"] == "search":
        return _search(request, value)
    raise RequestError(request, "unknown_op", "op must be hello or search")


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = _READER.decode(line.decode())
    except (ValueError, RecursionError):
        raise RequestError(None, "bad_request", "not a line of JSON in UTF-8") from None
    if not isinstance(value, dict):
        raise RequestError(None, "bad_request", "not a JSON object")
    return value


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


_READER = json.JSONDecoder(parse_constant=_refuse)
_WRITER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def _hello(request: int, value: dict[str, Any]) -> Hello:
    if not isinstance(value.get("protocol"), str):
        raise RequestError(request, "bad_request", "protocol must be a string")
    if value["protocol"] != PROTOCOL:
        raise RequestError(request, "protocol", f"only {PROTOCOL} is served")
    return Hello(request)


def _search(request: int, value: dict[str, Any]) -> Search:
    text, limit = value.get("text"), value.get("limit")
    if not isinstance(text, str) or not text.strip():
        raise RequestError(request, "bad_request", "text must be a string that is not blank")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RequestError(request, "bad_request", "text must not hold half of a surrogate pair") from None
    if type(limit) is not int or not 1 <= limit <= MOST:
        raise RequestError(request, "bad_request", f"limit must be 1 to {MOST}")
    return Search(request, text, limit)


def refusal(error: RequestError) -> bytes:
    """The reply to a request that cannot be served."""
    return line_of({"id": error.request, "status": "error", "error": error.code, "message": error.message})


def welcome(request: Hello, versions: dict[str, Any]) -> bytes:
    """The reply to a hello: every version."""
    return line_of({"id": request.id, "status": "ok", "protocol": PROTOCOL, "interface": INTERFACE} | versions)


def results(request: Search, found: Iterable[Result]) -> bytes:
    """The reply to a search. If the texts would burst the line, only what the contract asks for is sent."""
    listed = list(found)
    full = line_of({"id": request.id, "status": "ok", "items": [_full(result) for result in listed]})
    if len(full) <= LINE:
        return full
    return line_of({"id": request.id, "status": "ok", "items": [_bare(result) for result in listed]})


def _bare(result: Result) -> dict[str, Any]:
    return {"doc_id": result.meme.doc_id, "title": result.meme.title, "routes": result.routes, "score": result.score}


def _full(result: Result) -> dict[str, Any]:
    meme = result.meme
    return {
        "doc_id": meme.doc_id,
        "title": meme.title,
        "routes": result.routes,
        "score": result.score,
        "template": meme.template,
        "quote": meme.quote,
        "meaning": meme.meaning,
        "attribution": meme.attribution,
        "license": meme.license,
        "language": meme.language,
        "preview": meme.preview,
    }


def line_of(value: dict[str, Any]) -> bytes:
    """A message as a line with its newline."""
    return _WRITER.encode(value).encode("utf-8", "replace") + b"\n"
