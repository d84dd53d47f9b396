"""`measure`: the vectors, and what its report says of every case."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runner.documents import Source
from runner.errors import BadInput
from runner.workflows.measure import measure
from runner.workflows.measure import report as report_of

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "ndcg.json").read_text())
ACCEPTED = [vector for vector in VECTORS if vector["ndcg"] != "refused"]
REFUSED = [vector for vector in VECTORS if vector["ndcg"] == "refused"]


def source(name, rows) -> Source:
    return Source(name, b"".join(json.dumps(row).encode() + b"\n" for row in rows))


def judgements(qrels) -> Source:
    return source(
        "judgements.jsonl",
        [{"query_id": q, "doc_id": d, "grade": grade} for q, grades in qrels.items() for d, grade in grades.items()],
    )


def run(lists) -> Source:
    return source("run.jsonl", [{"query_id": q, "doc_ids": found} for q, found in lists.items()])


def report(*arguments) -> dict:
    return json.loads(report_of(measure(*arguments)).canonical())


@pytest.mark.parametrize("vector", ACCEPTED, ids=[vector["name"] for vector in ACCEPTED])
def test_vectors(vector):
    found = report(judgements(vector["judgements"]), run(vector["run"]))["per_query"]
    assert {query_id: row["nDCG@10"] for query_id, row in found.items()} == {
        query_id: value if value is None else pytest.approx(value, abs=1e-15)
        for query_id, value in vector["ndcg"].items()
    }


@pytest.mark.parametrize("vector", REFUSED, ids=[vector["name"] for vector in REFUSED])
def test_vectors_that_must_be_refused(vector):
    with pytest.raises(BadInput, match=r"^(judgements|run)\.jsonl:1: "):
        measure(judgements(vector["judgements"]), run(vector["run"]))


def test_grades_of_a_partition_are_grades_too():
    vector = VECTORS[0]
    plain = judgements(vector["judgements"])
    rows = [json.loads(line) | {"safety": "safe", "rule": "mean"} for line in plain.data.splitlines()]
    lists = run(vector["run"])
    assert report(source("qrels.jsonl", rows), lists) == report(plain, lists)


def test_dcg_and_its_ideal_stand_beside_the_ratio():
    vector = VECTORS[0]
    row = report(judgements(vector["judgements"]), run(vector["run"]))["per_query"]["q1"]
    assert row["DCG@10"] == pytest.approx(13.848263629272981, abs=1e-14)
    assert row["IDCG@10"] == pytest.approx(18.771051265581406, abs=1e-14)


def test_everything_about_one_query_by_hand():
    grades = {"q": {"a": 3, "b": 2, "c": 1.5, "d": 0}}
    row = report(judgements(grades), run({"q": ["d", "c", "b", "u"]}))["per_query"]["q"]
    # By hand, with 1.8284271 as the gain of 1.5 and 1.5849625 as log2(3): shown 1.1536091 and 1.5, at best 7,
    # 1.8927893 and 0.9142136.
    assert row["DCG@10"] == pytest.approx(2.6536091, abs=1e-6)
    assert row["IDCG@10"] == pytest.approx(9.8070029, abs=1e-6)
    assert row["RR@10"] == 1 / 3
    assert (row["Hit@1"], row["Hit@5"], row["Hit@10"], row["Recall@10"]) == (0.0, 1.0, 1.0, 0.5)
    assert row["judged@10"] == 0.75
    assert row["CorrectEmpty"] is None
    assert row["requests"] == 1


def test_a_query_on_several_lines_is_the_mean_of_its_requests():
    lines = [
        {"query_id": "q", "doc_ids": ["a"]},
        {"query_id": "q", "doc_ids": []},
        {"query_id": "q", "outcome": "error"},
    ]
    row = report(judgements({"q": {"a": 3}}), source("run.jsonl", lines))["per_query"]["q"]
    assert row["nDCG@10"] == row["Hit@10"] == row["RR@10"] == 1 / 3
    assert (row["requests"], row["errors"]) == (3, 1)


def test_an_error_is_no_correct_empty():
    lines = [{"query_id": "q", "doc_ids": []}, {"query_id": "q", "outcome": "error"}]
    row = report(judgements({"q": {"a": 0}}), source("run.jsonl", lines))["per_query"]["q"]
    assert row["CorrectEmpty"] == 0.5
    assert row["nDCG@10"] is None
    assert row["Hit@10"] is None


def test_the_summary_divides_by_the_queries_a_measure_applies_to():
    vector = VECTORS[1]
    summary = report(judgements(vector["judgements"]), run(vector["run"]))["summary"]
    assert summary["nDCG@10"] == pytest.approx(0.7098097413968655 / 3, abs=1e-15)
    assert summary["CorrectEmpty"] == 0.0
    assert summary["never_requested"] == ["q2", "q4"]
    assert summary["not_judged"] == ["q9"]
    assert summary["queries"] == 4


def test_targets_give_exact_reciprocal_rank():
    targets = source("targets.jsonl", [{"query_id": "q", "groups": [["b", "c"]], "adjudicated_by": "human:judge"}])
    found = report(judgements({"q": {"a": 3, "b": 0}, "r": {"a": 3}}), run({"q": ["a", "c", "b"]}), targets)
    assert found["per_query"]["q"]["ExactRR@10"] == 0.5
    assert found["per_query"]["r"]["ExactRR@10"] is None
    assert found["summary"]["ExactRR@10"] == 0.5


def test_floats_are_written_in_full():
    text = report_of(measure(judgements({"q": {"a": 3}}), run({"q": ["u", "a"]}))).canonical().decode()
    assert '"nDCG@10":0.6309297535714575' in text


BAD = {
    "byte order mark": (b"\xef\xbb\xbf{}\n", "run.jsonl:1: starts with a byte order mark"),
    "not JSON": (b'{"query_id":\n', "run.jsonl:1: not JSON"),
    "second line blank": (b'{"query_id":"q","doc_ids":[]}\n\n', "run.jsonl:2: not JSON"),
    "unknown key": (b'{"query_id":"q","doc_ids":[],"score":1}\n', "run.jsonl:1: score: "),
    "neither list nor outcome": (b'{"query_id":"q"}\n', "give doc_ids or outcome"),
    "both": (b'{"query_id":"q","doc_ids":[],"outcome":"error"}\n', "give doc_ids or outcome"),
    "unknown outcome": (b'{"query_id":"q","outcome":"slow"}\n', "run.jsonl:1: outcome: "),
    "an id that is a number": (b'{"query_id":"q","doc_ids":[1]}\n', "run.jsonl:1: doc_ids.0: "),
    "a key twice": (b'{"query_id":"q","query_id":"r","doc_ids":[]}\n', "key 'query_id' stands twice"),
}


@pytest.mark.parametrize(("data", "message"), BAD.values(), ids=BAD.keys())
def test_a_bad_run_file_is_named_with_line_and_reason(data, message):
    with pytest.raises(BadInput) as caught:
        measure(judgements({"q": {"a": 3}}), Source("run.jsonl", data))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("grade", ["NaN", "1.25", "-1", "3.5", '"3"', "null", "true"])
def test_a_grade_that_is_none_is_refused(grade):
    line = f'{{"query_id":"q","doc_id":"a","grade":{grade}}}\n'.encode()
    with pytest.raises(BadInput, match=r"^judgements\.jsonl:1: "):
        measure(Source("judgements.jsonl", line), run({}))


def test_a_pair_graded_twice_is_refused():
    rows = [{"query_id": "q", "doc_id": "a", "grade": grade} for grade in (1, 3)]
    with pytest.raises(BadInput, match=r"judgements\.jsonl:2: q a is graded twice"):
        measure(source("judgements.jsonl", rows), run({}))


def test_no_judgements_at_all_are_refused():
    with pytest.raises(BadInput, match="holds no judgement"):
        measure(Source("judgements.jsonl", b""), run({}))
