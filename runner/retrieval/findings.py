"""Findings about partitions, and the checks that find them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from runner.documents import Document
from runner.errors import BadInput
from runner.retrieval.corpora import Corpus
from runner.retrieval.items import DocId
from runner.retrieval.judgements import Qrel
from runner.retrieval.measures.findability import RELEVANT_FROM
from runner.retrieval.partitions import PartitionFiles
from runner.retrieval.qrels import Qrels, acts_by_pair, final_grade
from runner.retrieval.topics import QueryId, Topic


class Finding(Document):
    """One thing that is wrong: where it stands, whom it concerns, and why."""

    check: str
    file: str
    line: int | None
    ids: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {' '.join((*self.ids, self.reason))}"


class UncheckedPartition(NamedTuple):
    """A partition beside its corpus, which any rule may still break. `qrels` holds the pairs that are decided."""

    files: PartitionFiles
    corpus: Corpus
    qrels: Qrels

    def finding(self, file: str, row: int | None, ids: Sequence[str], reason: str) -> Finding:
        """A finding in line `row` + 1 of `file`; the name of the check is put in by `Seen.by`."""
        line = None if row is None else row + 1
        return Finding(check="", file=self.files.place(file), line=line, ids=tuple(ids), reason=reason)

    def relevant(self, query_id: QueryId) -> Iterator[DocId]:
        """Serving items that are relevant for a query."""
        for doc_id, qrel in self.qrels.get(query_id, {}).items():
            if qrel.grade >= RELEVANT_FROM and doc_id in self.corpus.serving:
                yield doc_id

    def answering(self, topic: Topic) -> frozenset[DocId]:
        """Items that answer a query, shown or not: graded relevant, or targets."""
        graded = (d for d, qrel in self.qrels.get(topic.query_id, {}).items() if qrel.grade >= RELEVANT_FROM)
        targets = (d for t in self.files.targets if t.query_id == topic.query_id for group in t.groups for d in group)
        return frozenset((*graded, *targets)) & self.corpus.items.keys()

    def groups(self, topic: Topic) -> frozenset[str]:
        """Template groups that a query uses: of the items that answer it (D5)."""
        return frozenset(self.corpus.items[doc_id].template_group for doc_id in self.answering(topic))


class Halves(NamedTuple):
    """Two partitions over one corpus, which must not share what the first could give away of the second."""

    one: UncheckedPartition
    other: UncheckedPartition


Subject = TypeVar("Subject", UncheckedPartition, Halves)
Rule = Callable[[Subject], Iterator[Finding]]
Figures = Mapping[str, float]


class Seen(NamedTuple):
    """What a check saw: its figures by name, what is wrong, and what is not wrong but worth a look."""

    figures: Figures
    findings: tuple[Finding, ...]
    listed: tuple[Finding, ...] = ()

    def by(self, check: str) -> Seen:
        """The same with the name of the check in every finding."""
        findings, listed = (
            tuple(finding.model_copy(update={"check": check}) for finding in each)
            for each in (self.findings, self.listed)
        )
        return self._replace(findings=findings, listed=listed)


@dataclass(frozen=True, slots=True)
class Check(Generic[Subject]):
    """A question that is asked of a partition, or of two: its name, what holds where it passes, and how to look."""

    name: str
    rule: str
    look: Callable[[Subject], Seen]

    @classmethod
    def of(cls, look: Callable[[Subject], Seen]) -> Check[Subject]:
        """The check by one function, named after it and stated by the first line of its docstring."""
        return cls(named(look), stated(look), look)

    def see(self, subject: Subject) -> Seen:
        """What there is to see, with the name of the check in every finding."""
        return self.look(subject).by(self.name)


def check(rule: Rule[Subject], figures: Callable[[Subject], Figures]) -> Check[Subject]:
    """The check by one rule; `figures` say how much it looked at."""
    return Check(named(rule), stated(rule), lambda subject: Seen(figures(subject), tuple(rule(subject))))


def named(look: Callable[..., object]) -> str:
    """The name of a check, from that of its function."""
    return look.__name__.replace("_", " ")


def stated(look: Callable[..., object]) -> str:
    """What holds where a check passes, from its function's docstring."""
    return (look.__doc__ or "").partition("\n")[0]


def unchecked(files: PartitionFiles, corpus: Corpus) -> UncheckedPartition:
    """A partition as the rules see it; pairs that are not decided are left out of its grades."""
    qrels: dict[QueryId, dict[DocId, Qrel]] = {}
    for (query_id, doc_id), acts in acts_by_pair(files.judgements).items():
        try:
            qrels.setdefault(query_id, {})[doc_id] = final_grade(acts)
        except BadInput:
            continue
    return UncheckedPartition(files, corpus, qrels)
