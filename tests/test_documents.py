"""Documents refuse what they do not know, and are named by their bytes."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.documents import Document, canonical_bytes, digest, parse_json
from runner.errors import BadInput


class Pair(Document):
    left: int
    right: str


def test_a_digest_is_the_sha256_of_the_bytes() -> None:
    assert digest(b"abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.none()))
def test_canonical_bytes_do_not_depend_on_the_order_of_keys(value: dict[str, object]) -> None:
    backwards = dict(reversed(value.items()))
    assert canonical_bytes(value) == canonical_bytes(backwards)
    assert json.loads(canonical_bytes(value)) == value


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b'{"left":1,"left":2,"right":"a"}', "stands twice"),
        (b'{"left":NaN,"right":"a"}', "NaN"),
        (b'{"left":-Infinity,"right":"a"}', "-Infinity"),
        (b'\xef\xbb\xbf{"left":1,"right":"a"}', "byte order mark"),
        (b'{"left":1,"right":"\xff"}', "not UTF-8"),
        (b'{"left":1,"right":"a"', "not JSON"),
        (b"", "not JSON"),
        (b'{"left":1}', "right: Field required"),
        (b'{"left":1,"right":"a","more":0}', "more"),
        (b'{"left":"1","right":"a"}', "left"),
        (b'{"left":1.5,"right":"a"}', "left"),
        (b"[]", "document"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"left":' + b"1" * 5_000 + b"}", "thousands of digits"),
    ],
)
def test_bad_bytes_are_refused_with_file_and_reason(data: bytes, word: str) -> None:
    with pytest.raises(BadInput) as caught:
        Pair.parse(data, "pairs.jsonl:7")
    message = str(caught.value)
    assert message.startswith("pairs.jsonl:7: ")
    assert word in message
    assert "\n" not in message


def test_lines_are_counted_from_one_and_blank_ones_refused() -> None:
    good = b'{"left":1,"right":"a"}\n'
    assert Pair.parse_lines(good * 3, "p") == (Pair(left=1, right="a"),) * 3
    with pytest.raises(BadInput, match=r"^p:2: "):
        Pair.parse_lines(good + b"\n" + good, "p")
    with pytest.raises(BadInput, match=r"^p:1: starts with a byte order mark"):
        Pair.parse_lines(b"\xef\xbb\xbf" + good, "p")


@given(st.integers(), st.text())
def test_a_document_survives_its_own_bytes(left: int, right: str) -> None:
    pair = Pair(left=left, right=right)
    assert Pair.parse(pair.canonical(), "x") == pair
    assert Pair.parse(pair.pretty(), "x") == pair
    assert digest(pair.canonical()) == "sha256:" + hashlib.sha256(pair.canonical()).hexdigest()


def test_nan_never_leaves() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        canonical_bytes(float("nan"))


def test_plain_json_is_read() -> None:
    assert parse_json(b'{"a":[1,2.5,null]}', "x") == {"a": [1, 2.5, None]}
