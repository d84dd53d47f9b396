"""What the engine may know of the corpus, and what it says of a broken one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mambomeme.corpus import read_corpus
from mambomeme.faults import StartError

from tests.system.memes import item, write_corpus

RIGHTS = {"license": None, "attribution": None, "source": None}


@pytest.mark.parametrize(
    "held_back",
    [
        {"safety": "unsafe"},
        {"safety": "critical"},
        {"safety": None},
        {"rights": {"status": "withdrawn", **RIGHTS}},
        {"rights": {"status": "missing", **RIGHTS}},
        {"private_data": True},
    ],
)
def test_what_may_not_be_shown_is_not_even_read(tmp_path: Path, held_back: dict[str, Any]) -> None:
    folder = write_corpus(tmp_path, [item("m2", **held_back), item("m1"), item("m3", safety="sensitive")])
    assert [meme.doc_id for meme in read_corpus(folder).memes] == ["m1", "m3"]


def test_lists_and_blanks_become_text(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path, [item("m1", entities=["John Cena", "Big Show"], franchise=None)])
    texts = read_corpus(folder).memes[0].texts
    assert texts[2:5] == ("John Cena Big Show", "", "")


def test_a_line_that_is_not_json_is_named(tmp_path: Path) -> None:
    write_corpus(tmp_path, [item("m1")])
    with (tmp_path / "items.jsonl").open("a") as file:
        file.write("{not json\n")
    with pytest.raises(StartError, match=r"items\.jsonl:2: not JSON"):
        read_corpus(tmp_path)


def test_a_doc_id_that_stands_twice_is_named(tmp_path: Path) -> None:
    with pytest.raises(StartError, match=r"items\.jsonl:3: doc_id m1 stands twice"):
        read_corpus(write_corpus(tmp_path, [item("m1"), item("m2"), item("m1", safety="unsafe")]))


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    record = item("m1")
    del record["meaning"]
    with pytest.raises(StartError, match=r"items\.jsonl:1: meaning is missing"):
        read_corpus(write_corpus(tmp_path, [record]))


def test_no_corpus_says_what_to_set(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="Set MAMBO_CORPUS"):
        read_corpus(tmp_path / "nowhere")
