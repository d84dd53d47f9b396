"""TREC qrels and runs: what is read, what is refused, what is only remarked on."""

from __future__ import annotations

import time

import pytest

from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.exchange.lines import Ids
from runner.retrieval.exchange.trec import TrecRun, parse_qrels, parse_run, write_qrels, write_run

IDS = Ids({"q1", "q2"}, {"a", "b", "c"})


def qrels(text: str) -> Source:
    return Source("qrels.txt", text.encode())


def run(text: str) -> Source:
    return Source("my.run", text.encode())


def said(read) -> list[str]:
    return [str(remark) for remark in read.remarks]


def test_qrels_are_four_columns_with_any_blanks_between():
    read = parse_qrels(qrels("q1 0 a 3\nq1\tQ0\tb  0\nq2 0 a 2\n"))
    assert read.value == {"q1": {"a": 3.0, "b": 0.0}, "q2": {"a": 2.0}}
    assert said(read) == []


def test_a_last_line_may_lack_its_end():
    assert parse_qrels(qrels("q1 0 a 3")).value == {"q1": {"a": 3.0}}


def test_crlf_is_only_remarked_on():
    read = parse_qrels(qrels("q1 0 a 3\nq1 0 b 1\r\nq1 0 c 1\r\n"))
    assert read.value == {"q1": {"a": 3.0, "b": 1.0, "c": 1.0}}
    assert said(read) == ["qrels.txt: warning: 2 lines end in CRLF, the first is 2"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xef\xbb\xbfq1 0 a 3\n", "qrels.txt:1: starts with a byte order mark."),
        (b"q1 0 a 3\nq1 0 \xff 3\n", "qrels.txt:2: is not UTF-8."),
        (b"q1 0 a 3\nq1 0 b\x1b[2J 3\n", "qrels.txt:2: holds control character 0x1b."),
        (b"q1 0 a 3\rq1 0 b 3\r", "qrels.txt:1: holds control character 0x0d."),
        (b"q1 0 a 3\nq1 a 3\n", "qrels.txt:2: has 3 columns, not the columns query, 0, item, grade."),
        (b"q1 0 a 3\n\nq1 0 b 3\n", "qrels.txt:2: has 0 columns"),
        (b"q1 0 a 3 x\n", "qrels.txt:1: has 5 columns"),
        (b"q1 0 a 3\nq2 0 a 1\nq1 0 a 3\n", "qrels.txt:3: q1 a is graded twice."),
        (b"q1 0 a 4\n", "qrels.txt:1: 4 is no grade."),
        (b"q1 0 a -1\n", "qrels.txt:1: -1 is no grade."),
        (b"q1 0 a 2.5\n", "qrels.txt:1: 2.5 is no grade. Grades are 0, 1, 2 and 3; half ones stand only in JSON"),
        (b"q1 0 a 2.0\n", "qrels.txt:1: 2.0 is no grade."),
        (b"q1 0 a nan\n", "qrels.txt:1: nan is no grade."),
        ("q1 0 a ٣\n".encode(), "qrels.txt:1: ٣ is no grade."),
        (b"q3 0 a 3\n", "qrels.txt:1: q3 is no known query."),
        (b"q1 0 z 3\n", "qrels.txt:1: z is no known item."),
        (b"", "qrels.txt: holds no judgement."),
    ],
)
def test_qrels_that_are_none_are_refused_with_file_line_and_advice(data, why):
    with pytest.raises(BadInput) as refused:
        parse_qrels(Source("qrels.txt", data), IDS)
    assert str(refused.value).startswith(why)
    assert refused.value.advice
    assert "\n" not in str(refused.value)


def test_half_grades_are_written_down_and_named():
    written = write_qrels("qrels.txt", {"q1": {"a": 2.5, "b": 3.0}, "q2": {"c": 0.5}})
    assert written.value == b"q1 0 a 2\nq1 0 b 3\nq2 0 c 0\n"
    assert [remark.ids for remark in written.remarks] == [("q1 a 2.5", "q2 c 0.5")]
    assert said(written)[0].startswith("qrels.txt: lost: 2 half grades became the whole one below")


def test_a_half_grade_keeps_its_side_of_relevance():
    """D3: relevant means 2 or better, so Hit, RR and Recall must not move."""
    halves = {f"d{n}": n / 2 for n in range(7)}
    back = parse_qrels(Source("qrels.txt", write_qrels("qrels.txt", {"q": halves}).value)).value["q"]
    assert {d for d, grade in back.items() if grade >= 2} == {d for d, grade in halves.items() if grade >= 2}


@pytest.mark.parametrize("name", ["two words", "", " a", "a\u00a0b", "a\n", "a\x1b"])
def test_a_name_with_blanks_is_not_written(name):
    with pytest.raises(BadInput, match="is no name for a file of columns"):
        write_qrels("qrels.txt", {"q1": {name: 1.0}})
    with pytest.raises(BadInput, match="is no name for a file of columns"):
        write_run("my.run", TrecRun("tag", {name: ("a",)}))
    with pytest.raises(BadInput, match="is no name for a file of columns"):
        write_run("my.run", TrecRun(name, {"q1": ("a",)}))


