"""Protocol search-v1 as bytes: every error, every bound."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mambomeme.corpus import Meme
from mambomeme.protocol import LINE, Hello, RequestError, Search, parse, refusal, results, welcome
from mambomeme.ranking import Result


def result(routes: tuple[str, ...] = ("lexical",), **changes: Any) -> Result:
    """A result that says something of everything the screen shows."""
    told = dict.fromkeys(Meme._fields, ()) | {
        "doc_id": "m1", "title": "t", "template": "Doge", "quote": "wow", "meaning": "joy", "attribution": "someone",
        "license": "CC0-1.0", "language": "en", "preview": "previews/m1.png",
    }  # fmt: skip
    return Result(Meme(**told | changes), routes, 2.5)


def test_requests_are_read() -> None:
    assert parse(b'{"op":"hello","id":1,"protocol":"search-v1"}') == Hello(1)
    assert parse(b'{"op":"search","id":-2,"text":" caf\xc3\xa9 ","limit":10}\r') == Search(-2, " café ", 10)


@pytest.mark.parametrize(
    ("line", "request_id", "code"),
    [
        (b"", None, "bad_request"),
        (b"hello", None, "bad_request"),
        (b'"hello"', None, "bad_request"),
        (b'{"op":"hello","id":1,"protocol":"search-v1"', None, "bad_request"),
        (b'\xff{"op":"hello","id":1}', None, "bad_request"),
        (b'{"op":"hello","id":"1","protocol":"search-v1"}', None, "bad_request"),
        (b'{"op":"hello","id":true,"protocol":"search-v1"}', None, "bad_request"),
        (b'{"op":"hello","id":1.0,"protocol":"search-v1"}', None, "bad_request"),
        (b'{"op":"hello","id":NaN,"protocol":"search-v1"}', None, "bad_request"),
        (b'{"op":"hello","protocol":"search-v1"}', None, "bad_request"),
        (b"[" * 60_000, None, "bad_request"),
        (b'{"id":4}', 4, "bad_request"),
        (b'{"op":["search"],"id":4}', 4, "bad_request"),
        (b'{"op":"drop","id":4}', 4, "unknown_op"),
        (b'{"op":"hello","id":4,"protocol":"search-v2"}', 4, "protocol"),
        (b'{"op":"hello","id":4,"protocol":1}', 4, "bad_request"),
        (b'{"op":"hello","id":4}', 4, "bad_request"),
        (b'{"op":"search","id":4,"text":"x"}', 4, "bad_request"),
        (b'{"op":"search","id":4,"text":"x","limit":0}', 4, "bad_request"),
        (b'{"op":"search","id":4,"text":"x","limit":11}', 4, "bad_request"),
        (b'{"op":"search","id":4,"text":"x","limit":2.0}', 4, "bad_request"),
        (b'{"op":"search","id":4,"text":"x","limit":true}', 4, "bad_request"),
        (b'{"op":"search","id":4,"text":7,"limit":1}', 4, "bad_request"),
        (b'{"op":"search","id":4,"text":" \\t\\u3000","limit":1}', 4, "bad_request"),
        (b'{"op":"search","id":4,"text":"a\\ud83d","limit":1}', 4, "bad_request"),
    ],
)
def test_what_is_no_request_is_named(line: bytes, request_id: int | None, code: str) -> None:
    with pytest.raises(RequestError) as caught:
        parse(line)
    assert (caught.value.request, caught.value.code) == (request_id, code)
    reply = json.loads(refusal(caught.value))
    assert reply.keys() == {"id", "status", "error", "message"}
    assert (reply["id"], reply["status"], reply["error"]) == (request_id, "error", code)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_request_or_an_error(line: bytes) -> None:
    with contextlib.suppress(RequestError):
        assert isinstance(parse(line), Hello | Search)


def test_the_contract_names_every_error_that_is_sent() -> None:
    contract = (Path(__file__).parents[2] / "images" / "README.md").read_text()
    for code in ("bad_request", "too_large", "unknown_op", "protocol", "out_of_order", "internal"):
        assert f"`{code}`" in contract


def test_replies_repeat_the_id_and_name_the_route() -> None:
    reply = json.loads(results(Search(7, "x", 10), [result(title="é \x1b\u202e")]))
    assert (reply["id"], reply["status"]) == (7, "ok")
    assert reply["items"][0]["title"] == "é \x1b\u202e"
    assert (reply["items"][0]["routes"], reply["items"][0]["score"]) == (["lexical"], 2.5)
    assert reply["items"][0]["quote"] == "wow"
    assert json.loads(results(Search(8, "x", 10), [])) == {"id": 8, "status": "ok", "items": []}


@given(st.sampled_from(["x", "é", "語", "🎺", "\x1b"]), st.integers(0, 30_000))
def test_no_reply_is_longer_than_a_line(char: str, length: int) -> None:
    listed = [result(title=char * 200, quote=char * length, meaning=char * length)] * 10
    reply = results(Search(1, "x", 10), listed)
    assert len(reply) <= LINE
    assert reply.count(b"\n") == 1
    assert [entry["title"] for entry in json.loads(reply)["items"]] == [char * 200] * 10


def test_hello_carries_the_versions() -> None:
    reply = json.loads(welcome(Hello(3), {"system": "s", "model": None}))
    expected = {"id": 3, "status": "ok", "protocol": "search-v1", "interface": "list-80x24-v1", "system": "s"}
    assert reply == expected | {"model": None}
