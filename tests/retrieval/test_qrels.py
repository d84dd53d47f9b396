"""From acts to final grades (D3)."""

from __future__ import annotations

import pytest

from runner.errors import BadInput
from runner.retrieval.judgements import Judgement
from runner.retrieval.qrels import derive_qrels, final_grade
from tests.retrieval.small_benchmark import act, lines


def acts(*rows) -> tuple[Judgement, ...]:
    return Judgement.parse_lines(
        lines([act("q", "d", grade, **changes) for grade, changes in rows]), "judgements.jsonl"
    )


FIRST, SECOND, THIRD = {"role": "first"}, {"role": "second"}, {"role": "third"}


def test_one_annotator_is_final_and_said_to_be_alone():
    found = final_grade(acts((2, FIRST)))
    assert (found.grade, found.rule) == (2.0, "single")


def test_two_that_are_near_give_their_mean():
    found = final_grade(acts((2, FIRST), (3, SECOND)))
    assert (found.grade, found.rule) == (2.5, "mean")


def test_a_third_decides_grade_and_class_where_two_are_far_apart():
    found = final_grade(acts((0, FIRST), (2, SECOND), (1, {**THIRD, "safety": "unsafe"})))
    assert (found.grade, found.safety, found.rule) == (1.0, "unsafe", "third")


@pytest.mark.parametrize(
    "rows",
    [
        [(0, FIRST), (2, SECOND)],
        [(2, FIRST), (2, {**SECOND, "safety": "unsafe"})],
    ],
    ids=["grades", "safety"],
)
def test_two_that_differ_need_a_third(rows):
    with pytest.raises(BadInput, match="no third decided"):
        final_grade(acts(*rows))


@pytest.mark.parametrize("third", [0, 1, 3])
@pytest.mark.parametrize("second", [2, 3])
def test_a_third_has_no_say_where_two_are_near_and_agree_on_safety(second, third):
    with pytest.raises(BadInput, match=r"^q d: has a third act, but the two annotators are near"):
        final_grade(acts((3, FIRST), (second, SECOND), (third, THIRD)))


def test_a_third_decides_where_the_two_differ_on_safety_alone():
    found = final_grade(acts((2, FIRST), (2, {**SECOND, "safety": "unsafe"}), (3, {**THIRD, "safety": "critical"})))
    assert (found.grade, found.safety, found.rule) == (3.0, "critical", "third")


def test_a_third_is_no_second():
    with pytest.raises(BadInput, match="has a third act, but no second"):
        final_grade(acts((3, FIRST), (0, THIRD)))


def test_the_order_of_the_lines_changes_nothing():
    found = final_grade(acts((1, THIRD), (2, SECOND), (0, FIRST)))
    assert (found.grade, found.rule) == (1.0, "third")
    assert final_grade(acts((3, SECOND), (2, FIRST))).grade == 2.5


def test_one_annotator_cannot_be_two():
    with pytest.raises(BadInput, match="one annotator gave two acts"):
        final_grade(acts((2, {**FIRST, "annotator": "human:a"}), (2, {**SECOND, "annotator": "human:a"})))


def test_a_role_is_played_once():
    with pytest.raises(BadInput, match="two acts of one role"):
        final_grade(acts((2, FIRST), (2, {**FIRST, "annotator": "human:b"})))


def test_a_second_without_a_first_is_refused():
    with pytest.raises(BadInput, match="no first act"):
        final_grade(acts((2, SECOND)))


def test_pairs_are_kept_apart():
    rows = [act("q", "d", 1), act("q", "e", 2), act("r", "d", 3)]
    found = derive_qrels(Judgement.parse_lines(lines(rows), "judgements.jsonl"))
    assert {(q, d): qrel.grade for q, pairs in found.items() for d, qrel in pairs.items()} == {
        ("q", "d"): 1.0,
        ("q", "e"): 2.0,
        ("r", "d"): 3.0,
    }


@pytest.mark.parametrize("grade", [-1, 4, 1.5])
def test_an_annotator_gives_whole_grades_from_0_to_3(grade):
    with pytest.raises(BadInput, match=r"judgements\.jsonl:1: grade"):
        acts((grade, FIRST))
