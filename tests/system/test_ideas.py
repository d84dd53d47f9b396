"""The plain words for items: for the very item that they were written for, and no other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mambomeme.corpus import read_corpus
from mambomeme.faults import StartError
from mambomeme.ideas import ideas_for, read_ideas

CORPUS = Path(__file__).parents[2] / "images" / "corpus"
ITEMS = [json.loads(line) for line in (CORPUS / "items.jsonl").read_bytes().splitlines()]


def test_every_item_that_may_leave_the_engine_has_some() -> None:
    memes = read_corpus(CORPUS).memes
    assert {len(meme.ideas) for meme in memes} <= {6, 7, 8}


@pytest.mark.parametrize("field", ["title", "template", "ocr_text", "visual", "meaning"])
def test_a_changed_item_has_none(field: str) -> None:
    record = next(record for record in ITEMS if ideas_for(record))
    assert ideas_for(record | {field: "something else"}) == ()
    assert ideas_for(record | {"doc_id": "m9999"}) == ()


def test_they_are_searched_as_a_field_of_their_own() -> None:
    meme = read_corpus(CORPUS).memes[0]
    assert meme.texts[-1].split("\n") == list(meme.ideas)


@pytest.mark.parametrize("line", ["{", "[]", '{"doc_id": "m1"}', '{"doc_id": "m1", "of": "0", "ideas": 3}'])
def test_a_line_that_holds_none_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "ideas.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(StartError, match=r"^ideas\.jsonl:1: "):
        read_ideas(path)
