"""Laws that hold for every list and all grades."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from runner.retrieval.items import Safety
from runner.retrieval.measures.batch import judged as judge_all
from runner.retrieval.measures.batch import lists as lists_beside
from runner.retrieval.measures.coverage import correct_empty, coverage, safe_list
from runner.retrieval.measures.figures import figures
from runner.retrieval.measures.findability import exact_reciprocal_rank, hit, recall, reciprocal_rank, relevant
from runner.retrieval.measures.names import Measure
from runner.retrieval.measures.ndcg import GAINS, dcg, ideal_dcg, ndcg, shown_dcg
from runner.retrieval.plain_judgements import Requests
from runner.retrieval.plain_measures import measure_all
from runner.retrieval.score import latency_credit, reliability_credit

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


shares = st.integers(0, 1000).map(lambda part: part / 1000)


def c(hit_rate, correct):
    return coverage(np.array([hit_rate]), np.array([correct])).item()


@given(shares, shares)
def test_coverage_lies_between_its_two_parts_and_takes_them_alike(one, other):
    assert c(one, other) == c(other, one)
    assert min(one, other) * (1 - 1e-12) <= c(one, other) <= max(one, other) * (1 + 1e-12)
    assert c(one, 0.0) == 0.0


@given(shares, shares, shares)
def test_coverage_never_falls_as_a_part_rises(fixed, one, other):
    low, high = sorted([one, other])
    assert c(fixed, low) <= c(fixed, high) + 1e-15


classes = st.dictionaries(st.sampled_from(DOCS), st.sampled_from(Safety), min_size=len(DOCS), max_size=len(DOCS))


@given(st.lists(st.sampled_from(DOCS), unique=True), classes, st.randoms())
def test_a_list_is_as_safe_as_its_worst_item_wherever_it_stands(shown, classes, dice):
    assume(len(classes) == len(DOCS))
    known = safe_list(shown, classes)
    assert known == min((safe_list([doc_id], classes) for doc_id in shown), default=1.0)
    assert safe_list(dice.sample(shown, len(shown)), classes) == known
    assert all(safe_list(shown[:cut], classes) >= known for cut in range(len(shown)))


@given(rankings)
def test_only_nothing_is_correctly_empty(shown):
    assert correct_empty(shown) == (len(shown) == 0)


@given(rankings, useful, st.sampled_from(DOCS))
def test_a_further_target_never_lowers_exactness(shown, judged, extra):
    groups = [[doc_id] for doc_id in relevant(judged)]
    assert exact_reciprocal_rank(shown, [*groups, [extra]]) >= exact_reciprocal_rank(shown, groups)
    assert exact_reciprocal_rank(shown, groups) == exact_reciprocal_rank(shown, [relevant(judged)])


@given(st.integers(0, 3_000_000_000), st.integers(0, 1_000_000_000))
def test_slower_never_earns_more(p95_ns, more):
    fast, slow = latency_credit(np.array([p95_ns, p95_ns + more])).tolist()
    assert 0 <= slow <= fast <= 1


@given(st.integers(1, 5000), st.data())
def test_a_further_failure_never_earns_more(requests, data):
    failed = data.draw(st.integers(0, requests - 1))
    fewer, more = reliability_credit(np.array([failed, failed + 1]), np.array([requests, requests])).tolist()
    assert 0 <= more <= fewer <= 1


@given(rankings, grades, st.integers(1, 4))
def test_an_answer_repeated_is_the_answer_and_a_failure_beside_it_halves(shown, judged, times):
    def table(*requests):
        return measure_all({"q": judged}, {"q": requests}, {}).per_query()["q"].figures

    whole = table(*[tuple(shown)] * times)
    assert whole == pytest.approx(table(tuple(shown)), abs=1e-15)
    halved = {name: value and value / 2 for name, value in whole.items()}
    assert table(*[tuple(shown), None] * times) == pytest.approx(halved, abs=1e-15)


many = st.lists(st.tuples(grades, st.lists(st.none() | rankings.map(tuple), max_size=3)), min_size=1, max_size=5)


@given(many)
def test_many_queries_at_once_are_each_to_the_bit_what_its_lists_are(queries):
    judged = {f"q{n}": own for n, (own, _) in enumerate(queries)}
    requests: Requests = {f"q{n}": shown for n, (_, shown) in enumerate(queries) if shown}
    found = measure_all(judged, requests, {}).per_query()
    for query_id, own in judged.items():
        seen = requests.get(query_id, [])
        one = [figures(shown, own if ideal_dcg(own.values()) else None, None) for shown in seen if shown is not None]
        for measure in Measure:
            values = [each[measure] for each in one if measure in each]
            if len(values) == 1:
                assert found[query_id].figures[measure] == values[0] / len(seen)
            elif values:
                assert found[query_id].figures[measure] == pytest.approx(sum(values) / len(seen), abs=1e-15)


@given(rankings, grades)
def test_gains_added_as_integers_are_to_the_bit_those_added_as_floats(shown, judged):
    assert lists_beside([shown], [judged]).dcg().tolist() == [shown_dcg(shown, judged)]
    assert judge_all([judged]).ideal_dcg().tolist() == [ideal_dcg(judged.values())]
