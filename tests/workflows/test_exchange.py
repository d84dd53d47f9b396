"""What leaves for other tools and what comes back, as files and as words on the command line."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from runner.cli import ROOT, app
from runner.documents import Source, digest, to_lines
from runner.errors import BadInput, BenchError
from runner.retrieval.exchange import beir
from runner.retrieval.exchange.lines import ANY, Ids
from runner.retrieval.items import Item
from runner.retrieval.runs import Outcome, Violation
from runner.workflows.exchange import (
    TopicForm,
    export_beir,
    export_result,
    export_run,
    export_trec,
    import_beir,
    import_trec,
)
from runner.workflows.measure import measure, report
from tests.retrieval.small_benchmark import (
    act,
    build_corpus,
    build_partition,
    corpus_sources,
    default_items,
    default_rows,
    failed,
    item,
    partition_sources,
    perfect_run,
    seen,
)

ITEMS = [
    *default_items(),
    item("gone", rights={"status": "withdrawn", "license": None, "attribution": None, "source": None}),
]
CORPUS = build_corpus(ITEMS)


def rows():
    """The small benchmark, with a half grade and a grade for an item that may not be shown."""
    found = default_rows(CORPUS.digest)
    for one in found["judgements.jsonl"]:
        if (one["query_id"], one["doc_id"], one["role"]) == ("q-topic-1", "a-topic-1", "second"):
            one["grade"] = 2
    found["judgements.jsonl"] += [act("q-topic-1", "gone", 3, role=role) for role in ("first", "second")]
    return found


PARTITION = build_partition(CORPUS, rows())


def sources(made) -> dict[str, Source]:
    return {name: Source(name, data) for name, data in made.files.items()}


def without_ending(made) -> dict[str, Source]:
    return {name.rpartition(".")[0]: source for name, source in sources(made).items()}


def said(made) -> str:
    return "".join(f"{remark}\n" for remark in made.remarks)


@pytest.mark.parametrize(("form", "name"), [(TopicForm.CLASSIC, "topics.txt"), (TopicForm.TABBED, "topics.tsv")])
def test_a_partition_goes_to_trec_and_its_words_and_whole_grades_come_back(form, name):
    made = export_trec(PARTITION, CORPUS, form)
    assert set(made.files) == {name, "qrels.txt"}
    back = import_trec(without_ending(made), ANY)
    topics = [json.loads(line) for line in back.files["topics/topics.jsonl"].splitlines()]
    assert topics == [{"query_id": topic.query_id, "text": topic.text} for topic in PARTITION.topics]
    grades = [json.loads(line) for line in back.files["grades/qrels.jsonl"].splitlines()]
    wanted = {(q, d): row.grade for q, own in PARTITION.qrels.items() for d, row in own.items()}
    assert {(row["query_id"], row["doc_id"]): row["grade"] for row in grades} == wanted | {
        ("q-topic-1", "a-topic-1"): 2.0
    }


def test_all_that_trec_cannot_hold_of_a_partition_is_said():
    words = said(export_trec(PARTITION, CORPUS, TopicForm.CLASSIC))
    assert "topics.txt: lost: slice, family, flags, template groups and provenance of each query\n" in words
    assert (
        "1 half grade became the whole one below (nDCG moves; Hit, RR and Recall do not): q-topic-1 a-topic-1 2.5\n"
        in words
    )
    assert "qrels.txt: lost: who judged, what each said, the rule that decided, and safety classes\n" in words
    assert "qrels.txt: lost: exact targets: q-entity-1, q-entity-2, q-quote-1 and 1 more\n" in words
    assert "qrels.txt: lost: no-match audits: q-no_match-1, q-no_match-2\n" in words
    assert "qrels.txt: warning: graded items that may not be shown: " in words
    assert "(D20): q-topic-1 gone\n" in words


def test_a_partition_and_its_corpus_come_back_from_beir_to_the_byte():
    made = export_beir(PARTITION, CORPUS)
    assert set(made.files) == {"queries.jsonl", "corpus.jsonl", "qrels/dev.tsv"}
    back = import_beir(sources(made), ANY)
    assert set(back.files) == {"queries.jsonl", "items.jsonl", "grades/dev.jsonl"}
    assert back.files["queries.jsonl"] == to_lines(PARTITION.topics)
    assert back.files["items.jsonl"] == to_lines(CORPUS.items.values())
    assert back.remarks == ()
    assert "corpus.jsonl: lost: pictures\n" in said(made)


def test_the_bundled_corpus_keeps_its_digest_on_the_way_through_beir():
    data = (ROOT / "images/corpus/items.jsonl").read_bytes()
    there = beir.write_documents(Item.parse_lines(data, "items.jsonl"))
    back = beir.parse_documents(Source("corpus.jsonl", there)).value.whole
    assert digest(to_lines(back)) == digest(data)


def result(*observations) -> Source:
    return Source("observations.jsonl", to_lines(observations))


def test_five_equal_blocks_are_one_run_a_system():
    run = perfect_run(PARTITION) + perfect_run(PARTITION, system="dense")
    made = export_result(result(*run))
    assert set(made.files) == {"bm25.run", "dense.run"}
    assert made.files["bm25.run"].startswith(b"q-entity-1 Q0 a-entity-1 1 2 bm25\nq-entity-1 Q0 x01 2 1 bm25\n")
    words = said(made)
    assert "bm25.run: lost: that each query was asked up to 5 times, always with the same list\n" in words
    assert (
        "bm25.run: lost: 2 queries with an empty list, which a run has no line for: q-no_match-1, q-no_match-2\n"
        in words
    )
    assert "dense.run: lost: times and routes of each request\n" in words


def test_where_lists_differ_each_pass_is_a_run_and_its_measures_average_to_the_same():
    run = [seen("q1", "a"), seen("q2", "b"), seen("q1", "x", "a", block=2), seen("q2", "b", block=2)]
    made = export_result(result(*run))
    assert set(made.files) == {"bm25.pass-1.run", "bm25.pass-2.run"}
    grades = Source("g", b"q1 0 a 3\nq2 0 b 2\n")
    lines = b"".join(to_lines([row]) for row in run)
    rows = [{"query_id": row["query_id"], "doc_ids": row["drawn"]} for row in map(json.loads, lines.splitlines())]
    whole = measure(grades, Source("r", b"".join(json.dumps(row).encode() + b"\n" for row in rows)))
    parts = [measure(grades, source).summary().model_dump()["RR@10"] for source in sources(made).values()]
    assert sum(parts) / 2 == whole.summary().model_dump()["RR@10"] == 0.875


def test_failed_and_untrusted_requests_have_no_line_and_are_named():
    run = [
        seen("q1", "a"),
        failed("q2", Outcome.TIMEOUT),
        seen("q3", "a", violations=(Violation.DRAWN_DIFFERS,)),
    ]
    made = export_result(result(*run))
    assert made.files == {"bm25.run": b"q1 Q0 a 1 1 bm25\n"}
    words = said(made)
    assert "bm25.run: lost: 2 queries with failed requests, which a run has no line for: q2, q3\n" in words
    assert "bm25.run: lost: 1 request that broke a rule, and so failed\n" in words


def test_a_run_of_measure_goes_to_trec_and_back():
    run = Source("my.jsonl", b'{"query_id":"Q1","doc_ids":["b","a"]}\n')
    made = export_run(run, "mine")
    assert made.files == {"mine.run": b"Q1 Q0 b 1 2 mine\nQ1 Q0 a 2 1 mine\n"}
    back = import_trec(without_ending(made), ANY)
    assert json.loads(back.files["runs/mine.jsonl"]) == {"query_id": "Q1", "doc_ids": ["b", "a"], "outcome": None}
    assert said(back) == "mine.run: lost: its tag, mine\n"


def test_an_empty_run_is_refused():
    with pytest.raises(BadInput, match="nothing was asked"):
        export_run(Source("my.jsonl", b""), "mine")
    with pytest.raises(BadInput, match="holds no request"):
        export_result(result())


def test_ids_are_held_against_the_topics_beside_them():
    topics = Source("t.tsv", b"q1\tone\nq2\ttwo\n")
    with pytest.raises(BadInput, match=r"^q\.txt:1: q3 is no known query"):
        import_trec({"t": topics, "q": Source("q.txt", b"q3 0 a 1\n")}, ANY)
    made = import_trec({"t": topics, "r": Source("r.run", b"q1 Q0 a 1 1 t\n")}, ANY)
    assert "r.run: warning: 1 query has no line: an empty list, or never asked: q2\n" in said(made)


def test_ids_are_held_against_what_was_named():
    with pytest.raises(BadInput, match=r"^r\.run:1: a is no known item"):
        import_trec({"r": Source("r.run", b"q1 Q0 a 1 1 t\n")}, Ids({"q1"}, {"b"}))


def test_a_beir_folder_is_held_against_itself():
    queries = Source("queries.jsonl", b'{"_id":"1","text":"statins"}\n')
    documents = Source("corpus.jsonl", b'{"_id":"MED-10","title":"","text":"about statins"}\n')
    qrels = Source("qrels/test.tsv", b"query-id\tcorpus-id\tscore\n1\tMED-11\t1\n")
    folder = {"queries.jsonl": queries, "corpus.jsonl": documents, "qrels/test.tsv": qrels}
    with pytest.raises(BadInput, match=r"^qrels/test\.tsv:2: MED-11 is no known item"):
        import_beir(folder, ANY)
    good = Source("qrels/test.tsv", qrels.data.replace(b"11", b"10"))
    made = import_beir(folder | {"qrels/test.tsv": good}, ANY)
    assert set(made.files) == {"topics.jsonl", "documents.jsonl", "grades/test.jsonl"}


def test_what_is_no_file_of_trec_is_refused():
    for data, why in (
        (b"{}", "holds JSON Lines"),
        (b"a b c\n", "is neither JSON, topics, qrels"),
        (b"", "holds JSON Lines"),
    ):
        with pytest.raises(BadInput, match=why):
            import_trec({"f": Source("f", data)}, ANY)


def test_measure_takes_every_form_of_the_same_judgements_and_run():
    grades = [
        b'{"query_id":"q1","doc_id":"a","grade":3}\n{"query_id":"q1","doc_id":"b","grade":1}\n',
        b"q1 0 a 3\nq1 0 b 1\n",
        b"query-id\tcorpus-id\tscore\nq1\ta\t3\nq1\tb\t1\n",
    ]
    runs = [b'{"query_id":"q1","doc_ids":["b","a"]}\n', b"q1 Q0 a 2 0.5 t\nq1 Q0 b 1 0.75 t\n"]
    reports = {report(measure(Source("g", g), Source("r", r))).canonical() for g in grades for r in runs}
    assert len(reports) == 1
    assert b'"RR@10":0.5' in reports.pop()


def test_measure_tells_what_is_odd_in_a_file_that_it_takes():
    told: list[object] = []
    measure(Source("g", b"q1 0 a 3\r\n"), Source("r", b"q1 Q0 a 1 1 t\nq1 Q0 b 2 1 t\n"), tell=told.append)
    assert [str(one).partition(":")[0] for one in told] == ["g", "r"]


@pytest.mark.parametrize(
    ("grades", "run", "why"),
    [
        (b"q1 Q0 a 1 1 t\n", b"q1 Q0 a 1 1 t\n", "g: holds a TREC run, not judgements."),
        (b"q1 0 a 1\n", b"q1 0 a 1\n", "r: holds TREC qrels, not a run."),
        (b"q1\tsome words\n", b"", "g: holds topics with tabs, not judgements."),
        (b"q1 0 a 1\n", b"<top>\n", "r: holds TREC topics, not a run."),
        (b"\xef\xbb\xbfq1 0 a 1\n", b"", "g:1: starts with a byte order mark."),
        (b"q1 0 a 1\n", b"\xef\xbb\xbfq1 Q0 a 1 1 t\n", "r:1: starts with a byte order mark."),
        (b"query-id\tcorpus-id\tscore\r\nq1\ta\tx\n", b"", "g:2: x is no grade."),
    ],
)
def test_measure_refuses_the_wrong_file(grades, run, why):
    with pytest.raises(BadInput) as refused:
        measure(Source("g", grades), Source("r", run))
    assert str(refused.value).startswith(why)


@pytest.fixture
def benchmark(tmp_path):
    """A corpus folder, its audit, a partition folder and a result folder."""
    card, items, audit = corpus_sources(ITEMS)
    files = {"corpus/corpus.json": card, "corpus/items.jsonl": items, "audit.jsonl": audit}
    files |= {f"partition/{name}": found for name, found in partition_sources(CORPUS, rows()).items()}
    files["result/observations.jsonl"] = result(*perfect_run(PARTITION))
    for name, found in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(found.data)
    return tmp_path


def test_the_verbs_from_end_to_end(benchmark, monkeypatch, capsys):
    monkeypatch.chdir(benchmark)
    known = ("--corpus", "corpus", "--audit", "audit.jsonl")
    app(["export", "partition", "--format", "trec", "--to", "trec", *known], standalone_mode=False)
    out = capsys.readouterr()
    assert "topics.txt: lost: slice, family" in out.err
    assert [line.split()[0] for line in out.out.splitlines()] == ["trec/topics.txt", "trec/qrels.txt"]
    app(["export", "result", "--format", "trec", "--to", "runs"], standalone_mode=False)
    capsys.readouterr()
    against = ("--queries", "partition/queries.jsonl", "--corpus", "corpus")
    app(["import", "trec", "runs", "--format", "trec", "--to", "back", "--json", *against], standalone_mode=False)
    files = json.loads(capsys.readouterr().out)["files"]
    assert set(files) == {"topics/topics.jsonl", "grades/qrels.jsonl", "runs/bm25.jsonl"}
    measured = []
    for grades, run in (("trec/qrels.txt", "runs/bm25.run"), ("back/grades/qrels.jsonl", "back/runs/bm25.jsonl")):
        app(["measure", "--judgements", grades, "--run", run, "--json"], standalone_mode=False)
        measured.append(capsys.readouterr().out)
    assert measured[0] == measured[1]
    assert json.loads(measured[0])["summary"]["Hit@10"] == 1.0


@pytest.mark.parametrize(
    ("words", "status", "why"),
    [
        ("export result --format beir --to new", 64, "BEIR keeps no runs"),
        ("export corpus --format trec --to new", 65, "corpus: is nothing that can be exported"),
        ("import bad.run --format trec --to new", 65, "bad.run:1: score nan is no number"),
        ("import bad.run bad.qrels --format trec --to new", 65, "would be written over"),
        ("import corpus --format beir --to new", 65, "corpus: is no BEIR folder"),
        ("import a b --format beir --to new", 64, "takes one folder"),
        ("import nowhere --format trec --to new", 65, "nowhere: no such file"),
        ("import bad.qrels --format trec --to corpus", 65, "corpus: exists already"),
    ],
)
def test_bad_words_and_bad_files_are_refused_and_leave_nothing(benchmark, monkeypatch, words, status, why):
    monkeypatch.chdir(benchmark)
    (benchmark / "bad.run").write_text("q1 Q0 a 1 nan t\n")
    (benchmark / "bad.qrels").write_text("q1 0 a 1\n")
    with pytest.raises(BenchError) as refused:
        app(words.split(), standalone_mode=False)
    assert refused.value.exit_status == status
    assert why in str(refused.value)
    assert not (benchmark / "new").exists()


def test_a_bad_file_is_one_line_on_standard_error(benchmark):
    (benchmark / "bad.run").write_text("q1 Q0 a 1 nan t\n")
    command = [sys.executable, "-m", "runner", "import", "bad.run", "--format", "trec", "--to", "new"]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    out = subprocess.run(command, cwd=benchmark, env=environment, capture_output=True, text=True, check=False)
    assert (out.returncode, out.stdout) == (65, "")
    assert out.stderr == "bench: bad.run:1: score nan is no number. Give a finite number.\n"
