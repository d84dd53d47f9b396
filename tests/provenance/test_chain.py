"""Any change to a chained log is found."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.provenance.chain import BrokenChain, follow, seal

START = "0" * 64


def chained(events: list[dict[str, object]]) -> tuple[list[bytes], str]:
    lines, head = [], START
    for event in events:
        line, head = seal(head, event)
        lines.append(line)
    return lines, head


EVENTS = [{"t": 1, "e": "open"}, {"t": 2, "e": "out", "b64": "aGk="}, {"t": 3, "e": "close"}]


def test_the_first_link_by_hand() -> None:
    line, head = seal(START, {"t": 1})
    assert head == hashlib.sha256(START.encode() + b'\n{"t":1}').hexdigest()
    assert json.loads(line) == {"t": 1, "chain": head}


def test_an_untouched_log_ends_in_its_head() -> None:
    lines, head = chained(EVENTS)
    assert follow(START, lines) == head
    assert follow(START, []) == START


@pytest.mark.parametrize(
    "tamper",
    [
        lambda lines: [lines[0], lines[2]],
        lambda lines: [lines[1], lines[0], lines[2]],
        lambda lines: [*lines, lines[-1]],
        lambda lines: [lines[0], lines[1].replace(b"aGk=", b"aGo="), lines[2]],
        lambda lines: [lines[0], lines[1][:-1], lines[2]],
        lambda lines: [b'{"t":1}\n', *lines[1:]],
    ],
    ids=["dropped", "swapped", "repeated", "changed", "cut", "unchained"],
)
def test_tampering_is_found(tamper) -> None:
    lines, _ = chained(EVENTS)
    with pytest.raises(BrokenChain, match="line "):
        follow(START, tamper(lines))


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.text()), min_size=1), st.data())
def test_one_flipped_bit_is_found(events: list[dict[str, object]], data: st.DataObject) -> None:
    lines, _ = chained(events)
    joined = bytearray(b"".join(lines))
    spot = data.draw(st.integers(0, len(joined) - 1))
    joined[spot] ^= 1 << data.draw(st.integers(0, 6))
    with pytest.raises(BrokenChain):
        follow(START, bytes(joined).splitlines(keepends=True))
