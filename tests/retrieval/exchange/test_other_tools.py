"""Files that other tools wrote are read as they meant them, and they read ours as we do."""

from __future__ import annotations

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from ir_measures import RR, Qrel, R, ScoredDoc, Success, nDCG
from ir_measures.util import QrelsConverter, RunConverter

from runner.cli import ROOT
from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.exchange import trec
from runner.workflows.measure import measure, report

GOLDEN = ROOT / "tests/golden/exchange"
GRADES = {"q1": {"a": 3.0, "b": 1.0, "c": 0.0}, "q2": {"d": 2.0, "a": 0.0}}


def golden(name: str) -> Source:
    return Source(name, (GOLDEN / name).read_bytes())


def written(converter) -> Source:
    """The file that ir_measures hands to trec_eval."""
    with converter.as_tmp_file() as file:
        return Source("theirs", file.read().encode())


def test_qrels_of_ranx():
    assert trec.parse_qrels(golden("ranx-qrels.trec")) == (GRADES, ())


def test_a_run_of_ranx_and_its_tie():
    read = trec.parse_run(golden("ranx-run.trec"))
    assert read.value == trec.TrecRun("bm25", {"q1": ("a", "b", "z", "c"), "q2": ("d", "a")})
    assert [remark.ids for remark in read.remarks] == [("q1",)]


def test_qrels_of_ir_measures():
    qrels = [Qrel(q, d, int(grade)) for q, own in GRADES.items() for d, grade in own.items()]
    assert trec.parse_qrels(written(QrelsConverter(qrels))) == (GRADES, ())


def test_a_run_of_ir_measures():
    run = [ScoredDoc("q1", "a", 1.5), ScoredDoc("q2", "d", 12.0), ScoredDoc("q1", "b", 1e-07)]
    assert trec.parse_run(written(RunConverter(run))) == (trec.TrecRun("run", {"q1": ("a", "b"), "q2": ("d",)}), ())


def test_ir_measures_ranks_by_the_order_it_was_given_so_its_file_may_contradict_itself():
    run = [ScoredDoc("q1", "b", 0.5), ScoredDoc("q1", "a", 1.5)]
    with pytest.raises(BadInput, match=r"^theirs:2: q1 a has rank 1, but a higher score than rank 0 \(line 1\)"):
        trec.parse_run(written(RunConverter(run)))


def random_files(seed: int) -> tuple[Source, Source]:
    """Qrels and a run of 300 queries with whole grades, as this project writes them."""
    dice = np.random.Generator(np.random.PCG64(seed))
    docs = [f"d{n:02}" for n in range(30)]
    grades, lists = {}, {}
    for n in range(300):
        judged = [str(d) for d in dice.permutation(docs)[: dice.integers(1, 21)]]
        grades[f"q{n}"] = dict.fromkeys(judged, 3.0) | {d: float(dice.integers(0, 4)) for d in judged[1:]}
        lists[f"q{n}"] = tuple(str(d) for d in dice.permutation(docs)[: dice.integers(1, 11)])
    return (
        Source("qrels.txt", trec.write_qrels("qrels.txt", grades).value),
        Source("my.run", trec.write_run("my.run", trec.TrecRun("t", lists)).value),
    )


def test_pytrec_eval_measures_our_files_as_we_do():
    qrels, run = random_files(seed=7)
    theirs = pytrec_eval.RelevanceEvaluator(
        pytrec_eval.parse_qrel(qrels.data.decode().splitlines()),
        {"recip_rank", "success_1,5,10", "recall_10"},
        relevance_level=2,
    ).evaluate(pytrec_eval.parse_run(run.data.decode().splitlines()))
    ours = report(measure(qrels, run)).model_dump(mode="json")["per_query"]
    names = {"recip_rank": "RR@10", "success_1": "Hit@1", "success_5": "Hit@5", "success_10": "Hit@10"} | {
        "recall_10": "Recall@10"
    }
    for query_id, row in ours.items():
        assert {mine: row[mine] for mine in names.values()} == pytest.approx(
            {mine: theirs[query_id][name] for name, mine in names.items()}
        )


def test_ir_measures_reads_our_files_to_the_same_ndcg():
    qrels, run = random_files(seed=8)
    measures = {nDCG(gains={0: 0, 1: 1, 2: 3, 3: 7}) @ 10: "nDCG@10", RR(rel=2) @ 10: "RR@10"} | {
        Success(rel=2) @ 10: "Hit@10",
        R(rel=2) @ 10: "Recall@10",
    }
    theirs = ir_measures.calc_aggregate(
        measures,
        list(ir_measures.read_trec_qrels(qrels.data.decode())),
        list(ir_measures.read_trec_run(run.data.decode())),
    )
    ours = measure(qrels, run).summary().model_dump(mode="json")
    assert {name: ours[name] for name in measures.values()} == pytest.approx(
        {measures[one]: value for one, value in theirs.items()}
    )


def test_pytrec_eval_ties_just_where_we_say_so():
    """Two items, the relevant one at the second rank: trec_eval's reciprocal rank is 1 where it sees a tie."""
    evaluator = pytrec_eval.RelevanceEvaluator({"q": {"a": 0, "b": 1}}, {"recip_rank"})
    for score in (1.0, 1.000000001, 1.00000003, 1.0000001, 1.1):
        text = f"q Q0 a 1 {score!r} t\nq Q0 b 2 1.0 t\n"
        tied = evaluator.evaluate(pytrec_eval.parse_run(text.splitlines()))["q"]["recip_rank"] == 1.0
        assert bool(trec.parse_run(Source("t.run", text.encode())).remarks) is tied
