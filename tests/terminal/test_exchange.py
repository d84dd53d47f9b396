"""What passes between UI and engine outside key and done counts, but for a handshake that can say nothing (D10)."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from runner.terminal.exchange import Refused, Returned, exchanges, parse_reply, read_reply
from tests.terminal.tape import Tape

HELLO = b'{"op":"hello","id":1,"protocol":"search-v1"}'


def outside(tell: Callable[[Tape], None], after: Callable[[Tape], None] = lambda _tape: None) -> int:
    """How many requests count where `tell` says what the UI sends while it is typed, and `after` what after done."""
    tape = Tape()
    tape.spawn()
    tape.begin("q1", "x")
    tape.type("x")
    tell(tape)
    tape.key()
    tape.ask("x")
    tape.reply(["m001"])
    tape.draw("x", ["m001"])
    after(tape)
    tape.finish()
    return exchanges(tape.file().events)[1].outside


def sends(*lines: bytes, conn: int = 3) -> Callable[[Tape], None]:
    """Each line in a read of its own, on connections from `conn` on."""

    def send(tape: Tape) -> None:
        for number, line in enumerate(lines):
            tape.data("req", line + b"\n", conn=conn + number)

    return send


@pytest.mark.parametrize(
    "line",
    [
        HELLO,
        b'{"op": "hello", "id": 1, "protocol": "search-v1"}',
        b'{"protocol":"search-v1","op":"hello","id":0}',
        b'{"id": 10, "op": "hello", "protocol": "search-v1"}',
    ],
)
def test_a_plain_hello_says_nothing(line: bytes) -> None:
    assert outside(sends(line)) == 0


@pytest.mark.parametrize(
    "line",
    [
        b'{"op":"hello","id":7,"protocol":"john cena"}',
        b'{"op":"hello","id":11,"protocol":"search-v1"}',
        b'{"op":"hello","id":-1,"protocol":"search-v1"}',
        b'{"op":"hello","id":true,"protocol":"search-v1"}',
        b'{"op":"hello","id":1.0,"protocol":"search-v1"}',
        b'{"op":"hello","id":"john cena","protocol":"search-v1"}',
        b'{"op":"hello","id":1,"protocol":"search-v1","text":"x"}',
        b'{"op":"hello","id":1}',
        b'{"op":"hello","op":"hello","id":1,"protocol":"search-v1"}',
        b'{"op":"hello","id":1,"protocol":"search-v1"}  ',
        b'{"op":"hello",  "id":1,"protocol":"search-v1"}',
        b'{"op":"\\u0068ello","id":1,"protocol":"search-v1"}',
        b"hello",
        b"[]",
        b'{"id":' + b"1" * 5_000 + b"}",
    ],
)
def test_anything_beside_is_a_request(line: bytes) -> None:
    assert outside(sends(line)) == 1


def test_a_second_hello_on_a_connection_is_a_request() -> None:
    def twice(tape: Tape) -> None:
        for _ in range(2):
            tape.data("req", HELLO + b"\n", conn=3)

    assert outside(twice) == 1


def test_hellos_on_many_connections_spell_no_query() -> None:
    """While a query is typed one of all connections may greet; ten would be a word."""
    assert outside(sends(*[HELLO] * 10)) == 9


def test_a_hello_begun_while_typing_is_one_of_that_time() -> None:
    def halves(tape: Tape) -> None:
        for conn in range(3, 6):
            tape.data("req", HELLO, conn=conn)

    def ends(tape: Tape) -> None:
        for conn in range(3, 6):
            tape.data("req", b"\n", conn=conn)

    assert outside(halves, ends) == 2


def test_after_done_each_connection_may_greet() -> None:
    assert outside(lambda _tape: None, sends(*[HELLO] * 10)) == 0


def test_a_half_of_a_surrogate_pair_is_no_doc_id_and_no_title() -> None:
    """It cannot be written as UTF-8, so it could not even be kept."""
    for item in ({"doc_id": "m\ud800", "title": "t"}, {"doc_id": "m001", "title": "\udfff"}):
        reply = {"id": 1, "status": "ok", "items": [item | {"routes": ["lexical"]}]}
        found = parse_reply(json.dumps(reply).encode())
        assert found == Refused("item 1 of the engine's reply lacks a doc_id, a title or routes")


def test_a_whole_pair_is_a_character() -> None:
    reply = {"id": 1, "status": "ok", "items": [{"doc_id": "m001", "title": "\U0001f438", "routes": ["lexical"]}]}
    assert isinstance(parse_reply(json.dumps(reply).encode()), Returned)


def test_the_words_of_an_error_can_be_written_and_shown() -> None:
    """Controls as pictures, halves of pairs replaced, and no more than a line of it."""
    found = parse_reply(json.dumps({"status": "error", "error": "a\ud800b\x1b[2J" + "c" * 1_000}).encode())
    assert isinstance(found, Refused)
    assert found.why.startswith("the engine replied error: a\ufffdb\u241b[2Jccc")
    assert len(found.why) == 200


@pytest.mark.parametrize(
    ("scores", "ties"),
    [([2.5, 2.5, 1, 1.0, 0.5], 2), ([3, 2, 1], 0), ([1, 1, 1], 2), ([2.0, None, 1.0], None), ([True, 1], None)],
)
def test_ties_are_of_equal_scores_side_by_side(scores: list[object], ties: int | None) -> None:
    items = [
        {"doc_id": f"m{at}", "title": "t", "routes": ["lexical"]} | ({} if score is None else {"score": score})
        for at, score in enumerate(scores)
    ]
    reply = read_reply({"id": 1, "status": "ok", "items": items})
    assert isinstance(reply, Returned)
    assert reply.ties == ties
