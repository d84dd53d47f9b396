"""The same runs through ir_measures, which reads TREC-style runs and sorts by score."""

from __future__ import annotations

import ir_measures
import numpy as np
import pytest
from ir_measures import RR, Judged, Qrel, R, ScoredDoc, Success, nDCG

from runner.documents import Source, canonical_bytes
from runner.workflows.measure import measure

DOCS = [f"d{n:02}" for n in range(30)]
PEER = {
    nDCG(gains={0: 0, 1: 1, 2: 3, 3: 7}) @ 10: "nDCG@10",
    RR(rel=2) @ 10: "RR@10",
    Success(rel=2) @ 1: "Hit@1",
    Success(rel=2) @ 5: "Hit@5",
    Success(rel=2) @ 10: "Hit@10",
    R(rel=2) @ 10: "Recall@10",
    Judged @ 10: "judged@10",
}


def random_run(seed: int, queries: int):
    """Judgements with whole grades, at least one of them relevant, and a list of 1 to 15 items for each query."""
    dice = np.random.Generator(np.random.PCG64(seed))
    grades, lists = {}, {}
    for n in range(queries):
        judged = dice.permutation(DOCS)[: dice.integers(1, 21)]
        grades[f"q{n}"] = {str(d): int(g) for d, g in zip(judged, dice.integers(0, 4, len(judged)), strict=True)}
        grades[f"q{n}"][str(judged[0])] = int(dice.integers(2, 4))
        lists[f"q{n}"] = [str(d) for d in dice.permutation(DOCS)[: dice.integers(1, 16)]]
    return grades, lists


def ours(grades, lists):
    rows = [{"query_id": q, "doc_id": d, "grade": g} for q, found in grades.items() for d, g in found.items()]
    run = [{"query_id": q, "doc_ids": found} for q, found in lists.items()]
    sources = [
        Source(name, b"".join(canonical_bytes(row) + b"\n" for row in each))
        for name, each in (("judgements", rows), ("run", run))
    ]
    report = measure(*sources).model_dump(mode="json")["per_query"]
    return {(q, name): row[name] for q, row in report.items() for name in PEER.values()}


def theirs(grades, lists):
    qrels = [Qrel(q, d, g) for q, found in grades.items() for d, g in found.items()]
    run = [ScoredDoc(q, d, 100.0 - rank) for q, found in lists.items() for rank, d in enumerate(found)]
    return {(metric.query_id, PEER[metric.measure]): metric.value for metric in ir_measures.iter_calc(PEER, qrels, run)}


def test_two_thousand_random_queries_agree():
    grades, lists = random_run(seed=1, queries=2000)
    assert ours(grades, lists) == pytest.approx(theirs(grades, lists), abs=1e-12)


def test_they_sort_ties_by_id_and_we_keep_the_order_shown():
    qrels = [Qrel("q", "b", 1), Qrel("q", "a", 0), Qrel("q", "c", 0)]
    tied = [ScoredDoc("q", d, 1.0) for d in ("b", "a", "c")]
    (metric,) = ir_measures.iter_calc([nDCG(gains={0: 0, 1: 1}) @ 10], qrels, tied)
    assert metric.value == pytest.approx(0.6309297535714575)
    assert ours({"q": {"b": 1, "a": 0, "c": 0}}, {"q": ["b", "a", "c"]})["q", "nDCG@10"] == 1.0


def test_they_read_a_grade_outside_the_table_as_it_comes_and_we_refuse_it():
    qrels = [Qrel("q", "a", 4), Qrel("q", "b", 3)]
    run = [ScoredDoc("q", "b", 2.0), ScoredDoc("q", "a", 1.0)]
    (metric,) = ir_measures.iter_calc([nDCG(gains={0: 0, 1: 1, 2: 3, 3: 7}) @ 10], qrels, run)
    assert metric.value == pytest.approx(1.0)