def test_a_run_is_in_the_order_of_its_ranks_wherever_its_lines_stand():
    read = parse_run(run("q1 Q0 c 3 -1e-3 t\nq2 Q0 a 0 7 t\nq1 Q0 b 1 .5 t\nq1 Q0 a 2 0.25 t\n"))
    assert read.value == TrecRun("t", {"q1": ("b", "a", "c"), "q2": ("a",)})
    assert said(read) == []


def test_equal_scores_keep_their_ranks_and_it_is_said_where_trec_eval_would_not():
    read = parse_run(run("q1 Q0 b 1 1 t\nq1 Q0 a 2 1 t\nq2 Q0 a 1 1 t\nq2 Q0 b 2 1 t\n"))
    assert read.value.lists == {"q1": ("b", "a"), "q2": ("a", "b")}
    assert [remark.ids for remark in read.remarks] == [("q2",)]
    assert "1 query has tied scores, which trec_eval would order by id" in said(read)[0]


def test_scores_that_are_equal_in_single_precision_are_ties_to_trec_eval():
    assert parse_run(run("q1 Q0 a 1 1.000000001 t\nq1 Q0 b 2 1 t\n")).remarks
    assert not parse_run(run("q1 Q0 a 1 1.0000001 t\nq1 Q0 b 2 1 t\n")).remarks
    assert parse_run(run("q1 Q0 a 1 1e300 t\nq1 Q0 b 2 1e299 t\n")).remarks == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("\ufeffq1 Q0 a 1 1 t\n", "my.run:1: starts with a byte order mark."),
        ("q1 Q0 a 1 1\n", "my.run:1: has 5 columns, not the columns query, Q0, item, rank, score, tag."),
        ("q1 Q0 a 1 1 t t\n", "my.run:1: has 7 columns"),
        ("q1 Q0 a 1 1 t\n \n", "my.run:2: has 0 columns"),
        ("q1 Q0 a 1 nan t\n", "my.run:1: score nan is no number."),
        ("q1 Q0 a 1 -Infinity t\n", "my.run:1: score -Infinity is no number."),
        ("q1 Q0 a 1 1e999 t\n", "my.run:1: score 1e999 is no number."),
        ("q1 Q0 a 1 1_0 t\n", "my.run:1: score 1_0 is no number."),
        ("q1 Q0 a 1 0x1 t\n", "my.run:1: score 0x1 is no number."),
        ("q1 Q0 a 1 １ t\n", "my.run:1: score １ is no number."),
        ("q1 Q0 a first 1 t\n", "my.run:1: rank first is no whole number."),
        ("q1 Q0 a -1 1 t\n", "my.run:1: rank -1 is no whole number."),
        ("q1 Q0 a 1 2 t\nq1 Q0 b 1 1 t\n", "my.run:2: q1 has rank 1 twice (line 1 too)."),
        ("q1 Q0 a 1 2 t\nq2 Q0 a 1 1 t\nq1 Q0 a 2 1 t\n", "my.run:3: q1 a stands twice."),
        ("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 u\n", "my.run:2: is of run u, the lines before of t."),
        (
            "q1 Q0 a 2 2 t\nq1 Q0 b 1 1 t\n",
            "my.run:1: q1 a has rank 2, but a higher score than rank 1 (line 2). trec_eval goes by the score",
        ),
        ("q9 Q0 a 1 2 t\n", "my.run:1: q9 is no known query."),
        ("q1 Q0 a 1 2 t\nq1 Q0 z 2 1 t\n", "my.run:2: z is no known item."),
        ("", "my.run: holds no result."),
    ],
)
def test_a_run_that_is_none_is_refused_with_file_line_and_advice(text, why):
    with pytest.raises(BadInput) as refused:
        parse_run(run(text), IDS)
    assert str(refused.value).startswith(why)
    assert refused.value.advice
    assert "\n" not in str(refused.value)


def test_a_run_is_written_with_ranks_that_rise_and_scores_that_fall():
    written = write_run("my.run", TrecRun("bm25", {"q1": ("b", "a"), "q2": (), "q3": ("c",)}))
    assert written.value == b"q1 Q0 b 1 2 bm25\nq1 Q0 a 2 1 bm25\nq3 Q0 c 1 1 bm25\n"
    assert said(written) == ["my.run: lost: 1 query with an empty list, which a run has no line for: q2"]


def test_a_million_lines_are_read_in_a_few_seconds():
    text = "".join(f"q{q} Q0 d{rank} {rank} {20 - rank} t\n" for q in range(100_000) for rank in range(10))
    before = time.process_time()
    found = parse_run(run(text)).value.lists
    assert time.process_time() - before < 10
    assert len(found) == 100_000
