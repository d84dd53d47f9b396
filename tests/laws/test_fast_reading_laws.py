"""A file read all at once comes to what it comes to line by line, whatever is in it."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval import plain_judgements
from runner.retrieval.exchange import trec

WORDS = st.sampled_from(
    ["q1", "q2", "d1", "d2", "Q0", "0", "1", "2", "3", "7", "1.5", "-2e3", "nan", "1_0", "é", '"', "\\", ""]
)
GAPS = st.sampled_from([" ", "\t", "  "])
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n", ""])
QRELS = st.tuples(st.sampled_from(["q1", "q2"]), st.just("0"), WORDS, st.sampled_from("0123"))
RUNS = st.builds(
    lambda query, doc, rank, score, tag: (query, "Q0", doc, rank, score, tag),
    st.sampled_from(["q1", "q2"]),
    WORDS,
    st.integers(-1, 9).map(str),
    st.integers(0, 9).map(str) | WORDS,
    st.sampled_from(["t", "t", "t", "u"]),
)


@st.composite
def files(draw, rows):
    lines = draw(st.lists(rows, max_size=6))
    if draw(st.booleans()):
        lines.sort()
    return "".join(draw(GAPS).join(line) + draw(ENDS) for line in lines).encode()


def outcome(parse, data):
    try:
        return parse(Source("f", data))
    except BadInput as error:
        return str(error)


def both(module, quick, parse, data):
    with patch.object(module, quick, lambda _: None):
        slow = outcome(parse, data)
    assert outcome(parse, data) == slow


@given(files(QRELS))
def test_qrels(data):
    both(trec, "_plain_qrels", trec.parse_qrels, data)


@given(files(RUNS))
def test_runs(data):
    both(trec, "_plain_run", trec.parse_run, data)


@given(st.integers(1, 4), st.integers(1, 6), st.sampled_from([" ", "\t"]))
def test_a_clean_run_is_read_at_once(queries, items, gap):
    lines = [(f"q{q}", "Q0", f"d{d}", str(d), str(9 - d), "t") for q in range(queries) for d in range(items)]
    data = "".join(gap.join(line) + "\n" for line in lines).encode()
    assert trec._plain_run(data) == trec.TrecRun(
        "t", {f"q{q}": tuple(f"d{d}" for d in range(items)) for q in range(queries)}
    )
    both(trec, "_plain_run", trec.parse_run, data)


IDS = st.sampled_from(['"q1"', '"q2"', '"d1"', '"é"', '"a, b"', '"a\\u0062"', '""', "1", "null"])
GRADES = st.sampled_from(["0", "1", "2.5", "3", "3.0", "3.5", "4", "-1", "NaN", "2.50", "true", '"2"'])
LISTS = st.lists(IDS, max_size=3).map(lambda ids: f"[{','.join(ids)}]")


def objects(*keys):
    """JSON objects with these keys and values, in any order, now and then with one more or less."""
    pairs = st.tuples(*(st.tuples(st.just(key), values) for key, values in keys)).map(list)
    orders = pairs.flatmap(st.permutations) | pairs.map(sorted) | pairs.map(lambda found: found[1:] + found[:2])
    spelled = st.sampled_from([",", ", "]).flatmap(
        lambda comma: orders.map(lambda found: "{" + comma.join(f'"{key}": {value}' for key, value in found) + "}")
    )
    lines = st.lists(spelled | spelled.map(lambda line: line.replace(": ", ":")), max_size=4)
    return st.tuples(lines, ENDS).map(lambda found: ("\n".join(found[0]) + found[1]).encode())


@given(objects(("query_id", IDS), ("doc_id", IDS), ("grade", GRADES)))
def test_grades(data):
    both(plain_judgements, "_plain_grades", plain_judgements.parse_grades, data)


@given(objects(("query_id", IDS), ("doc_ids", LISTS)))
def test_requests(data):
    both(plain_judgements, "_plain_requests", plain_judgements.parse_requests, data)


def test_clean_lines_are_read_at_once():
    lines = b'{"doc_id":"d","grade":2.5,"query_id":"q"}\n{"query_id": "q", "doc_id": "e", "grade": 0}\n'
    assert plain_judgements._plain_grades(lines) == {"q": {"d": 2.5, "e": 0.0}}
    lines = b'{"doc_ids":["d","e"],"query_id":"q"}\n{"query_id": "q", "doc_ids": []}\n'
    assert plain_judgements._plain_requests(lines) == {"q": [("d", "e"), ()]}
