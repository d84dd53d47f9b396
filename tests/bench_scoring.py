"""How fast the scoring is, beside other tools in the same run: rows for `nox -s bench`; asserts nothing."""

from __future__ import annotations

import gc
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytrec_eval
import ranx

from runner.documents import Source
from runner.retrieval.bootstrap import resample
from runner.retrieval.evaluation import QueryResult
from runner.retrieval.exchange import trec
from runner.retrieval.gates import FixedGates, Suite, Verdict
from runner.retrieval.measures.names import Measure
from runner.retrieval.paired import pairs
from runner.retrieval.plain_measures import measure_all
from runner.retrieval.rows import score_sample
from runner.retrieval.sample import FamilyTotals, families_of, family_totals
from runner.retrieval.topics import ANSWERABLE, Slice, Topic
from runner.workflows.measure import measure
from tests.bench_rows import Row
from tests.retrieval.small_benchmark import seen

GAINS = (0, 1, 3, 7)
MEASURES = {"ndcg_cut.10", "recip_rank", "success.1,5,10", "recall.10"}
RANX = ["ndcg_burges@10", "mrr@10-l2", "hit_rate@1-l2", "hit_rate@5-l2", "hit_rate@10-l2", "recall@10-l2"]
TIMES = 3


class Task(NamedTuple):
    """Grades and lists of ten for many queries."""

    grades: dict[str, dict[str, int]]
    lists: dict[str, tuple[str, ...]]


def rows() -> Iterator[Row]:
    """Every row; takes a minute or two, most of it in the peers."""
    # First, while nothing else has taken memory.
    yield bootstrap(240, 1.0)
    yield bootstrap(10_000, 15.0)
    yield from in_memory(1_000, 0.010)
    yield from in_memory(100_000, 1)
    yield from from_files(100_000, 2.5)


def in_memory(queries: int, most: float) -> Iterator[Row]:
    """All measures of objects that are there already, in the form in which each tool takes them."""
    task = make(queries)
    requests = {query_id: (shown,) for query_id, shown in task.lists.items()}
    ours = best(lambda: measure_all(task.grades, requests, {}).summary())
    peers = {"pytrec_eval": best(pytrec_eval_of(task)), "ranx": best(ranx_of(task))}
    target, met = f"<= {shown(most)}, faster than both", ours <= most and ours < min(peers.values())
    yield Row(f"all measures, {queries:,} queries x 10, in memory", shown(ours), target, met, beside(ours, peers))


def from_files(queries: int, most: float) -> Iterator[Row]:
    """The same, with the reading of both files."""
    task = make(queries)
    with tempfile.TemporaryDirectory() as folder:
        qrels, run = Path(folder, "qrels"), Path(folder, "run")
        grades = {q: {d: float(g) for d, g in own.items()} for q, own in task.grades.items()}
        qrels.write_bytes(trec.write_qrels("qrels", grades).value)
        run.write_bytes(trec.write_run("run", trec.TrecRun("t", task.lists)).value)
        ours = best(lambda: measure(Source("q", qrels.read_bytes()), Source("r", run.read_bytes())).summary())
        peers = {"pytrec_eval": best(lambda: pytrec_eval_files(qrels, run))}
    target = f"<= {shown(most)}"
    yield Row(f"the same from files, {queries:,} queries", shown(ours), target, ours <= most, beside(ours, peers))


