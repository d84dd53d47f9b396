"""What a machine can say of a no-match query: no item has its words."""

from __future__ import annotations

import pytest

from runner.retrieval.absence import canonical_fields
from runner.retrieval.findings import unchecked
from runner.retrieval.partitions import parse_partition
from tests.retrieval.small_benchmark import FIELDS, build_corpus, default_items, item, partition_sources, unlike_rows


def seen(text: str, nearest=("x02",), **fields):
    """What is seen where q-no_match-1, the 13th query, asks `text` and item m1 has `fields`."""
    corpus = build_corpus([*default_items(), item("m1", **fields)])
    rows = unlike_rows(corpus.digest)
    rows["queries.jsonl"][12]["text"] = text
    rows["no_match_audits.jsonl"][0]["nearest"] = list(nearest)
    return canonical_fields(unchecked(parse_partition(partition_sources(corpus, rows)), corpus))


PLACE = ("queries.jsonl", 13, ("q-no_match-1", "m1"))


def places(findings):
    return [(each.file, each.line, each.ids) for each in findings]


@pytest.mark.parametrize("field", FIELDS)
def test_all_words_in_any_one_field_are_found(field):
    value = "brains-of-a-scumbag" if field == "template_group" else "the brains of a scumbag"
    held = [value] if field in {"entities", "aliases", "tags"} else value
    found = seen("scumbag brain", **{field: held})
    assert places(found.findings) == [PLACE]
    assert found.findings[0].reason == f"the item has all its words in {field}"


def test_the_entries_of_a_list_are_one_field():
    assert places(seen("scumbag brain", tags=["brain", "scumbag"]).findings) == [PLACE]


def test_words_in_two_fields_are_worth_a_look():
    found = seen("scumbag brain", tags=["brain"], meaning="a scumbag")
    assert (found.findings, places(found.listed)) == ((), [PLACE])


def test_an_item_that_an_inspector_looked_at_is_worth_a_look():
    found = seen("scumbag brain", nearest=["m1"], meaning="brains of a scumbag")
    assert (found.findings, places(found.listed)) == ((), [PLACE])


def test_nothing_excuses_an_item_that_says_just_that():
    found = seen("Scumbag BRAIN!", nearest=["m1"], ocr_text="your\nscumbag brain's back")
    assert found.findings == ()
    found = seen("Scumbag BRAIN!", nearest=["m1"], ocr_text="your\nscumbag brain is back")
    assert places(found.findings) == [PLACE]
    assert found.findings[0].reason == "the item says just that in ocr_text"


@pytest.mark.parametrize(
    ("text", "fields", "wrong"),
    [
        ("no i am your father", {"meaning": "a father on your phone"}, False),
        ("no i am your father", {"meaning": "no father i know: am i your son?"}, True),
        ("bender", {"meaning": "gender benders"}, True),
        ("bender", {"meaning": "defender"}, False),
        ("from:futurama bender", {"meaning": "bender, of futurama"}, True),
        ("bender lang:fr", {"meaning": "bender"}, True),
        ("猫ミーム", {"ocr_text": "この猫ミームは面白い"}, True),
        ("💀", {"ocr_text": "dead 💀 again"}, True),
        ("💀", {"ocr_text": "dead ❤️ again"}, False),
        ("nothing like it", {"meaning": "brain"}, False),
    ],
)
def test_words_scripts_and_filters(text, fields, wrong):
    assert bool(seen(text, **fields).findings) == wrong


@pytest.mark.parametrize("reason", [{"private_data": True}, {"rights": item("m")["rights"] | {"status": "withdrawn"}}])
def test_items_that_may_not_be_shown_answer_nothing(reason):
    assert seen("scumbag brain", meaning="scumbag brain", **reason).findings == ()


def test_words_that_the_corpus_has_somewhere_are_counted():
    figures = seen("scumbag x05", meaning="scumbag").figures
    # Of the two no-match queries only this one.
    assert (figures["queries"], figures["of corpus words only"]) == (2, 1)
