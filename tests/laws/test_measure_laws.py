"""Laws that hold for every list and all grades."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from runner.retrieval.measures.findability import exact_reciprocal_rank, hit, recall, reciprocal_rank, relevant
from runner.retrieval.measures.ndcg import GAINS, dcg, ideal_dcg, ndcg

DOCS = [f"d{n}" for n in range(16)]
grades = st.dictionaries(st.sampled_from(DOCS), st.sampled_from(sorted(GAINS)), min_size=1)
useful = grades.filter(lambda found: max(found.values()) >= 2)
rankings = st.lists(st.sampled_from([*DOCS, "u1", "u2", "u3"]), unique=True, max_size=19)


def measures(shown, judged):
    """Every measure of a list, with the relevant items as the exact targets."""
    wanted = relevant(judged)
    return {
        "ndcg": ndcg(shown, judged),
        "rr": reciprocal_rank(shown, wanted),
        "recall": recall(shown, wanted),
        "exact": exact_reciprocal_rank(shown, [wanted]),
        **{f"hit@{cut}": hit(shown, wanted, cut) for cut in (1, 5, 10)},
    }


@given(rankings, useful)
def test_bounds(shown, judged):
    assert all(0 <= value <= 1 for value in measures(shown, judged).values())


@given(useful)
def test_the_ideal_order_is_perfect(judged):
    ideal = sorted(judged, key=lambda doc_id: -judged[doc_id])
    found = measures(ideal, judged)
    assert found["ndcg"] == 1.0
    assert found["rr"] == found["exact"] == found["hit@1"] == 1.0


@given(rankings, useful, st.permutations([*DOCS, "u1", "u2", "u3"]))
def test_names_do_not_matter(shown, judged, names):
    new = dict(zip([*DOCS, "u1", "u2", "u3"], names, strict=True))
    renamed = {new[doc_id]: grade for doc_id, grade in judged.items()}
    assert measures([new[doc_id] for doc_id in shown], renamed) == measures(shown, judged)


@given(st.permutations([*DOCS, "u1", "u2", "u3"]), useful)
def test_nothing_below_the_cut_matters(shown, judged):
    assert measures([*shown[:10], *reversed(shown[10:])], judged) == measures(shown[:10], judged)


@given(rankings, useful)
def test_an_unjudged_item_at_the_end_changes_nothing(shown, judged):
    assert measures([*shown, "never judged"], judged) == measures(shown, judged)


@given(rankings, useful)
def test_an_unjudged_item_in_front_never_helps(shown, judged):
    before, after = measures(shown, judged), measures(["never judged", *shown], judged)
    assert all(after[name] <= before[name] for name in before)


@given(st.permutations([*DOCS, "u1", "u2", "u3"]), useful, st.integers(0, 12))
def test_moving_the_better_of_two_neighbours_up_never_hurts(shown, judged, at):
    better, worse = sorted(shown[at : at + 2], key=lambda doc_id: -judged.get(doc_id, 0))
    before = measures([*shown[:at], worse, better, *shown[at + 2 :]], judged)
    after = measures([*shown[:at], better, worse, *shown[at + 2 :]], judged)
    assert all(after[name] >= before[name] - 1e-15 for name in before)


@given(rankings, useful)
def test_hits_do_not_fall_as_the_cut_grows(shown, judged):
    found = measures(shown, judged)
    assert found["hit@1"] <= found["hit@5"] <= found["hit@10"]
    assert (found["hit@10"] == 1) == (found["rr"] > 0) == (found["recall"] > 0)


@given(st.lists(st.sampled_from([0.5, 1.5, 2.5]), min_size=1, max_size=10))
def test_a_half_grade_earns_less_than_the_mean_of_its_neighbours(halves):
    """2^x is convex: the gain of the mean grade lies strictly between the lower gain and the mean gain."""
    low, high = [grade - 0.5 for grade in halves], [grade + 0.5 for grade in halves]
    assert dcg(low) < dcg(halves) < (dcg(low) + dcg(high)) / 2


@given(st.lists(st.sampled_from(sorted(GAINS)), max_size=14))
def test_no_order_beats_the_ideal(found):
    assert dcg(found) <= ideal_dcg(found)


@given(useful, st.sampled_from(DOCS))
def test_a_relevant_item_more_lowers_recall_of_the_same_list(judged, extra):
    assume(extra not in judged)
    shown = sorted(relevant(judged))[:10]
    assert recall(shown, relevant({**judged, extra: 2.0})) < recall(shown, relevant(judged))


@pytest.mark.parametrize("grade", [2.25, 4.0, -1.0])
def test_a_grade_outside_the_seven_has_no_gain(grade):
    with pytest.raises(KeyError):
        dcg([grade])
