"""Facts about what counts as a word."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mambomeme.tokens import FUNCTION_WORDS, line, singular, tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("AND HIS NAME IS", ["and", "his", "name", "is"]),
        ("don't—stop!!1", ["don", "t", "stop", "1"]),
        ("it's over 9000", ["it", "s", "over", "9000"]),
        ("snake_case/C++", ["snake", "case", "c"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("ﬁne ｆｕｌｌ", ["fine", "full"]),
        ("TODAVÍA", ["todavía"]),
        ("अलार्म ही", ["अलार्म", "ही"]),
        ("🎺🎺 \x1b[31m", ["31m"]),
        ("ヘルメットの猫", ["ヘルメット", "の", "猫"]),
        ("現場猫meme見ている", ["現", "場", "猫", "meme", "見", "ている"]),
        ("", []),
    ],
)
def test_words_worked_by_hand(text: str, words: list[str]) -> None:
    assert tokens(text) == words


@given(st.text())
def test_words_of_words_are_the_same_words(text: str) -> None:
    assert tokens(" ".join(tokens(text))) == tokens(text)


@given(st.text(), st.text())
def test_a_blank_parts_words(left: str, right: str) -> None:
    assert tokens(left + " " + right) == tokens(left) + tokens(right)


@given(st.text())
def test_composition_does_not_matter(text: str) -> None:
    assert tokens(unicodedata.normalize("NFD", text)) == tokens(unicodedata.normalize("NFC", text))


def test_function_words_are_words_and_few() -> None:
    assert all(tokens(word) == [word] for word in FUNCTION_WORDS)
    assert len(FUNCTION_WORDS) < 100
    assert "no" not in FUNCTION_WORDS


@pytest.mark.parametrize("typed", ["I'm afraid I can't", "im afraid i cant", "I\u2019m AFRAID, I can\u2019t!"])
def test_a_line_has_no_apostrophes(typed: str) -> None:
    assert line(typed) == ["im", "afraid", "i", "cant"]


@pytest.mark.parametrize(
    ("plural", "word"),
    [
        ("cats", "cat"),
        ("parties", "party"),
        ("horses", "horse"),
        ("glass", "glass"),
        ("virus", "virus"),
        ("bus", "bus"),
        ("gafas", "gafa"),
        ("años", "años"),
    ],
)
def test_singulars_worked_by_hand(plural: str, word: str) -> None:
    assert singular(plural) == word
