"""What two halves may not share, and what is left for the second (D5)."""

from __future__ import annotations

import pytest

from runner.retrieval.findings import Halves, unchecked
from runner.retrieval.halves import APART, group_use, groups_apart
from runner.retrieval.partitions import parse_partition
from tests.retrieval.small_benchmark import NONE, act, build_corpus, default_items, item, partition_sources, unlike_rows

OTHERS = [item(row["doc_id"].replace("a-", "b-", 1)) for row in default_items()[:12]]
CORPUS = build_corpus([*default_items(), *OTHERS])
WORDS = (
    "walrus choir",
    "tangled headphones",
    "sourdough tragedy",
    "spreadsheet romance",
    "elevator silence",
    "raccoon at midnight",
    "two left socks",
    "parking heroics",
    "dentist small talk",
    "moss enthusiasm",
    "queue etiquette",
    "karaoke regrets",
    "haunted printer",
    "cactus funeral",
)


def other_rows():
    """The lines of a second half: other ids, families, prompts and answers."""
    rows = unlike_rows(CORPUS.digest)
    for row, text in zip(rows["queries.jsonl"], WORDS, strict=True):
        row["family"] = f"other-{row['family']}"
        row["text"] = text
        row["template_groups"] = [name.replace("-a-", "-b-") for name in row["template_groups"]]
    for name, lines in rows.items():
        for row in lines:
            row["query_id"] = row["query_id"].replace("q-", "h-")
            if name == "judgements.jsonl":
                row["doc_id"] = row["doc_id"].replace("a-", "b-", 1)
            if name == "exact_targets.jsonl":
                row["groups"] = [[doc_id.replace("a-", "b-", 1) for doc_id in group] for group in row["groups"]]
    return rows


def half(rows, **card):
    return unchecked(parse_partition(partition_sources(CORPUS, rows, **card)), CORPUS)


ONE = half(unlike_rows(CORPUS.digest))


def found(rows):
    halves = Halves(ONE, half(rows, kind="hidden", name="other"))
    return [(each.check, each.file, each.line, each.ids) for check in APART for each in check.see(halves).findings]


def test_halves_that_share_nothing():
    assert found(other_rows()) == []


def test_an_id_in_both():
    rows = other_rows()
    for lines in rows.values():
        for row in lines:
            row["query_id"] = row["query_id"].replace("h-visual-1", "q-visual-1")
    assert found(rows) == [("ids apart", "queries.jsonl", 9, ("q-visual-1", "q-visual-1", "q-visual-1"))]


def test_a_family_in_both():
    rows = other_rows()
    rows["queries.jsonl"][4]["family"] = "f-entity-2"
    assert found(rows) == [("families apart", "queries.jsonl", 5, ("q-entity-2", "h-topic-1", "f-entity-2"))]


def test_a_group_that_both_find_useful():
    rows = other_rows()
    rows["judgements.jsonl"] += [act("h-topic-1", "a-quote-1", 2), act("h-topic-1", "a-quote-1", 2, role="second")]
    assert found(rows) == [("groups apart", "queries.jsonl", 5, ("q-quote-1", "h-topic-1", "group-a-quote-1"))]


def test_a_group_in_which_both_have_a_target():
    rows = other_rows()
    rows["exact_targets.jsonl"][0]["groups"].append(["a-quote-1"])
    assert found(rows) == [("groups apart", "queries.jsonl", 1, ("q-quote-1", "h-entity-1", "group-a-quote-1"))]


def test_a_group_that_is_useful_to_one_and_only_related_for_the_other_is_not_shared():
    rows = other_rows()
    rows["judgements.jsonl"] += [act("h-topic-1", "a-quote-1", 1), act("h-topic-1", "a-quote-1", 2, role="second")]
    assert found(rows) == []


@pytest.mark.parametrize("text", ["Seven brass kettle", "seven brass-kettles", "7even brass kettles"])
def test_nearly_the_same_prompt_in_both(text):
    rows = other_rows()
    rows["queries.jsonl"][13]["text"] = text
    assert found(rows) == [("prompts apart", "queries.jsonl", 14, ("q-entity-2", "h-no_match-2"))]


def test_groups_that_are_used_and_free():
    slices = ("entity", "quote", "topic", "concept", "visual", "noisy")
    both = group_use([ONE, half(other_rows())])
    assert group_use([ONE]).used == {f"group-a-{name}-{n}" for name in slices for n in (1, 2)}
    assert both.free == {f"group-x{n:02}" for n in range(1, 31)}
    assert group_use([ONE]).figures == {"groups": 54, "used": 12, "free": 42}
    assert both.figures == {"groups": 54, "used": 24, "free": 30}


def test_look_alikes_are_one_group():
    """Each half uses one of two template groups with the same picture."""
    picture = {"path": "previews/x.png", "digest": NONE, "phash": "f" * 16}
    items = [*default_items(), *OTHERS]
    twins = {"a-quote-1", "b-topic-1"}
    corpus = build_corpus([row | {"preview": picture} if row["doc_id"] in twins else row for row in items])
    one, other = (
        unchecked(parse_partition(partition_sources(corpus, rows)), corpus)
        for rows in (unlike_rows(corpus.digest), other_rows())
    )
    assert group_use([one]).figures == {"groups": 53, "used": 12, "free": 41}
    (found,) = groups_apart(Halves(one, other))
    assert (found.line, found.ids) == (5, ("q-quote-1", "h-topic-1", "group-a-quote-1"))
