"""BEIR folders: queries, documents and grades."""

from __future__ import annotations

import json

import pytest

from runner.documents import Source, to_lines
from runner.errors import BadInput
from runner.retrieval.exchange import beir
from runner.retrieval.exchange.lines import Ids
from tests.retrieval.small_benchmark import build_corpus, build_partition, default_items, item

CORPUS = build_corpus(
    [
        *default_items(),
        item(
            "full",
            entities=["John Cena"],
            tags=["wrestling"],
            ocr_text="you can't see me",
            visual="a hand",
            meaning="unseen",
        ),
    ]
)
PARTITION = build_partition(CORPUS)


def queries(*rows) -> Source:
    return Source("queries.jsonl", b"".join(json.dumps(row).encode() + b"\n" for row in rows))


def qrels(text: str) -> Source:
    return Source("qrels/test.tsv", text.encode())


def test_topics_come_back_whole():
    read = beir.parse_queries(Source("queries.jsonl", beir.write_queries(PARTITION.topics)))
    assert read.value.whole == PARTITION.topics
    assert read.remarks == ()


def test_items_come_back_whole():
    read = beir.parse_documents(Source("corpus.jsonl", beir.write_documents(CORPUS.items.values())))
    assert read.value.whole == tuple(CORPUS.items.values())
    assert read.remarks == ()


def test_a_line_has_the_keys_of_beir_and_the_words_to_index():
    line = json.loads(beir.write_documents([CORPUS.items["full"]]))
    assert set(line) == {"_id", "title", "text", "metadata"}
    assert line["text"] == "John Cena\nwrestling\nyou can't see me\na hand\nunseen"
    assert line["metadata"]["rights"]["status"] == "cleared"


def test_queries_of_another_benchmark_keep_id_and_words():
    read = beir.parse_queries(
        queries({"_id": "PLAIN-2", "text": "statins"}, {"_id": "3", "text": "salt", "metadata": {}})
    )
    assert read.value.whole == ()
    assert [(one.query_id, one.text) for one in read.value.plain] == [("PLAIN-2", "statins"), ("3", "salt")]
    assert read.remarks == ()


def test_what_another_benchmark_knows_more_is_named():
    rows = [{"_id": "1", "text": "a", "metadata": {"url": "x"}}, {"_id": "2", "text": "b", "lang": "en"}]
    said = [str(remark) for remark in beir.parse_queries(queries(*rows)).remarks]
    assert said[0] == "queries.jsonl: lost: keys that are not BEIR's: lang"
    assert said[1].startswith("queries.jsonl: lost: metadata, as it is not that of this benchmark (queries.jsonl:1: ")


def test_a_document_whose_words_were_changed_by_hand_is_no_whole_item():
    line = json.loads(beir.write_documents([CORPUS.items["full"]])) | {"text": "other words"}
    read = beir.parse_documents(Source("corpus.jsonl", json.dumps(line).encode()))
    assert read.value.whole == ()
    assert read.value.plain[0].text == "other words"
    assert "text: is not made of the fields in metadata" in str(read.remarks[0])


def test_documents_may_lack_a_title():
    read = beir.parse_documents(Source("corpus.jsonl", b'{"_id":"MED-10","text":"statins"}\n'))
    assert to_lines(read.value.plain) == b'{"doc_id":"MED-10","text":"statins","title":""}\n'


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'\xef\xbb\xbf{"_id":"1","text":"a"}\n', "queries.jsonl:1: starts with a byte order mark."),
        (b'{"_id":"1","text":"a"}\n{"_id":"1","text":"b"}\n', "queries.jsonl:2: 1 stands twice."),
        (b'{"_id":1,"text":"a"}\n', "queries.jsonl:1: _id: "),
        (b'{"text":"a"}\n', "queries.jsonl:1: _id: "),
        (b'{"_id":"1","text":" "}\n', "queries.jsonl:1: 1 has no text."),
        (b'{"_id":"1","text":"","title":"t"}\n', "queries.jsonl:1: 1 has no text."),
        (b'{"_id":"a b","text":"a"}\n', "queries.jsonl:1: 'a b' is no name"),
        (b'{"_id":"1","text":"a","metadata":{"x":NaN}}\n', "queries.jsonl:1: NaN is not a number."),
        (b'{"_id":"1","text":"a"}\n\n', "queries.jsonl:2: not JSON"),
        (b"", "queries.jsonl: holds no line."),
    ],
)
def test_queries_that_are_none_are_refused(data, why):
    with pytest.raises(BadInput) as refused:
        beir.parse_queries(Source("queries.jsonl", data))
    assert str(refused.value).startswith(why)


def test_grades_come_back_but_for_the_halves():
    written = beir.write_qrels("qrels/dev.tsv", {"q1": {"a": 3.0, "b": 1.5}})
    assert written.value == b"query-id\tcorpus-id\tscore\nq1\ta\t3\nq1\tb\t1\n"
    assert written.remarks[0].ids == ("q1 b 1.5",)
    assert beir.parse_qrels(qrels(written.value.decode())).value == {"q1": {"a": 3.0, "b": 1.0}}


def test_crlf_in_grades_is_only_remarked_on():
    read = beir.parse_qrels(qrels("query-id\tcorpus-id\tscore\r\nq1\ta\t3\r\n"))
    assert read.value == {"q1": {"a": 3.0}}
    assert "2 lines end in CRLF" in str(read.remarks[0])


HEAD = "query-id\tcorpus-id\tscore\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("q1\ta\t3\n", "qrels/test.tsv:1: is not the header."),
        ("\ufeff" + HEAD, "qrels/test.tsv:1: starts with a byte order mark."),
        (HEAD, "qrels/test.tsv: holds no judgement."),
        (HEAD + "q1 a 3\n", "qrels/test.tsv:2: is not a query, an item and a grade with tabs between."),
        (HEAD + "q1\ta\t\n", "qrels/test.tsv:2: is not a query"),
        (HEAD + "q1\ta b\t1\n", "qrels/test.tsv:2: is not a query"),
        (HEAD + 'q1\t"a"\t1\n', "qrels/test.tsv:2: holds a quote"),
        (HEAD + "q1\ta\t1\nq1\ta\t1\n", "qrels/test.tsv:3: q1 a is graded twice."),
        (HEAD + "q1\ta\t1.5\n", "qrels/test.tsv:2: 1.5 is no grade."),
        (HEAD + "q1\ta\t7\n", "qrels/test.tsv:2: 7 is no grade."),
        (HEAD + "q9\ta\t1\n", "qrels/test.tsv:2: q9 is no known query."),
        (HEAD + "q1\tz\t1\n", "qrels/test.tsv:2: z is no known item."),
    ],
)
def test_grades_that_are_none_are_refused(text, why):
    with pytest.raises(BadInput) as refused:
        beir.parse_qrels(qrels(text), Ids({"q1"}, {"a"}))
    assert str(refused.value).startswith(why)
    assert refused.value.advice