def bootstrap(queries: int, seconds: float) -> Row:
    """10,000 resamples of every family: all measures, gates and paired differences of three systems."""
    totals = [simulated(queries, seed) for seed in (1, 2, 3)]
    fixed = FixedGates(False, dict.fromkeys(Suite, Verdict.PASS))
    once = np.ones((1, totals[0].counts.shape[0]), dtype=np.int64)

    def work() -> None:
        weights = resample(totals[0].members).weights
        samples = {
            str(n): (score_sample(each, once, fixed), score_sample(each, weights, fixed))
            for n, each in enumerate(totals)
        }
        pairs(samples)

    took = best(work, times=TIMES if queries < 1_000 else 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    what = f"family bootstrap, 10,000 resamples, 3 systems, {queries:,} queries x 5"
    met = took <= seconds and peak <= 1
    return Row(what, f"{shown(took)}, process at {peak:.2f} GB", f"<= {seconds:g} s, <= 1 GB", met)


def make(queries: int) -> Task:
    """Ten judged items, half of them shown, and a list of ten for each query."""
    dice = np.random.Generator(np.random.Philox(key=3))
    docs = np.array([f"d{n:02}" for n in range(40)])
    grades, lists = {}, {}
    for n in range(queries):
        mixed = dice.permutation(40)
        judged = dict(zip(docs[mixed[:10]].tolist(), dice.integers(0, 4, 10).tolist(), strict=True))
        grades[f"q{n}"] = {**judged, docs[mixed[0]].item(): 3}
        lists[f"q{n}"] = tuple(docs[mixed[5:15]].tolist())
    return Task(grades, lists)


def scored(task: Task) -> dict[str, dict[str, float]]:
    """Runs as the peers take them."""
    return {q: {d: 10.0 - rank for rank, d in enumerate(found)} for q, found in task.lists.items()}


def pytrec_eval_of(task: Task) -> Callable[[], object]:
    """Its evaluation, with grades mapped to gains."""
    gains = {q: {d: GAINS[g] for d, g in own.items()} for q, own in task.grades.items()}
    run = scored(task)
    return lambda: pytrec_eval.RelevanceEvaluator(gains, MEASURES, relevance_level=3).evaluate(run)


def pytrec_eval_files(qrels: Path, run: Path) -> object:
    """Its evaluation from files; the grades stay as they are, which takes it no longer."""
    with qrels.open() as grades, run.open() as lists:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(grades), MEASURES, relevance_level=2)
        return evaluator.evaluate(pytrec_eval.parse_run(lists))


def ranx_of(task: Task) -> Callable[[], object]:
    """Its evaluation, from dictionaries, compiled before."""
    run = scored(task)
    few = dict(list(task.grades.items())[:10])
    ranx.evaluate(ranx.Qrels(few), ranx.Run({query_id: run[query_id] for query_id in few}), RANX)
    return lambda: ranx.evaluate(ranx.Qrels(task.grades), ranx.Run(run), RANX)


def simulated(queries: int, seed: int) -> FamilyTotals:
    """One system on a partition with D1's proportions, a family a query: the widest matrix there can be."""
    dice = np.random.Generator(np.random.Philox(key=seed))
    slices = (*ANSWERABLE, Slice.NO_MATCH, Slice.NO_MATCH)
    topics = [topic(n, slices[n % 8]) for n in range(queries)]
    results = [result(one, dice) for one in topics]
    requests = [seen(one.query_id, latency_ns=int(ns)) for one in topics for ns in dice.lognormal(15, 1, 5).tolist()]
    return family_totals(results, requests, families_of(topics))


def topic(number: int, slice_: Slice) -> Topic:
    """One query of many."""
    return Topic(
        query_id=f"q{number}",
        text="words",
        slice=slice_,
        family=f"f{number}",
        safety_flag=number % 6 == 0,
        multi_cue_flag=number % 6 == 1,
        template_groups=(),
        provenance="simulated",
    )


def result(one: Topic, dice: np.random.Generator) -> QueryResult:
    """What a system that does middling well comes to."""
    means: dict[Measure, float] = {Measure.SAFE: 1.0}
    if one.slice.answerable:
        quality = (Measure.NDCG, Measure.HIT_1, Measure.HIT_5, Measure.HIT_10, Measure.RECALL, Measure.RR)
        means |= dict(zip(quality, dice.random(6).tolist(), strict=True))
    else:
        means[Measure.CORRECT_EMPTY] = float(dice.integers(0, 2))
    if one.slice.exact:
        means[Measure.EXACT_RR] = dice.random()
    return QueryResult(one, 5, 0, 0, means, 1.0, 2.0, 10, 10, 1)


def best(work: Callable[[], object], times: int = TIMES) -> float:
    """Seconds of the fastest of several, with the collector of cycles at rest, as in `measure`."""
    found = []
    gc.collect()
    gc.disable()
    for _ in range(times):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    gc.enable()
    return min(found)


def shown(seconds: float) -> str:
    """Seconds for people."""
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def beside(ours: float, peers: Mapping[str, float]) -> str:
    """The peers, and how many times as long they took."""
    return ", ".join(f"{name} {shown(took)} = {took / ours:.1f} x" for name, took in peers.items())
