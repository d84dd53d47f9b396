"""Annotation key by key: every stroke counts once, an undo takes back exactly one, a replay ends where the hand did."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.documents import Source, to_lines
from runner.errors import BadInput
from runner.retrieval.annotation import Kind, Progress, Stroke, replay
from runner.retrieval.items import Safety

PAIRS = [f"{n:016x}" for n in range(4)]


def stroke(pair: int, kind: str, at: str = "t", **value) -> Stroke:
    return Stroke(at=at, pair=PAIRS[pair], kind=Kind(kind), **value)


def grade(pair: int, value: int) -> Stroke:
    return stroke(pair, "grade", grade=value)


def classify(pair: int, value: str = "safe") -> Stroke:
    return stroke(pair, "safety", safety=Safety(value))


def after(*strokes: Stroke) -> Progress:
    return replay(PAIRS, Source("strokes.jsonl", to_lines(strokes)))


def answers(progress: Progress) -> list[tuple[str, int, str, str]]:
    return [(one.pair, one.grade, one.safety.value, one.note) for one in progress.given("strokes.jsonl")]


def test_a_pair_is_done_with_grade_and_class_in_either_order():
    found = after(grade(0, 2), classify(0), classify(1, "unsafe"), grade(1, 0), grade(2, 3))
    assert answers(found) == [(PAIRS[0], 2, "safe", ""), (PAIRS[1], 0, "unsafe", "")]
    assert found.done == 2


def test_the_last_answer_counts_and_carries_its_time():
    found = after(grade(0, 2), classify(0), stroke(0, "note", note="seen twice", at="noon"), grade(0, 1))
    assert answers(found) == [(PAIRS[0], 1, "safe", "seen twice")]
    (one,) = after(grade(0, 2), stroke(0, "safety", at="late", safety=Safety.SAFE)).given("strokes.jsonl")
    assert one.at == "late"


def test_undo_takes_back_one_stroke_at_a_time():
    strokes = [grade(0, 2), classify(0), grade(1, 1), stroke(1, "undo")]
    assert answers(after(*strokes)) == [(PAIRS[0], 2, "safe", "")]
    assert answers(after(*strokes, stroke(0, "undo"))) == []
    assert after(*strokes, stroke(0, "undo"), stroke(0, "undo")).last is None


def test_open_pairs_come_in_order_and_skipped_ones_last():
    assert after().next_open(-1) == 0
    assert after(grade(0, 1), classify(0)).next_open(0) == 1
    assert after(stroke(0, "skip")).next_open(0) == 1
    assert after(stroke(0, "skip")).next_open(3) == 1
    others = [one for pair in (1, 2, 3) for one in (grade(pair, 0), classify(pair))]
    assert after(stroke(0, "skip"), *others).next_open(3) == 0
    assert after(*others, grade(0, 0), classify(0)).next_open(3) is None


def test_an_answer_ends_a_skip():
    assert after(stroke(0, "skip"), grade(0, 2)).mark(PAIRS[0]).skipped is False


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ({"kind": "grade", "grade": 4}, "grade"),
        ({"kind": "grade"}, "gives its own value and no other"),
        ({"kind": "skip", "grade": 1}, "gives its own value and no other"),
        ({"kind": "grade", "grade": 1, "safety": "safe"}, "gives its own value and no other"),
        ({"kind": "grade", "grade": 1, "pair": "f" * 16}, "ffffffffffffffff is no pair of this sheet"),
        ({"kind": "undo", "pair": PAIRS[1]}, "there is nothing on 0000000000000001 to undo"),
    ],
)
def test_a_stroke_that_cannot_be_theirs_is_refused_at_its_line(line, why):
    rows = [grade(0, 1).canonical(), json.dumps({"at": "t", "pair": PAIRS[0], **line}).encode()]
    with pytest.raises(BadInput, match=rf"^strokes\.jsonl:2: .*{why}"):
        replay(PAIRS, Source("strokes.jsonl", b"\n".join(rows)))


def simple(draw: tuple[int, str]) -> Stroke:
    pair, kind = draw
    value = {"grade": {"grade": pair % 4}, "safety": {"safety": Safety.UNSAFE}, "note": {"note": "n"}}.get(kind, {})
    return stroke(pair, kind, **value)


draws_of_strokes = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(["grade", "safety", "note", "skip"])), max_size=12
)


@given(draws_of_strokes, st.integers(0, 12))
def test_law_undoing_n_strokes_is_never_having_made_them(draws, count):
    strokes = [simple(draw) for draw in draws]
    count = min(count, len(strokes))
    kept = strokes[: len(strokes) - count]
    undone = [stroke(PAIRS.index(one.pair), "undo") for one in reversed(strokes[len(kept) :])]
    left, wanted = after(*strokes, *undone), after(*kept)
    assert [left.mark(pair) for pair in PAIRS] == [wanted.mark(pair) for pair in PAIRS]
    assert left.last == wanted.last
