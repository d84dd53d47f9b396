"""The pool: every list of every system to its tenth item, each pair once, and nothing that tells who proposed it."""

from __future__ import annotations

import json

import pytest

from runner.documents import Source, to_lines
from runner.errors import BadInput
from runner.retrieval.lists import Known, read_observations, read_run, read_trec_run, seen_by_query
from runner.retrieval.pooling import make_pool, pairs_of, read_pairs
from runner.retrieval.runs import Violation
from tests.retrieval.small_benchmark import failed, lines, seen

ITEMS = [f"d{n:02}" for n in range(1, 16)]
KNOWN = Known(frozenset({"q1", "q2"}), frozenset(ITEMS))


def source(text: str, where: str = "run.trec") -> Source:
    return Source(where, text.encode())


def pooled(found) -> list[tuple[str, str]]:
    return [(pair.query_id, pair.doc_id) for pair in found]


def test_the_top_ten_of_every_list_of_every_system_is_in_once():
    long = seen_by_query([("q1", tuple(ITEMS)), ("q1", ("d12",))])
    short = seen_by_query([("q1", ("d02", "d13")), ("q2", ("d02",)), ("q2", None)])
    found = make_pool({"b": short, "a": long}, {}, ())
    wanted = [("q1", doc_id) for doc_id in [*ITEMS[:10], "d12", "d13"]]
    assert pooled(found) == [*wanted, ("q2", "d02")]


def test_pairs_by_hand_join_and_judged_pairs_stay_out():
    found = make_pool({}, {"gold": [("q1", "d02"), ("q1", "d01")], "negatives": [("q1", "d02")]}, {("q1", "d01")})
    assert [(pair.doc_id, [s.name for s in pair.sources]) for pair in found] == [("d02", ["gold", "negatives"])]


def test_annotators_see_ids_alone_and_the_sources_stand_apart_with_the_best_rank():
    system = seen_by_query([("q1", ("d01", "d02")), ("q1", ("d02", "d01"))])
    found = make_pool({"bm25": system}, {"gold": [("q1", "d02")]}, ())
    assert to_lines(pairs_of(found)) == (b'{"doc_id":"d01","query_id":"q1"}\n{"doc_id":"d02","query_id":"q1"}\n')
    assert json.loads(found[1].canonical())["sources"] == [
        {"name": "bm25", "rank": 1},
        {"name": "gold", "rank": None},
    ]


def test_the_order_in_which_systems_are_named_changes_nothing():
    a, b = seen_by_query([("q1", ("d03",))]), seen_by_query([("q1", ("d01", "d03"))])
    assert make_pool({"a": a, "b": b}, {}, ()) == make_pool({"b": b, "a": a}, {}, ())


def test_a_result_shows_what_was_drawn_in_requests_that_count():
    rows = [
        seen("q1", "d01", system="bm25"),
        seen("q1", "d02", "d03", system="bm25"),
        failed("q1", system="bm25", drawn=("zz",)),
        seen("q1", "d05", system="bm25", violations=(Violation.DRAWN_DIFFERS,)),
        seen("q2", "d04", system="dense"),
    ]
    found = read_observations(Source("observations.jsonl", to_lines(rows)), KNOWN)
    assert found["bm25"]["q1"].lists == {("d01",): 1, ("d02", "d03"): 1}
    assert found["bm25"]["q1"].requests == 4
    assert set(found["dense"]) == {"q2"}


def test_an_unknown_id_is_refused_where_it_stands():
    with pytest.raises(BadInput, match=r"^observations\.jsonl:2: x is no item"):
        read_observations(Source("observations.jsonl", to_lines([seen("q1", "d01"), seen("q1", "x")])), KNOWN)
    with pytest.raises(BadInput, match=r"^run\.jsonl:1: q9 is no query"):
        read_run(Source("run.jsonl", lines([{"query_id": "q9", "doc_ids": []}])), KNOWN)
    with pytest.raises(BadInput, match=r"^pairs\.jsonl:1: q9 is no query"):
        read_pairs(Source("pairs.jsonl", lines([{"query_id": "q9", "doc_id": "d01"}])), KNOWN)


def test_a_pair_by_hand_stands_once():
    row = {"query_id": "q1", "doc_id": "d01"}
    with pytest.raises(BadInput, match=r"^pairs\.jsonl:2: q1 d01 stands in line 1 too"):
        read_pairs(Source("pairs.jsonl", lines([row, row])), KNOWN)


def test_a_run_of_measure_counts_failed_requests_too():
    rows = [{"query_id": "q1", "doc_ids": ["d02", "d01"]}, {"query_id": "q1", "outcome": "error"}]
    found = read_run(Source("run.jsonl", lines(rows)), KNOWN).value["q1"]
    assert (dict(found.lists), found.requests) == ({("d02", "d01"): 1}, 2)


def test_a_trec_run_has_one_list_a_query_in_the_order_of_its_ranks():
    run = source("q1 Q0 d02 1 2.5 t\nq1 Q0 d03 2 0.5 t\nq2 Q0 d04 1 -1 t\nq1 Q0 d01 3 0.5 t\n")
    found = read_trec_run(run, KNOWN).value
    assert dict(found["q1"].lists) == {("d02", "d03", "d01"): 1}
    assert dict(found["q2"].lists) == {("d04",): 1}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("q1 Q0 d01 1 NaN t\n", "run.trec:1: score NaN is no number"),
        ("q1 Q0 d01 1 1 t\nq1 Q0 d01 2 0 t\n", "run.trec:2: q1 d01 stands twice"),
        ("q1 Q0 d01 1 1 t\nq1 Q0 zz 2 0 t\n", "run.trec:2: zz is no known item"),
        ("q9 Q0 d01 1 1 t\n", "run.trec:1: q9 is no known query"),
    ],
)
def test_a_bad_line_of_a_trec_run_is_refused(text, why):
    with pytest.raises(BadInput) as refused:
        read_trec_run(source(text), KNOWN)
    assert str(refused.value).startswith(why)
