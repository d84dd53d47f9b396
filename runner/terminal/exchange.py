"""What passed between UI and engine: the requests asked, the replies that came, and which lay outside key and done."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple, TypeGuard

from runner.documents import parse_json
from runner.errors import BadInput
from runner.terminal.rawlog import Begin, Done, Event, Finish, In, Input, Rep, Req, Role, Spawn
from runner.terminal.shown import shown_form

_HELLO = {"op", "id", "protocol"}
_PROTOCOL = "search-v1"
_MOST_HELLO_ID = 10
_LONGEST_WORDS = 200
_SPELLINGS = ((",", ":"), (", ", ": "))
_SURROGATE = re.compile("[\ud800-\udfff]")
_ROUTES = {"lexical", "dense"}


class Found(NamedTuple):
    """One item of a reply; its score is None where the engine gave none that is a number."""

    doc_id: str
    routes: tuple[str, ...]
    score: float | None = None


class Returned(NamedTuple):
    """A reply with status ok: its items in their order."""

    items: tuple[Found, ...]

    @property
    def doc_ids(self) -> tuple[str, ...]:
        """The list by id."""
        return tuple(item.doc_id for item in self.items)

    @property
    def ties(self) -> int | None:
        """How many items have the score of the one above; None where one has no score."""
        scores = [item.score for item in self.items]
        return None if None in scores else sum(above == below for above, below in pairwise(scores))


class Refused(NamedTuple):
    """An error reply, or one that cannot be read."""

    why: str


class Search(NamedTuple):
    """A search and its reply. Stamps: first byte asked, last byte replied."""

    asked: int
    replied: int
    reply: Returned | Refused


class Exchange(NamedTuple):
    """What one request made the UI ask: how often outside key and done, and the last search replied to inside."""

    outside: int
    last: Search | None


def exchanges(events: Iterable[Event]) -> dict[int, Exchange]:
    """Exchanges by request number; what the UI asks belongs to the request that began last."""
    listener = _Listener()
    for event in events:
        listener.take(event)
    listener.hang_up()
    return listener.heard


class _Start(NamedTuple):
    """Where a line's first byte fell: its stamp, the request under way, whether that was between key and done, and
    whether a query was being typed."""

    t: int
    request: int
    inside: bool
    typing: bool


class _Lines:
    """Puts the lines of one connection and direction together from reads."""

    def __init__(self) -> None:
        self._pending = b""
        self._start: _Start | None = None

    def feed(self, now: _Start, data: bytes) -> list[tuple[_Start, bytes]]:
        first = self._start or now
        *lines, self._pending = (self._pending + data).split(b"\n")
        last = now if lines else first
        self._start = last if self._pending else None
        return [(now if number else first, line) for number, line in enumerate(lines)]

    @property
    def cut_off(self) -> _Start | None:
        """Where a line began that has not ended."""
        return self._start


class _Listener:
    """Pairs requests with replies by connection and id, and knows whether the time from key to done runs."""

    def __init__(self) -> None:
        self.heard: dict[int, Exchange] = {}
        self._request = 0
        self._inside = False
        self._typing = False
        self._greeted: set[int] = set()
        self._greetings = 0
        self._asked: dict[int, _Lines] = {}
        self._replied: dict[int, _Lines] = {}
        self._open: dict[tuple[int, int], _Start] = {}
        self._inner: list[_Start] = []
        self._searches: list[Search] = []

    def take(self, event: Event) -> None:
        match event:
            case Begin():
                self._request, self._inside, self._typing, self._greetings = event.request, False, True, 0
                self.heard[event.request] = Exchange(0, None)
            case In(what=Input.SUBMIT):
                self._inside, self._typing, self._inner, self._searches = True, False, [], []
            case Done():
                self._close(event.t)
            case Finish():
                self._close(event.t)
            case Spawn(role=Role.UI):
                self.hang_up()
            case Req():
                for start, line in self._asked.setdefault(event.conn, _Lines()).feed(self._now(event.t), event.data):
                    self._ask(event.conn, start, line)
            case Rep():
                for _, line in self._replied.setdefault(event.conn, _Lines()).feed(self._now(event.t), event.data):
                    self._reply(event, _object(line))
            case _:
                pass

    def hang_up(self) -> None:
        """All connections end; half a request was a request too."""
        for lines in self._asked.values():
            if lines.cut_off is not None:
                self._note(lines.cut_off)
        self._asked, self._replied, self._open = {}, {}, {}

    def _close(self, end: int) -> None:
        """The frame was done at `end`, which may be noted a little later: what came after it does not count."""
        self._typing = False
        if not self._inside:
            return
        self._inside = False
        for start in self._inner:
            if start.t > end:
                self._note(start._replace(inside=False))
        counting = [search for search in self._searches if search.replied <= end]
        self.heard[self._request] = self.heard[self._request]._replace(last=counting[-1] if counting else None)

    def _now(self, t: int) -> _Start:
        return _Start(t, self._request, self._inside, self._typing)

    def _ask(self, conn: int, start: _Start, line: bytes) -> None:
        asked = _object(line)
        if is_hello(line, asked) and self._greets(conn, start):
            return
        self._note(start)
        if start.inside:
            self._inner.append(start)
        number = asked.get("id")
        if start.inside and type(number) is int:
            self._open[conn, number] = start

    def _greets(self, conn: int, start: _Start) -> bool:
        """Whether a hello is free: the first of its connection and, while a query is typed, the first of all."""
        if conn in self._greeted or (start.typing and self._greetings):
            return False
        self._greeted.add(conn)
        self._greetings += start.typing
        return True

    def _reply(self, event: Rep, replied: dict[str, Any]) -> None:
        number = replied.get("id")
        start = self._open.pop((event.conn, number), None) if type(number) is int else None
        if start is not None and self._inside and start.request == self._request:
            self._searches.append(Search(start.t, event.t, read_reply(replied)))

    def _note(self, start: _Start) -> None:
        heard = self.heard.get(start.request)
        if heard is not None and not start.inside:
            self.heard[start.request] = heard._replace(outside=heard.outside + 1)


def is_hello(line: bytes, asked: dict[str, Any]) -> bool:
    """Whether a line can say nothing but hello: its three keys, the one protocol, an id of 0 to 10, plain spelling."""
    number = asked.get("id")
    if set(asked) != _HELLO or asked["op"] != "hello" or asked["protocol"] != _PROTOCOL:
        return False
    if type(number) is not int or not 0 <= number <= _MOST_HELLO_ID:
        return False
    return line in {json.dumps(asked, separators=spelling).encode() for spelling in _SPELLINGS}


def parse_reply(line: bytes) -> Returned | Refused:
    """The reply in one line, with or without its newline."""
    return read_reply(_object(line))


def read_reply(value: dict[str, Any]) -> Returned | Refused:
    """The reply to a search as protocol `search-v1` has it (images/README.md)."""
    if value.get("status") != "ok":
        words = f"the engine replied {value.get('status')}: {value.get('error')}" if value else "no readable reply"
        return Refused(shown_form(words)[:_LONGEST_WORDS])
    items = value.get("items")
    if not isinstance(items, list):
        return Refused("the engine's reply has no list of items")
    found = tuple(map(_found, items))
    if any(item is None for item in found):
        return Refused(f"item {found.index(None) + 1} of the engine's reply lacks a doc_id, a title or routes")
    return Returned(tuple(item for item in found if item is not None))


def _found(item: object) -> Found | None:
    if not isinstance(item, dict):
        return None
    doc_id, title, routes = item.get("doc_id"), item.get("title"), item.get("routes")
    if not _is_text(doc_id) or not _is_text(title) or not isinstance(routes, list):
        return None
    if not routes or any(not isinstance(route, str) or route not in _ROUTES for route in routes):
        return None
    return Found(doc_id, tuple(routes), _score(item.get("score")))


def _score(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _is_text(value: object) -> TypeGuard[str]:
    """Whether it is a string that can be written: JSON may hold half of a surrogate pair."""
    return isinstance(value, str) and not _SURROGATE.search(value)


def _object(line: bytes) -> dict[str, Any]:
    """The line as an object; what is none says nothing that could be paired."""
    try:
        value = parse_json(line, "line")
    except BadInput:
        return {}
    return value if isinstance(value, dict) else {}
