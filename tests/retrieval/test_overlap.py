"""A concept query has no word of what answers it."""

from __future__ import annotations

import pytest

from runner.retrieval.findings import unchecked
from runner.retrieval.overlap import concept_overlap
from runner.retrieval.partitions import parse_partition
from tests.retrieval.small_benchmark import build_corpus, default_items, partition_sources, unlike_rows


def seen(text: str, **fields):
    """What is seen where q-concept-1, the seventh query, asks `text` and its answer has `fields`."""
    items = [row | fields if row["doc_id"] == "a-concept-1" else row for row in default_items()]
    corpus = build_corpus(items)
    rows = unlike_rows(corpus.digest)
    rows["queries.jsonl"][6]["text"] = text
    return concept_overlap(unchecked(parse_partition(partition_sources(corpus, rows)), corpus))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "Jinxed again"),
        ("template", "The Jinx"),
        ("template_group", "jinxing-brian"),
        ("entities", ["Nobody", "Brian Jinx"]),
        ("aliases", ["jinxes"]),
        ("franchise", "JINX"),
        ("tags", ["bad luck", "jinx"]),
        ("action", "jinxing a friend"),
        ("ocr_text", "DON'T\nJINX IT"),
        ("visual", "a man, jinxed"),
        ("meaning", "What jinxes do."),
    ],
)
def test_a_shared_stem_is_found_in_every_field(field, value):
    (found,) = seen("totally jinxed dude", **{field: value}).findings
    assert (found.file, found.line, found.ids) == ("queries.jsonl", 7, ("q-concept-1", "a-concept-1"))
    assert found.reason == f"shares stems with the item: jinx in {field}"


@pytest.mark.parametrize("text", ["when you get the meme", "well lang:jinx", "jin xed"])
def test_small_words_filters_and_parts_of_words_are_not_shared(text):
    assert seen(text, meaning="When you get it, jinx, the well meme").findings == ()


def test_what_the_query_does_not_ask_for_may_have_its_words():
    """x01 is graded 1."""
    found = seen("frozen pipework")
    assert (found.findings, found.figures) == ((), {"queries": 2, "pairs": 2, "pairs sharing": 0})


def test_an_answer_that_may_not_be_shown_gives_nothing_away():
    assert seen("totally jinxed dude", meaning="jinx", private_data=True).findings == ()
