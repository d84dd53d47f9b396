"""What the engine reads out of a typed text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mambomeme.query import OPERATORS, Filter, parse_query


@pytest.mark.parametrize(
    ("text", "free", "filters"),
    [
        ("lobster guy from:futurama", "lobster guy", [("from", "futurama")]),
        ("who:kermit black hood", "black hood", [("who", "kermit")]),
        ('who:"john cena" trumpet', "trumpet", [("who", "john cena")]),
        ("who:“john cena” trumpet", "trumpet", [("who", "john cena")]),
        ("TAG:Funeral jokes", "jokes", [("tag", "funeral")]),
        ("cat lang:it safe:yes", "cat", [("lang", "it"), ("safe", "yes")]),
        ("from：star-wars", "", [("from", "star wars")]),
        ("to:me and from: me", "to:me and from: me", []),
        ("note:who is it", "note:who is it", []),
        ("who: who:! who:''", "who: who:! who:''", []),
        ('tag:"never closed', 'tag:"never closed', []),
        ("(tag:cats)", "(", [("tag", "cats")]),
    ],
)
def test_filters_worked_by_hand(text: str, free: str, filters: list[tuple[str, str]]) -> None:
    query = parse_query(text)
    assert query.free == free
    assert query.filters == tuple(Filter(operator, tuple(words.split())) for operator, words in filters)


def test_words_and_phrases_worked_by_hand() -> None:
    query = parse_query('hal "I\'m afraid I can\'t" "dave" tag:film')
    assert query.line == ("hal", "im", "afraid", "i", "cant", "dave")
    assert query.phrases == (("im", "afraid", "i", "cant"),)


@given(st.text())
def test_any_text_is_a_query(text: str) -> None:
    query = parse_query(text)
    assert all(condition.operator in OPERATORS and condition.words for condition in query.filters)


@given(st.lists(st.sampled_from(["who:me", "from:x", 'tag:"a b"', "lang:en", "cat", '"such wow"', "to:me"])))
def test_every_word_goes_to_one_place(parts: list[str]) -> None:
    query = parse_query(" ".join(parts))
    wanted = [part for part in parts if part.split(":")[0] not in OPERATORS]
    assert query.free == " ".join(wanted)
    assert len(query.filters) == len(parts) - len(wanted)
