"""Acts brought together: what stood before is kept, what cannot stand is refused at its line, the rest is decided."""

from __future__ import annotations

import json

import pytest

from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.acts import read_acts
from runner.retrieval.items import Safety
from runner.retrieval.judgements import Qrel
from runner.retrieval.lists import Known
from runner.retrieval.merging import check_targets, merge, qrel_line, report
from runner.retrieval.topics import Topic
from tests.retrieval.small_benchmark import act, default_rows, lines

KNOWN = Known(frozenset({"q", "q2", "q-entity-1", "q-entity-2", "q-topic-1"}), frozenset({"a", "b", "c", "d"}))


def acts(where: str, *rows) -> Source:
    return Source(where, lines(rows))


def merged(*sources: Source, before: Source | None = None):
    added = [one for source in sources for one in read_acts(source)]
    return merge(read_acts(before) if before else (), added, KNOWN)


def finals(found) -> list[tuple[str, float, str, str]]:
    return [(qrel.doc_id, qrel.grade, qrel.safety.value, qrel.rule) for qrel in found.qrels()]


def disputed(found) -> list[str]:
    return [pair.doc_id for pair in found.disputed]


FIRST = acts("first.jsonl", act("q", "a", 3), act("q", "b", 0), act("q", "c", 2), act("q", "d", 1))
SECOND = acts(
    "second.jsonl",
    act("q", "a", 2, role="second"),
    act("q", "b", 2, role="second"),
    act("q", "c", 2, role="second", safety="unsafe"),
)


def test_near_grades_give_their_mean_and_the_rest_waits_for_a_third():
    found = merged(FIRST, SECOND)
    assert finals(found) == [("a", 2.5, "safe", "mean"), ("d", 1.0, "safe", "single")]
    assert disputed(found) == ["b", "c"]


def test_the_third_decides_what_was_disputed():
    third = acts("third.jsonl", act("q", "c", 1, role="third", safety="sensitive"), act("q", "b", 3, role="third"))
    found = merged(FIRST, SECOND, third)
    assert disputed(found) == []
    assert finals(found) == [
        ("a", 2.5, "safe", "mean"),
        ("b", 3.0, "safe", "third"),
        ("c", 1.0, "sensitive", "third"),
        ("d", 1.0, "safe", "single"),
    ]


def test_the_order_of_the_files_changes_no_grade():
    assert finals(merged(SECOND, FIRST)) == finals(merged(FIRST, SECOND))


def test_what_stood_before_is_no_addition():
    found = merged(SECOND, before=FIRST)
    assert [one.where for one in found.added] == ["second.jsonl"] * 3
    assert report(found, ()).acts_before == 4


def test_the_report_counts_acts_rules_and_annotators():
    found = json.loads(report(merged(SECOND, before=FIRST), ("look",)).canonical())
    assert found == {
        "acts_before": 4,
        "acts_added": 3,
        "pairs": 4,
        "rules": {"single": 1, "mean": 1, "third": 0},
        "disputed": 2,
        "annotators": {"human:first": 4, "human:second": 3},
        "notes": ["look"],
    }


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([act("q9", "a", 1)], "x.jsonl:1: q9 is no query of the benchmark."),
        ([act("q", "z", 1)], "x.jsonl:1: z is no item of the corpus."),
        ([act("q", "a", 1)], "x.jsonl:1: q a has a first act in first.jsonl:1 too."),
        ([act("q", "a", 1, annotator="human:other")], "x.jsonl:1: q a has a first act in first.jsonl:1 too."),
        (
            [act("q", "a", 1, role="second", annotator="human:first")],
            "x.jsonl:1: human:first judged q a as first in first.jsonl:1.",
        ),
        ([act("q2", "a", 1, role="second")], "x.jsonl:1: q2 a has a second act, but no first."),
        ([act("q", "a", 1, role="third")], "x.jsonl:1: q a has a third act, but no second."),
        ([act("q2", "a", 1, role="third")], "x.jsonl:1: q2 a has a third act, but no first."),
    ],
)
def test_an_act_that_cannot_stand_is_refused_at_its_line(rows, why):
    with pytest.raises(BadInput) as refused:
        merged(FIRST, acts("x.jsonl", *rows))
    assert str(refused.value).startswith(why)


def test_a_third_has_no_say_where_the_two_are_near():
    with pytest.raises(BadInput, match=r"^third\.jsonl:1: q a has a third act, but the first two are near"):
        merged(FIRST, SECOND, acts("third.jsonl", act("q", "a", 0, role="third")))


def test_one_person_may_be_first_on_one_pair_and_second_on_another():
    other = acts(
        "x.jsonl", act("q2", "a", 1, annotator="human:b"), act("q", "a", 3, role="second", annotator="human:b")
    )
    assert finals(merged(FIRST, other))[0] == ("a", 3.0, "safe", "mean")


@pytest.mark.parametrize("grade", [0.0, 0.5, 2.5, 3.0])
def test_a_line_of_qrels_is_spelt_as_its_type_spells_it(grade):
    qrel = Qrel(query_id="q", doc_id="a", grade=grade, safety=Safety.SENSITIVE, rule="mean")
    assert qrel_line(qrel) == qrel.canonical()


TOPICS = {
    topic.query_id: topic
    for topic in Topic.parse_lines(lines(default_rows("sha256:" + "0" * 64)["queries.jsonl"]), "queries.jsonl")
    if topic.query_id in KNOWN.queries
}


def target(query_id: str, *groups: list[str], by: str = "human:judge") -> dict:
    return {"query_id": query_id, "groups": list(groups), "adjudicated_by": by}


def doubts(*rows, found=None) -> list[str]:
    source = Source("targets.jsonl", lines(rows))
    return list(check_targets(source, TOPICS, found or merged(FIRST), KNOWN))


def test_targets_that_fit_leave_nothing_to_say():
    assert doubts(target("q-entity-1", ["a", "b"], ["c"]), target("q-entity-2", ["a"])) == []


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (target("q-entity-1", ["z"]), "z is no item"),
        (target("q9", ["a"]), "q9 is no query"),
        (target("q-topic-1", ["a"]), "q-topic-1 is no entity or quote query"),
        (target("q-entity-1"), "q-entity-1 has an empty group"),
        (target("q-entity-1", ["a"], []), "q-entity-1 has an empty group"),
        (target("q-entity-1", ["a"], ["a"]), "q-entity-1 has an empty group, or an item twice"),
        (target("q-entity-2", ["a"]), "q-entity-2 stands twice"),
    ],
)
def test_a_target_that_cannot_stand_is_refused_at_its_line(row, why):
    with pytest.raises(BadInput, match=rf"^targets\.jsonl:2: {why}"):
        doubts(target("q-entity-2", ["a"]), row)


def test_what_adjudicator_and_annotators_see_differently_is_said():
    graded = merged(acts("first.jsonl", act("q-entity-1", "a", 1)))
    assert doubts(target("q-entity-1", ["a"]), found=graded) == [
        "targets.jsonl:1: q-entity-1 a is an exact target, yet graded 1",
        "targets.jsonl: no exact target for q-entity-2 (1 such query)",
    ]


def test_an_adjudicator_who_graded_pairs_is_not_apart():
    rows = (target("q-entity-1", ["a"], by="human:first"), target("q-entity-2", ["a"], by="human:first"))
    assert doubts(*rows) == ["targets.jsonl: 2 queries were not adjudicated apart, but by someone who graded pairs too"]
