"""The shown form is the published one, and titles are compared as the contract says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.terminal.shown import compared_form, shown_form, shows_title

VECTORS = json.loads((Path(__file__).parents[1] / "golden/shown_form.json").read_text())["vectors"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["case"])
def test_the_golden_vectors(vector: dict[str, str]) -> None:
    assert shown_form(vector["text"]) == vector["shown"]
    assert compared_form(vector["shown"]) == vector["compared"]


@given(st.text(st.characters(codec=None)))
def test_nothing_shown_can_steer_a_terminal(text: str) -> None:
    shown = shown_form(text)
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in shown)
    assert not any(c in shown for c in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")
    shown.encode()


@given(st.text())
def test_the_shown_form_of_a_shown_form_is_itself(text: str) -> None:
    assert shown_form(shown_form(text)) == shown_form(text)


@pytest.mark.parametrize(
    ("drawn", "title", "shown"),
    [
        ("John Cena", "John Cena", True),
        ("John Ce…", "John Cena", True),
        ("John  Cena", "John Cena", True),
        ("John Ce", "John Cena", False),
        ("John Cens…", "John Cena", False),
        ("John Cena…", "John Cena", True),
        ("…", "John Cena", False),
        ("", "John Cena", False),
        ("␛[2J", "\x1b[2J", True),
        ("To be continued…", "To be continued…", True),
        ("Jane Doe", "John Cena", False),
    ],
)
def test_a_drawn_title_is_a_prefix_that_says_where_it_was_cut(drawn: str, title: str, shown: bool) -> None:
    assert shows_title(drawn, title) is shown


@given(st.text(min_size=1), st.data())
def test_every_cut_of_the_shown_form_shows_the_title(title: str, data: st.DataObject) -> None:
    shown = shown_form(title)
    end = data.draw(st.integers(1, len(shown)))
    if compared_form(shown[:end]):
        assert shows_title(shown[:end] + "…", title)
