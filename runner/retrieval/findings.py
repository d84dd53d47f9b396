"""A finding about a partition, and the unchecked partition that every rule looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

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
        """A finding in line `row` + 1 of `file`; the rule's name is put in by `look`."""
        line = None if row is None else row + 1
        return Finding(check="", file=self.files.place(file), line=line, ids=tuple(ids), reason=reason)

    def relevant(self, query_id: QueryId) -> Iterator[DocId]:
        """Serving items that are relevant for a query."""
        for doc_id, qrel in self.qrels.get(query_id, {}).items():
            if qrel.grade >= RELEVANT_FROM and doc_id in self.corpus.serving:
                yield doc_id

    def groups(self, topic: Topic) -> frozenset[str]:
        """Template groups that a query uses: of items graded relevant, and of targets (D5)."""
        graded = (d for d, qrel in self.qrels.get(topic.query_id, {}).items() if qrel.grade >= RELEVANT_FROM)
        named = (d for t in self.files.targets if t.query_id == topic.query_id for group in t.groups for d in group)
        items = self.corpus.items
        return frozenset(items[d].template_group for d in (*graded, *named) if d in items)


Rule = Callable[[UncheckedPartition], Iterator[Finding]]


def unchecked(files: PartitionFiles, corpus: Corpus) -> UncheckedPartition:
    """A partition as the rules see it; pairs that are not decided are left out of its grades."""
    qrels: dict[QueryId, dict[DocId, Qrel]] = {}
    for (query_id, doc_id), acts in acts_by_pair(files.judgements).items():
        try:
            qrels.setdefault(query_id, {})[doc_id] = final_grade(acts)
        except BadInput:
            continue
    return UncheckedPartition(files, corpus, qrels)
