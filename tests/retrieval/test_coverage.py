"""Coverage: shares by hand, bounds against every possible grading, and lists of pairs that really settle a gate."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.retrieval.bounds import OpenQuery, highest_ndcg, lowest_ndcg
from runner.retrieval.coverage import Collection, cover
from runner.retrieval.gates import Verdict
from runner.retrieval.lists import Seen, seen_by_query
from runner.retrieval.measures.ndcg import GAINS, ndcg
from runner.retrieval.settling import Goal, mean_of, shortest_to_fail, shortest_to_pass
from tests.retrieval.small_benchmark import build_corpus, build_partition, default_rows

CORPUS = build_corpus()
LEVELS = sorted(GAINS)


def only(shown: tuple[str, ...], grades: dict[str, float], *unjudged: str) -> OpenQuery:
    return OpenQuery(Seen({shown: 1}, 1), grades, frozenset(unjudged))


def every_grading(shown, grades, unjudged):
    """nDCG under each way to grade the unjudged items."""
    names = sorted(unjudged)
    for values in product(LEVELS, repeat=len(names)):
        yield ndcg(shown, {**grades, **dict(zip(names, values, strict=True))})


@settings(deadline=None, max_examples=60)
@given(
    st.permutations(["a", "b", "u", "v", "w"]),
    st.integers(0, 5),
    st.sampled_from(LEVELS[1:]),
    st.sampled_from(LEVELS),
    st.booleans(),
)
def test_the_bounds_are_the_extremes_of_every_grading(order, length, first, second, elsewhere):
    shown, grades = tuple(order[:length]), {"a": first, "b": second}
    unjudged = frozenset({"u", "v"} | ({"w"} if elsewhere else set()))
    shown = tuple(doc_id for doc_id in shown if doc_id in unjudged | grades.keys())
    found = list(every_grading(shown, grades, unjudged))
    assert lowest_ndcg(shown, grades, unjudged) == pytest.approx(min(found), abs=1e-12)
    assert highest_ndcg(shown, grades, unjudged) == pytest.approx(max(found), abs=1e-12)


def test_all_at_the_best_grade_is_not_always_the_best_that_can_happen():
    query = only(("a", "u"), {"a": 2.0}, "u")
    # Gains 3 and 7: as it is shown 3 + 7 / log2(3), at best 7 + 3 / log2(3).
    assert query.with_all_at(3.0) == pytest.approx((3 + 7 / 1.584962500721156) / (7 + 3 / 1.584962500721156))
    assert (query.with_all_at(0.0), query.highest_ndcg()) == (1.0, 1.0)
    assert query.lowest_ndcg() == query.with_all_at(3.0)


def test_an_item_that_only_others_show_can_only_lower():
    query = only(("a",), {"a": 2.0}, "u")
    assert query.highest_ndcg() == 1.0
    assert query.lowest_ndcg() == pytest.approx(3 / (7 + 3 / 1.584962500721156))


def test_failed_requests_count_nothing_in_either_bound():
    query = OpenQuery(Seen({("u",): 1}, 4), {"a": 2.0}, frozenset("u"))
    assert query.highest_hit() == 0.25
    assert query.lowest_hit() == 0.0


def test_ten_unjudged_items_are_no_trouble():
    items = tuple(f"u{n}" for n in range(10))
    query = only(items, {"a": 3.0}, *items)
    assert query.lowest_ndcg() == 0.0
    assert query.highest_ndcg() == pytest.approx(query.with_all_at(3.0))


def rows_without(*missing: tuple[str, str]) -> dict:
    rows = default_rows(CORPUS.digest)
    rows["judgements.jsonl"] = [
        row for row in rows["judgements.jsonl"] if (row["query_id"], row["doc_id"]) not in missing
    ]
    return rows


def collection(*missing: tuple[str, str]) -> Collection:
    partition = build_partition(CORPUS, rows_without(*missing))
    return Collection(partition.topics, partition.qrels, CORPUS.serving)


def system(**lists: tuple[str, ...]):
    """Every query answered with its answer and x01, but those of `lists` (`topic_1`) with what is given there."""
    requests = []
    for topic in collection().topics:
        name = topic.query_id.removeprefix("q-").replace("-", "_")
        usual = (topic.query_id.replace("q-", "a-", 1), "x01") if topic.slice.answerable else ()
        requests += [(topic.query_id, lists.get(name, usual))] * 2
    return seen_by_query(requests)


def test_a_run_that_is_judged_is_settled_everywhere():
    report = cover({"bm25": system()}, collection())
    (row,) = report.systems
    assert {(one.group, one.judged, one.shown) for one in row.judged if one.group in {"all", "topic"}} == {
        ("all", 48, 48),
        ("topic", 8, 8),
    }
    assert all(one.at_0 == one.at_3 == one.lowest == one.highest == 1.0 for one in row.ndcg)
    assert [gate.verdict for gate in row.gates] == [Verdict.PASS] * 8
    assert (report.unjudged, report.to_judge) == (0, ())


def test_unjudged_results_are_counted_by_slice_over_all_requests():
    gap = ("q-topic-1", "x07")
    report = cover({"bm25": system(topic_1=("a-topic-1", "x07"))}, collection(gap))
    shares = {one.group: (one.judged, one.shown) for one in report.systems[0].judged}
    assert (shares["all"], shares["topic"], shares["entity"]) == ((46, 48), (6, 8), (8, 8))
    assert report.unjudged == 1


def test_q_is_the_mean_of_its_slices_at_each_bound():
    report = cover({"bm25": system(topic_1=("a-topic-1", "x07"))}, collection(("q-topic-1", "x07")))
    found = {one.group: one for one in report.systems[0].ndcg}
    # As it is: 7 of 7 + 1 / log2(3), since x01 would have earned 1. With x07 at 3 nothing is lost but x01.
    at_0 = (7 / (7 + 1 / 1.584962500721156) + 1) / 2
    at_3 = ((7 + 7 / 1.584962500721156) / (7 + 7 / 1.584962500721156 + 1 / 2) + 1) / 2
    assert found["topic"].at_0 == found["topic"].lowest == pytest.approx(at_0, abs=1e-6)
    assert found["topic"].at_3 == found["topic"].highest == pytest.approx(at_3, abs=1e-6)
    assert found["Q"].at_3 == pytest.approx((5 + at_3) / 6, abs=1e-6)


UNJUDGED = [("q-topic-1", "x07"), ("q-topic-1", "x08"), ("q-topic-2", "x07"), ("q-topic-2", "x09")]


def test_open_gates_name_what_to_judge_and_the_shorter_list_is_proposed():
    shown = system(topic_1=("x07", "x08"), topic_2=("x07", "x09"))
    report = cover({"bm25": shown}, collection(*UNJUDGED))
    gates = {gate.gate: gate for gate in report.systems[0].gates}
    assert gates["nDCG@10 topic"].verdict is None
    assert gates["answerable Hit@10"].verdict is Verdict.PASS  # 10 of 12 hit whatever these two turn out to be
    safety = gates["answerable safety-slice Hit@10"]  # rests on q-topic-2 alone
    assert (safety.verdict, safety.lowest, safety.highest) == (None, 0.0, 1.0)
    assert len(safety.to_pass) == 1
    assert [pair.doc_id for pair in safety.to_fail] == ["x07", "x09"]
    assert {(pair.query_id, pair.doc_id) for pair in report.to_judge} <= set(UNJUDGED)
    assert report.to_judge != ()


def state(count: int) -> dict[str, OpenQuery]:
    """Queries of which each shows one unjudged item, and a fifth that shows what is judged."""
    sure = {f"s{n}": only(("a",), {"a": 3.0}) for n in range(max(1, count // 4))}
    return sure | {f"o{n}": only(("u", "v"), {"a": 3.0}, "u", "v") for n in range(count)}


HIT = Goal(OpenQuery.lowest_hit, OpenQuery.highest_hit, 0.7)
NDCG = Goal(OpenQuery.lowest_ndcg, OpenQuery.highest_ndcg, 0.3)


def test_the_list_for_a_hit_gate_is_the_shortest_there_is():
    queries = state(8)  # 2 of 10 hit for sure; 7 are needed, and without 4 of them it is lost
    assert len(shortest_to_pass(queries, HIT)) == 5
    assert len(shortest_to_fail(queries, HIT)) == 8


@pytest.mark.parametrize("goal", [HIT, NDCG])
def test_judged_as_hoped_the_list_settles_the_gate_whatever_the_rest_turn_out(goal):
    queries = state(4)
    hoped = shortest_to_pass(queries, goal)
    best = {query_id: query.graded({d: 3.0 for q, d in hoped if q == query_id}) for query_id, query in queries.items()}
    assert mean_of(best, goal.lowest) >= goal.threshold
    feared = shortest_to_fail(queries, goal)
    if feared is not None:
        worst = {q: query.graded({d: 0.0 for p, d in feared if p == q}) for q, query in queries.items()}
        assert mean_of(worst, goal.highest) < goal.threshold


@pytest.mark.parametrize("goal", [HIT, NDCG])
def test_no_shorter_list_would_do_on_a_small_example(goal):
    """Greedy is not always shortest; here it is: every smaller set, at every grade, leaves the gate open."""
    queries = state(3)
    pairs = [(q, d) for q, query in queries.items() for d in sorted(query.unjudged)]
    found = shortest_to_pass(queries, goal)
    for chosen in combinations(pairs, len(found) - 1):
        for values in product((0.0, 3.0), repeat=len(chosen)):
            given_ = list(zip(chosen, values, strict=True))
            tried = {q: query.graded({d: v for (p, d), v in given_ if p == q}) for q, query in queries.items()}
            assert mean_of(tried, goal.lowest) < goal.threshold


def test_a_gate_that_nothing_can_pass_has_no_list():
    queries = {"q": only(("b",), {"a": 3.0}, "u")}
    assert shortest_to_pass(queries, HIT) is None
    assert shortest_to_fail(queries, HIT) == ()


def test_an_item_that_may_not_be_shown_moves_no_gate_but_counts_as_unjudged():
    corpus = build_corpus(classes={"x07": "unsafe"})
    partition = build_partition(corpus, {**rows_without(("q-topic-1", "x07")), **_audits(corpus)})
    found = cover(
        {"bm25": system(topic_1=("a-topic-1", "x01", "x07"))},
        Collection(partition.topics, partition.qrels, corpus.serving),
    )
    assert found.unjudged == 1
    assert [gate.verdict for gate in found.systems[0].gates] == [Verdict.PASS] * 8
    assert {one.group: one.lowest == one.highest for one in found.systems[0].ndcg}["topic"]


def _audits(corpus) -> dict:
    return {"no_match_audits.jsonl": default_rows(corpus.digest)["no_match_audits.jsonl"]}
