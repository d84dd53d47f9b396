"""Acts are read as strictly as `Judgement` reads them, however they are spelt, and written as it writes them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.acts import read_acts
from runner.retrieval.judgements import Judgement
from tests.retrieval.small_benchmark import act

CANONICAL = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False}
SPELLINGS = [{}, CANONICAL, {"separators": (", ", ":")}, {"ensure_ascii": False}]


def source(*rows, **spelling) -> Source:
    return Source("a.jsonl", b"".join(json.dumps(row, **spelling).encode() + b"\n" for row in rows))


@pytest.mark.parametrize("spelling", SPELLINGS, ids=str)
def test_every_spelling_gives_the_same_acts_with_their_lines(spelling):
    rows = [act("q", f"d{n}", n % 4, annotator='human:José "x"', role=("first", "second")[n % 2]) for n in range(9)]
    found = list(read_acts(source(*rows, **spelling)))
    assert [tuple(one[:7]) for one in found] == [tuple(row.values()) for row in rows]
    assert [one.place for one in found] == [f"a.jsonl:{n}" for n in range(1, 10)]


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "query_id": st.sampled_from(["q1", "q-2"]),
                "doc_id": st.sampled_from(["m1", "1e5"]),
                "annotator": st.sampled_from(["human:a", "machine:b\\c", "human:ü\u2028"]),
                "role": st.sampled_from(["first", "second", "third"]),
                "grade": st.integers(0, 3),
                "safety": st.sampled_from(["safe", "critical"]),
                "at": st.text(max_size=12),
            }
        ),
        max_size=12,
    )
)
def test_whatever_is_read_is_written_as_judgements_are(rows):
    data = source(*rows)
    whole = Judgement.parse_lines(data.data, data.where)
    assert [one.canonical() for one in read_acts(data)] == [one.canonical() for one in whole]


GOOD = json.dumps(act("q", "d", 1))
BAD = {
    "grade": ('"grade": 1', '"grade": 4', "grade"),
    "half a grade": ('"grade": 1', '"grade": 1.5', "grade"),
    "a float": ('"grade": 1', '"grade": 1.0', "grade"),
    "a word": ('"grade": 1', '"grade": "1"', "grade"),
    "true": ('"grade": 1', '"grade": true', "grade"),
    "NaN": ('"grade": 1', '"grade": NaN', "NaN is not a number"),
    "leading zero": ('"grade": 1', '"grade": 01', "not JSON"),
    "class": ('"safe"', '"harmless"', "safety"),
    "role": ('"first"', '"fourth"', "role"),
    "annotator": ("human:first", "first", "annotator"),
    "query id": ('"q"', '"Q"', "query_id"),
    "item id": ('"d"', '"d d"', "doc_id"),
    "unknown key": ('"grade"', '"note": "", "grade"', "note"),
    "missing key": ('"grade": 1, ', "", "grade"),
    "twice": ('"grade": 1', '"grade": 1, "grade": 1', "stands twice"),
    "CR LF": ("}", "}\r", "ends in CR LF"),
    "blank": (GOOD, "", "not JSON"),
    "cut": ("}", "", "not JSON"),
}


@pytest.mark.parametrize(("old", "new", "why"), BAD.values(), ids=BAD)
@pytest.mark.parametrize("before", [0, 1, 3])
def test_a_bad_line_is_refused_with_file_and_line(old, new, why, before):
    lines = [GOOD] * before + [GOOD.replace(old, new, 1)]
    with pytest.raises(BadInput, match=rf"^a\.jsonl:{before + 1}: .*{why}"):
        list(read_acts(Source("a.jsonl", "\n".join(lines).encode() + b"\n")))


def test_a_byte_order_mark_and_wrong_utf8_are_refused():
    with pytest.raises(BadInput, match=r"^a\.jsonl:1: starts with a byte order mark"):
        list(read_acts(Source("a.jsonl", b"\xef\xbb\xbf" + GOOD.encode())))
    with pytest.raises(BadInput, match=r"^a\.jsonl:2: byte \d+ is not UTF-8"):
        list(read_acts(Source("a.jsonl", f"{GOOD}\n".encode() + GOOD.encode().replace(b"2026", b"\xff"))))


def test_a_file_without_a_last_newline_loses_nothing():
    assert len(list(read_acts(Source("a.jsonl", f"{GOOD}\n{GOOD}".encode())))) == 2
    assert list(read_acts(Source("a.jsonl", b""))) == []
