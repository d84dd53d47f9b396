"""The conversations of the suite about the release protocol: what is sent, and which replies must come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

LINE = 65_536
PROTOCOL = "search-v1"
OK, BAD, LARGE, UNKNOWN, OTHER, EARLY = (
    "ok", "bad_request", "too_large", "unknown_op", "protocol", "out_of_order",
)  # fmt: skip
#: Ids of the requests that every case frames its own with.
HELLO_ID, NEXT_ID, BESIDE_ID = 899, 900, 901
#: What they search for.
PLAIN = "cat"


class Reply(NamedTuple):
    """A reply that must come on a connection: one of these ids, and one of these statuses or error codes."""

    name: str
    ids: tuple[int | None, ...]
    codes: tuple[str, ...]


class Step(NamedTuple):
    """One step on the connection `name`: dial it, send `data`, wait for `lines` more replies, or end what we send."""

    do: str
    name: str
    data: bytes = b""
    lines: int = 0


class Case(NamedTuple):
    """One conversation and its own replies. Those to the frame around it have the ids above."""

    name: str
    rule: str
    steps: tuple[Step, ...]
    replies: tuple[Reply, ...]


def line(**fields: object) -> bytes:
    """A request."""
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def hello(number: int = HELLO_ID, protocol: object = PROTOCOL) -> bytes:
    """A hello."""
    return line(op="hello", id=number, protocol=protocol)


def search(text: str, number: int, limit: object = 10) -> bytes:
    """A search."""
    return line(op="search", id=number, text=text, limit=limit)


def cases(text: str) -> Iterator[Case]:
    """Every case, with `text` as the query that is asked."""
    yield Case("hello", "hello-names", (*_open("a"), *_next("a"), *_beside()), ())
    yield from _searches(text)
    for name, data in _no_json(text).items():
        yield _wrong(name, "not-json", data, BAD)
    yield _wrong("byte order mark", "byte-order-mark", b"\xef\xbb\xbf" + search(text, 5), BAD)
    for name, data in _no_numbers(text).items():
        yield _wrong(name, "not-a-number", data, BAD)
    yield _wrong("30,000 open brackets", "deep-nesting", b"[" * 30_000 + b"\n", BAD)
    yield _wrong("9,000 brackets in an object", "deep-nesting", _nested(text), OK, BAD)
    for name, data in _no_utf8(text).items():
        yield _wrong(name, "not-utf8", data, BAD)
    yield _wrong("half of a surrogate pair", "not-utf8", _half_pair(), OK, BAD)
    for name, fields in _wrong_types(text).items():
        yield _wrong(name, "wrong-types", line(**fields), BAD)
    for limit in (0, 11, -1, 10**30):
        yield _wrong(f"limit {limit:g}", "limit-range", search(text, 5, limit), BAD)
    yield from _oversized(text)
    yield _wrong("op `delete`", "unknown-op", line(op="delete", id=5), UNKNOWN)
    yield _wrong("op `` (empty)", "unknown-op", line(op="", id=5), UNKNOWN)
    yield from _out_of_order(text)
    yield from _other_protocols(text)
    yield from _connections(text)


def _searches(text: str) -> Iterator[Case]:
    for limit in (1, 3, 10):
        yield _own(f"limit {limit}", "item-count", (search(text, limit, limit),), [(limit, OK)])
    ids = (0, 1, 2**31, 2**53 - 1)
    yield _own("ids", "ids", tuple(search(text, number) for number in ids), [(number, OK) for number in ids])
    yield _own("a word that nothing has", "search", (search("zqxjkvbzzt", 6),), [(6, OK)])
    together = b"".join(search(text, number) for number in (11, 12, 13))
    yield _own("three lines in one write", "ids", (together,), [(11, OK), (12, OK), (13, OK)])


def _no_json(text: str) -> dict[str, bytes]:
    return {
        "words": b"hello\n",
        "a blank line": b"\n",
        "half an object": search(text, 5)[:-2] + b"\n",
        "two objects": search(text, 5)[:-1] + hello(5),
        "single quotes": b"{'op':'hello','id':5,'protocol':'search-v1'}\n",
    }


def _no_numbers(text: str) -> dict[str, bytes]:
    plain = search(text, 5)
    return {
        f"{word} as {where}": data.replace(b"@", word.encode())
        for word in ("NaN", "Infinity")
        for where, data in {
            "limit": plain.replace(b'"limit": 10', b'"limit": @'),
            "another key": plain.replace(b"}\n", b', "more": @}\n'),
        }.items()
    }


def _nested(text: str) -> bytes:
    return search(text, 5).replace(b"}\n", b', "more": ' + b"[" * 9_000 + b"]" * 9_000 + b"}\n")


def _no_utf8(text: str) -> dict[str, bytes]:
    plain = search(f"{text}@", 5)
    return {
        "a byte FF": plain.replace(b"@", b"\xff"),
        "a cut character": plain.replace(b"@", b"\xe2\x82"),
        "a surrogate in UTF-8": plain.replace(b"@", b"\xed\xa0\x80"),
    }


def _half_pair() -> bytes:
    return b'{"op": "search", "id": 5, "text": "cat \\ud800", "limit": 10}\n'


def _wrong_types(text: str) -> dict[str, dict[str, object]]:
    """Requests in which one value is of a wrong type; the id is 5 where it is right."""
    good = {"op": "search", "id": 5, "text": text, "limit": 10}
    wrong = {
        "id": ("5", 5.5, True, None, [5]),
        "op": (7, None, ["search"]),
        "text": (7, None, ["cat"], "", "   "),
        "limit": ("10", 2.5, True, None),
    }
    found: dict[str, dict[str, object]] = {
        f"{key} {json.dumps(value)}": {**good, key: value} for key, values in wrong.items() for value in values
    }
    found |= {f"no {key}": {name: value for name, value in good.items() if name != key} for key in good}
    return found | {"protocol 1": {"op": "hello", "id": 5, "protocol": 1}}


def _oversized(text: str) -> Iterator[Case]:
    for size in (LINE + 1, 4 * LINE):
        yield _own(f"{size:,} bytes", "too-large", (_filled(text, size),), [(None, LARGE)])
    yield _own(f"{LINE:,} bytes", "too-large", (_filled(text, LINE),), [(5, OK)])
    steps = (*_open("a"), Step("send", "a", b"x" * (2 * LINE)), Step("end", "a"), Step("wait", "a", lines=1))
    yield Case("no end of line", "too-large", (*steps, *_beside()), (Reply("a", (None,), (LARGE,)),))


def _filled(text: str, size: int) -> bytes:
    plain = search(f"{text}@", 5)
    return plain.replace(b"@", b" " * (size - len(plain) + 1))


def _out_of_order(text: str) -> Iterator[Case]:
    early = (Step("dial", "a"), *_ask("a", search(text, 5)), *_ask("a", hello()), *_ask("a", search(PLAIN, NEXT_ID)))
    yield Case("search before hello", "out-of-order", (*early, *_beside()), (Reply("a", (5,), (EARLY,)),))
    refused = (*_open("a"), Step("dial", "c"), *_ask("c", search(text, 5)), *_next("a"))
    steps = (*refused, *_beside())
    yield Case("hello on another connection", "out-of-order", steps, (Reply("c", (5,), (EARLY,)),))


def _other_protocols(text: str) -> Iterator[Case]:
    for protocol in ("search-v2", "search-v0", "search", ""):
        steps = (
            Step("dial", "a"), *_ask("a", hello(5, protocol)), *_ask("a", search(text, 6)), *_ask("a", hello()),
            *_next("a"), *_beside(),
        )  # fmt: skip
        replies = (Reply("a", (5,), (OTHER,)), Reply("a", (6,), (EARLY,)))
        yield Case(f"protocol {protocol!r}", "other-protocol", steps, replies)


def _connections(text: str) -> Iterator[Case]:
    names = [f"c{number}" for number in range(8)]
    steps = [step for name in names for step in _open(name)]
    steps += [Step("send", name, search(text, 20 + number)) for number, name in enumerate(names)]
    steps += [Step("wait", name, lines=1) for name in names]
    replies = tuple(Reply(name, (20 + number,), (OK,)) for number, name in enumerate(names))
    yield Case("eight at once", "connections", (*steps, *_beside()), replies)
    whole = search(text, 5)
    first = (*_open("a"), Step("send", "a", whole[:20]))
    waiting = (*first, *_beside(), Step("send", "a", whole[20:]), Step("wait", "a", lines=1), *_next("a"))
    yield Case("half a line, then its rest", "half-line", waiting, (Reply("a", (5,), (OK,)),))
    yield Case("half a line, then the end", "half-line", (*first, Step("hang up", "a"), *_beside()), ())
    asked = tuple(Step("send", "a", search(text, number)) for number in range(30, 50))
    gone = (*_open("a"), *asked, Step("hang up", "a"), *_beside())
    yield Case("twenty searches, and nobody waits for the replies", "half-line", gone, ())


def _own(name: str, rule: str, parts: tuple[bytes, ...], wanted: list[tuple[int | None, str]]) -> Case:
    """A case on one connection that ends as every case does: the next request there, and one beside it."""
    return Case(name, rule, _framed(parts, len(wanted)), tuple(Reply("a", (id_,), (code,)) for id_, code in wanted))


def _wrong(name: str, rule: str, data: bytes, *codes: str) -> Case:
    """A request with id 5, if any, that gets one reply; whether its id can be read depends on the reader."""
    return Case(name, rule, _framed((data,), 1), (Reply("a", (None, 5), codes),))


def _framed(parts: tuple[bytes, ...], lines: int) -> tuple[Step, ...]:
    sent = tuple(Step("send", "a", part) for part in parts)
    return (*_open("a"), *sent, Step("wait", "a", lines=lines), *_next("a"), *_beside())


def _open(name: str) -> tuple[Step, ...]:
    return (Step("dial", name), *_ask(name, hello()))


def _ask(name: str, data: bytes) -> tuple[Step, ...]:
    return (Step("send", name, data), Step("wait", name, lines=1))


def _next(name: str) -> tuple[Step, ...]:
    """The next request on the connection."""
    return _ask(name, search(PLAIN, NEXT_ID))


def _beside() -> tuple[Step, ...]:
    """A request on another connection, after all."""
    return (Step("dial", "beside"), *_ask("beside", hello()), *_ask("beside", search(PLAIN, BESIDE_ID)))
