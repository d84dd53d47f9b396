"""The form in which words are compared."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.retrieval.words import FUNCTION_WORDS, asked, content, normal, stem, stems


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("  WOW—such   Straße!! ", "wow such strasse"),
        ("It's a TRAP!", "its a trap"),
        ("it’s a trap", "its a trap"),
        ("Çok  güzel, café", "cok guzel cafe"),
        ("ＦＵＬＬ width 𝐛𝐨𝐥𝐝", "full width bold"),
        ("猫ミーム", "猫ミーム"),
        ("हिन्दी मीम", "हिन्दी मीम"),
        ("press 1️⃣ now ❤️", "press 1 now"),
        ("💀💀", "💀💀"),
        ("...", "..."),
        ("", ""),
    ],
)
def test_one_form_for_what_people_type_alike(text, same):
    assert normal(text) == unicodedata.normalize("NFC", same)


@given(st.text())
def test_the_form_is_its_own(text):
    assert normal(normal(text)) == normal(text)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("dog in a burning room lang:fr", "dog in a burning room"),
        ("from:futurama bender", "futurama bender"),
        ("who:Keanu safe:safe sad", "keanu sad"),
        ("tag:funeral jokes", "funeral jokes"),
        ("where are you from: berlin", "where are you berlin"),
        ("slang:words", "slang words"),
    ],
)
def test_a_filter_is_searched_for_by_its_value_unless_it_only_filters(query, words):
    assert asked(query) == words


def test_content_words_say_what_a_text_is_about():
    assert content(["when", "you", "are", "in", "a", "meme", "about", "the", "cats"]) == {"cats"}


@pytest.mark.parametrize("word", ["the", "dont", "youre", "u", "meme", "memes"])
def test_small_words_say_nothing(word):
    assert word in FUNCTION_WORDS


@pytest.mark.parametrize(
    ("words", "one"),
    [
        (("jinxed", "jinx", "jinxing"), "jinx"),
        (("cats", "cat"), "cat"),
        (("running", "runs", "run"), "run"),
        (("happily", "happy"), "happili"),
    ],
)
def test_stems_are_those_of_the_published_english_algorithm(words, one):
    """The last row is not one word to it: the algorithm is no dictionary."""
    assert stem(words[0]) == one
    assert (stems(words) == {one}) == (one != "happili")
