"""The scaffold of a hidden half: empty files, the groups that are left, and the work, counted by hand."""

from __future__ import annotations

import json

import pytest

from runner.errors import BadInput, UsageError
from runner.retrieval.findings import unchecked
from runner.retrieval.partitions import FILES, parse_partition
from runner.retrieval.workplan import DISPUTED, PAIRS_A_QUERY, disputed, pairs_a_query, works
from runner.workflows.partition import new
from tests.retrieval.small_benchmark import (
    build_corpus,
    default_items,
    default_rows,
    item,
    partition_sources,
)

# One group with two template groups that look alike, one with an item that may not be shown beside one that may, and
# one that has nothing to show.
PICTURE = {"path": "previews/x.png", "digest": "sha256:" + "1" * 64, "phash": "f" * 16}
CORPUS = build_corpus(
    [
        *default_items(),
        item("y01", template_group="near", template="Near", preview=PICTURE, language="en"),
        item("y02", template_group="nearer", template="Nearer", preview=PICTURE, language="pt"),
        item("y03", template_group="half-shown"),
        item("y04", template_group="half-shown", private_data=True),
        item("y05", template_group="hidden-away", private_data=True),
    ]
)


def scaffold(rows=None):
    return new("the-other-half", partition_sources(CORPUS, rows or default_rows(CORPUS.digest)), CORPUS)


def test_the_files_of_a_partition_are_there_and_hold_nothing():
    files = scaffold()
    assert files.keys() == {*FILES, "groups.free.jsonl", "WORKPLAN.md"}
    assert [files[name] for name in FILES[1:]] == [b""] * 4


def test_the_card_says_that_it_is_a_draft_for_this_corpus():
    card = json.loads(scaffold()["partition.json"])
    assert (card["name"], card["kind"], card["corpus"]) == ("the-other-half", "hidden", CORPUS.digest)
    assert card["provisional"] == ["a draft: WORKPLAN.md says what is still to be done"]
    assert set(card["counts"].values()) == {0}
    assert {"queries", "entity", "no_match", "judgements"} <= card["counts"].keys()


def test_free_groups_are_those_that_no_answer_is_in_and_that_can_be_shown():
    free = {row["group"]: row for row in map(json.loads, scaffold()["groups.free.jsonl"].splitlines())}
    assert free.keys() == {*(f"group-x{n:02}" for n in range(1, 31)), "half-shown", "near"}
    assert free["near"] == {
        "group": "near",
        "template_groups": ["near", "nearer"],
        "templates": ["Near", "Nearer"],
        "languages": ["en", "pt"],
        "items": 2,
        "serving": ["y01", "y02"],
    }
    assert (free["half-shown"]["items"], free["half-shown"]["serving"]) == (2, ["y03"])


def beside(rows=None):
    return unchecked(parse_partition(partition_sources(CORPUS, rows or default_rows(CORPUS.digest))), CORPUS)


def test_the_work_is_counted_from_the_partition_beside():
    """432 pairs for 14 queries; two people agreed on all of them."""
    assert (pairs_a_query(beside()).value, disputed(beside()).value) == (432 / 14, 0)
    many = [work.many for work in works(beside())]
    # 240 queries, each read by another; 240 * 432 / 14 = 7405.7 pairs, twice; 60 exact targets, 60 audits.
    assert many == [240, 240, 7406, 7406, 0, 60, 60]


def test_what_machines_agreed_on_says_nothing_of_people():
    rows = default_rows(CORPUS.digest)
    rows["judgements.jsonl"][0]["annotator"] = "machine:first"
    assert disputed(beside(rows)) == DISPUTED
    assert works(beside(rows))[4].many == 741


def test_without_judgements_the_pairs_are_assumed():
    rows = default_rows(CORPUS.digest) | {"judgements.jsonl": []}
    assert pairs_a_query(beside(rows)) == PAIRS_A_QUERY
    assert works(beside(rows))[2].many == 4800


def test_the_plan_names_slices_hours_and_assumptions():
    plan = scaffold()["WORKPLAN.md"].decode()
    for row in ("| entity | 30 |", "| no_match | 60 |", "| all | 240 |"):
        assert row in plan
    # 7406 * 20 s = 41.1 h; 24 + 8 + 2 * 41.1 + 4 + 12 = 130.3 h
    assert "| judge a pair, first annotator | 7406 | 20 s | 41.1 |" in plan
    assert "| all |  |  | 130 |" in plan
    assert "nobody was timed" in plan
    assert "free with items that may be shown: 32 groups with 33 items " in plan


def test_the_same_files_for_the_same_halves():
    assert scaffold() == scaffold()


def test_a_half_that_is_unsound_says_nothing_of_free_groups():
    rows = default_rows(CORPUS.digest)
    rows["exact_targets.jsonl"] = []
    with pytest.raises(BadInput, match="no exact target"):
        scaffold(rows)


def test_a_half_for_another_corpus_is_refused():
    other = build_corpus()
    with pytest.raises(BadInput, match="made for corpus"):
        new("the-other-half", partition_sources(other), CORPUS)


def test_the_two_halves_have_names_of_their_own():
    with pytest.raises(UsageError, match="small is the name of the partition beside it"):
        new("small", partition_sources(CORPUS), CORPUS)
