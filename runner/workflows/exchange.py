"""Between the files of this benchmark and those of other tools; every step gives files and says what they lack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from runner.counts import counted
from runner.documents import Document, Source, to_lines
from runner.errors import BadInput
from runner.retrieval.corpora import Corpus
from runner.retrieval.exchange import beir, topics, trec
from runner.retrieval.exchange.content import Content, content_of, lines_of
from runner.retrieval.exchange.lines import Ids
from runner.retrieval.exchange.passes import asked_by_system, passes
from runner.retrieval.exchange.remarks import Read, Remark, lost, warning
from runner.retrieval.exchange.topics import PlainTopic
from runner.retrieval.partitions import Kind, Partition
from runner.retrieval.plain_judgements import FinalGrade, Grades, Requests, parse_requests

QRELS, QUERIES, DOCUMENTS = "qrels.txt", "queries.jsonl", "corpus.jsonl"
#: Which of BEIR's splits a half of the benchmark is.
SPLITS = {Kind.DEVELOPMENT: "dev", Kind.HIDDEN: "test"}


class TopicForm(StrEnum):
    """How TREC topics are written."""

    CLASSIC = "classic"
    TABBED = "tabbed"


class Exchanged(NamedTuple):
    """The files that were made, by name, and what is to be said of them."""

    files: Mapping[str, bytes]
    remarks: tuple[Remark, ...]

    def report(self) -> ExchangeReport:
        """What `--json` prints."""
        return ExchangeReport(files={name: len(data) for name, data in self.files.items()}, remarks=self.remarks)


class ExchangeReport(Document):
    """The files that were made with their sizes in bytes, what they cannot hold, and what was odd."""

    files: dict[str, int]
    remarks: tuple[Remark, ...]


def export_trec(partition: Partition, corpus: Corpus, form: TopicForm) -> Exchanged:
    """Topics and qrels of a partition."""
    plain = [PlainTopic(query_id=topic.query_id, text=topic.text) for topic in partition.topics]
    name, write = {
        TopicForm.CLASSIC: ("topics.txt", topics.write_classic),
        TopicForm.TABBED: ("topics.tsv", topics.write_tabbed),
    }[form]
    written = {name: write(name, plain), QRELS: trec.write_qrels(QRELS, _grades(partition))}
    what = "slice, family, flags, template groups and provenance of each query"
    return _exchanged(written, [lost(name, what), *_behind_the_grades(QRELS, partition, corpus)])


def export_beir(partition: Partition, corpus: Corpus) -> Exchanged:
    """A partition and its corpus as a BEIR folder."""
    qrels = f"qrels/{SPLITS[partition.card.kind]}.tsv"
    written = {
        QUERIES: Read(beir.write_queries(partition.topics)),
        DOCUMENTS: Read(beir.write_documents(corpus.items.values())),
        qrels: beir.write_qrels(qrels, _grades(partition)),
    }
    return _exchanged(written, [lost(DOCUMENTS, "pictures"), *_behind_the_grades(qrels, partition, corpus)])


def export_result(observations: Source) -> Exchanged:
    """What each system of a result showed, as TREC runs."""
    written: dict[str, Read[bytes]] = {}
    remarks = []
    for system, asked in asked_by_system(observations).items():
        written |= _runs(system, asked.requests)
        remarks.append(lost(f"{system}.run", "times and routes of each request"))
        if asked.untrusted:
            what = f"{counted(asked.untrusted, 'request')} that broke a rule, and so failed"
            remarks.append(lost(f"{system}.run", what))
    if not written:
        raise BadInput(f"{observations.where}: holds no request.", advice="Name a result with requests.")
    return _exchanged(written, remarks)


def export_run(run: Source, name: str) -> Exchanged:
    """A run file of `measure` as TREC runs called `name`."""
    return _exchanged(_runs(name, parse_requests(run)), [])


def import_trec(sources: Mapping[str, Source], ids: Ids) -> Exchanged:
    """Topics, qrels and runs, each by a name without its ending, as the files that `measure` takes.

    Where topics are among them and no queries are known, an id that is no topic is refused.
    """
    contents = {name: content_of(source) for name, source in sources.items()}
    asked = {name: _TOPICS[kind](sources[name]) for name, kind in contents.items() if kind in _TOPICS}
    if asked and ids.queries is None:
        ids = ids._replace(queries={topic.query_id: None for found in asked.values() for topic in found.value})
    read = {f"topics/{name}.jsonl": Read(to_lines(found.value), found.remarks) for name, found in asked.items()}
    for name, kind in contents.items():
        if kind not in _TOPICS:
            folder, found = _columns(kind, sources[name], ids)
            read[f"{folder}/{name}.jsonl"] = found
    return _exchanged(read, [])


def import_beir(sources: Mapping[str, Source], ids: Ids) -> Exchanged:
    """A BEIR folder by the names of its files; its own queries and documents are known ids where no others are."""
    made: dict[str, Read[bytes]] = {}
    if QUERIES in sources:
        queries, remarks = beir.parse_queries(sources[QUERIES])
        ids = ids._replace(queries=ids.queries or {topic.query_id: None for topic in queries.plain})
        name = QUERIES if queries.whole else "topics.jsonl"
        made[name] = Read(to_lines(queries.whole or queries.plain), remarks)
    if DOCUMENTS in sources:
        documents, remarks = beir.parse_documents(sources[DOCUMENTS])
        ids = ids._replace(items=ids.items or {document.doc_id: None for document in documents.plain})
        name = "items.jsonl" if documents.whole else "documents.jsonl"
        made[name] = Read(to_lines(documents.whole or documents.plain), remarks)
    for name, source in sources.items():
        if name.startswith("qrels/"):
            split = name.removeprefix("qrels/").removesuffix(".tsv")
            grades, remarks = beir.parse_qrels(source, ids)
            made[f"grades/{split}.jsonl"] = Read(_grade_lines(grades), remarks)
    return _exchanged(made, [])


_TOPICS: Mapping[Content, Callable[[Source], Read[tuple[PlainTopic, ...]]]] = {
    Content.CLASSIC_TOPICS: topics.parse_classic,
    Content.TABBED_TOPICS: topics.parse_tabbed,
}


def _exchanged(written: Mapping[str, Read[bytes]], remarks: Sequence[Remark]) -> Exchanged:
    of_files = (remark for one in written.values() for remark in one.remarks)
    return Exchanged({name: one.value for name, one in written.items()}, (*of_files, *remarks))


def _grades(partition: Partition) -> Grades:
    return {q: {d: qrel.grade for d, qrel in own.items()} for q, own in partition.qrels.items()}


def _behind_the_grades(where: str, partition: Partition, corpus: Corpus) -> Iterator[Remark]:
    """What a partition knows beyond one grade a pair."""
    yield lost(where, "who judged, what each said, the rule that decided, and safety classes")
    if partition.targets:
        yield lost(where, "exact targets", partition.targets)
    if partition.files.audits:
        yield lost(where, "no-match audits", [audit.query_id for audit in partition.files.audits])
    bare = [topic.query_id for topic in partition.topics if topic.query_id not in partition.qrels]
    if bare:
        yield lost(where, "queries without a judgement, which have no line", bare)
    kept_back = [
        f"{query_id} {doc_id}"
        for query_id, own in partition.qrels.items()
        for doc_id, qrel in own.items()
        if qrel.grade > 0 and doc_id not in corpus.serving
    ]
    if kept_back:
        what = "graded items that may not be shown: other tools count them in the ideal list, the score does not (D20)"
        yield warning(where, what, kept_back)


def _runs(system: str, requests: Requests) -> dict[str, Read[bytes]]:
    """The runs of one system, one for each pass, by file name."""
    where = f"{system}.run"
    found, remarks = passes(where, requests)
    names = [where] if len(found) == 1 else [f"{system}.pass-{number}.run" for number in range(1, len(found) + 1)]
    written = {
        name: trec.write_run(name, trec.TrecRun(system, lists)) for name, lists in zip(names, found, strict=True)
    }
    first = next(iter(written), None)
    return {name: Read(one.value, (remarks if name == first else ()) + one.remarks) for name, one in written.items()}


def _columns(kind: Content, source: Source, ids: Ids) -> tuple[str, Read[bytes]]:
    """Qrels or a run as JSON Lines, and the folder that they go into."""
    if kind is Content.TREC_QRELS:
        grades, remarks = trec.parse_qrels(source, ids)
        return "grades", Read(_grade_lines(grades), remarks)
    if kind is Content.TREC_RUN:
        run, remarks = trec.parse_run(source, ids)
        silent = [query_id for query_id in ids.queries or () if query_id not in run.lists]
        what = f"{counted(len(silent), 'query has', 'queries have')} no line: an empty list, or never asked"
        if silent:
            remarks += (warning(source.where, what, silent),)
        return "runs", Read(to_lines(lines_of(run).values()), (*remarks, lost(source.where, f"its tag, {run.tag}")))
    raise BadInput(f"{source.where}: holds {kind}, not topics, qrels or a run of TREC.", advice="Leave it out.")


def _grade_lines(grades: Grades) -> bytes:
    return to_lines(
        FinalGrade(query_id=query_id, doc_id=doc_id, grade=grade)
        for query_id, own in grades.items()
        for doc_id, grade in own.items()
    )
