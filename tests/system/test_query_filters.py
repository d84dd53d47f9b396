"""What filters leave, against the items themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mambomeme.corpus import Meme, read_corpus
from mambomeme.filters import Filters
from mambomeme.query import parse_query

from tests.system.memes import item, write_corpus

CORPUS = Path(__file__).parents[2] / "images" / "corpus"


def left(memes: tuple[Meme, ...], text: str) -> list[str]:
    mask = Filters(memes).mask(parse_query(text).filters)
    assert mask is not None
    return [meme.doc_id for meme, stays in zip(memes, mask.tolist(), strict=True) if stays]


@pytest.fixture
def memes(tmp_path: Path) -> tuple[Meme, ...]:
    items: list[dict[str, Any]] = [
        item("m1", entities=["John Cena"], aliases=["cena"], franchise="WWE", tags=["wrestling", "cats"]),
        item("m2", entities=["John Wick"], franchise="John Wick", tags=["dogs"], language="de", template="Wick"),
        item("m3", entities=["Jean-Luc Picard"], franchise="Star Trek", template="Facepalm", safety="sensitive"),
        item("m4", entities=[], aliases=["the real john"], franchise="Star Wars", tags=["cat ladders"]),
    ]
    return read_corpus(write_corpus(tmp_path, items)).memes


@pytest.mark.parametrize(
    ("text", "doc_ids"),
    [
        ("who:john", ["m1", "m2", "m4"]),
        ('who:"john cena"', ["m1"]),
        ('who:"Cena, John"', ["m1"]),
        ("who:johncena", ["m1"]),
        ("who:jean-luc", ["m3"]),
        ("who:picrad", ["m3"]),
        ("who:cema", []),
        ("who:nobody", []),
        ("from:star", ["m3", "m4"]),
        ("from:star-wars", ["m4"]),
        ("from:startrek", ["m3"]),
        ("from:facepalm", ["m3"]),
        ("from:wrestling", []),
        ("tag:cat", ["m1", "m4"]),
        ("tag:CATS", ["m1", "m4"]),
        ("tag:wresling", ["m1"]),
        ("lang:de", ["m2"]),
        ("lang:German", ["m2"]),
        ("lang:deutsch", ["m2"]),
        ("lang:xx", []),
        ("safe:yes", ["m1", "m2", "m4"]),
        ("safe:strict", ["m1", "m2", "m4"]),
        ("safe:no", ["m1", "m2", "m3", "m4"]),
        ("safe:maybe", []),
        ("who:john lang:en", ["m1", "m4"]),
        ("who:john lang:de tag:cats", []),
    ],
)
def test_filters_worked_by_hand(memes: tuple[Meme, ...], text: str, doc_ids: list[str]) -> None:
    assert left(memes, text) == doc_ids


def test_no_filter_is_no_mask(memes: tuple[Meme, ...]) -> None:
    assert Filters(memes).mask(parse_query("john cena").filters) is None


def test_languages_of_the_bundled_corpus_are_those_of_its_file() -> None:
    memes = read_corpus(CORPUS).memes
    lines = (CORPUS / "items.jsonl").read_text(encoding="utf-8").splitlines()
    language = {found["doc_id"]: found["language"] for found in map(json.loads, lines)}
    for code, name in {"it": "Italian", "ja": "日本語", "pt": "português", "el": "greek"}.items():
        wanted = [meme.doc_id for meme in memes if language[meme.doc_id] == code]
        assert left(memes, f"lang:{code}") == left(memes, f"lang:{name}") == wanted
        assert wanted


def test_every_tag_of_the_bundled_corpus_finds_its_items() -> None:
    memes = read_corpus(CORPUS).memes
    filters = Filters(memes)
    for at, meme in enumerate(memes):
        for tag in meme.tags[:2]:
            mask = filters.mask(parse_query(f'tag:"{tag}"').filters)
            assert mask is not None
            assert mask[at]
