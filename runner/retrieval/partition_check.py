"""What can be wrong with a partition, found by rules that each give file, line, ids and reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from runner.documents import Document, digest
from runner.errors import BadInput
from runner.retrieval.corpora import Corpus
from runner.retrieval.groups import REQUIRED, belongs
from runner.retrieval.items import DocId
from runner.retrieval.judgements import Qrel
from runner.retrieval.measures.findability import RELEVANT_FROM
from runner.retrieval.partitions import (
    AUDITS,
    CARD,
    FILES,
    JUDGEMENTS,
    QUERIES,
    TARGETS,
    Kind,
    Partition,
    PartitionFiles,
)
from runner.retrieval.qrels import Pair, Qrels, acts_by_pair, derive_qrels, final_grade
from runner.retrieval.sizes import shortfalls
from runner.retrieval.topics import ANSWERABLE, QueryId, Slice, Topic

PUBLIC_EXAMPLE = "john cena"


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


class Case(NamedTuple):
    """What every rule looks at. `qrels` holds the pairs whose final grade is decided."""

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


Rule = Callable[[Case], Iterator[Finding]]


def file_digests(case: Case) -> Iterator[Finding]:
    """Each file is the one that partition.json names."""
    for name in FILES[1:]:
        expected, found = case.files.card.files.get(name), digest(case.files.sources[name].data)
        if expected != found:
            yield case.finding(name, None, (), f"expected {expected or 'a digest in ' + CARD}, found {found}")


def corpus_digest(case: Case) -> Iterator[Finding]:
    """The partition and its audits belong to this corpus (D7)."""
    wanted = case.corpus.digest
    if case.files.card.corpus != wanted:
        yield case.finding(CARD, None, (), f"made for corpus {case.files.card.corpus}, not for {wanted}")
    for row, audit in enumerate(case.files.audits):
        if audit.corpus_digest != wanted:
            yield case.finding(AUDITS, row, (audit.query_id,), f"audited in corpus {audit.corpus_digest}: repeat it")


def unique_ids(case: Case) -> Iterator[Finding]:
    """A query, its targets and its audit stand on one line each."""
    tables: Sequence[tuple[str, Sequence[QueryId]]] = (
        (QUERIES, [topic.query_id for topic in case.files.topics]),
        (TARGETS, [row.query_id for row in case.files.targets]),
        (AUDITS, [row.query_id for row in case.files.audits]),
    )
    for file, ids in tables:
        seen: set[QueryId] = set()
        for row, query_id in enumerate(ids):
            if query_id in seen:
                yield case.finding(file, row, (query_id,), "stands twice")
            seen.add(query_id)


def references(case: Case) -> Iterator[Finding]:
    """Every query and item that a label names exists."""
    queries = {topic.query_id for topic in case.files.topics}
    for file, row, query_id, doc_ids in _references(case.files):
        if query_id not in queries:
            yield case.finding(file, row, (query_id,), f"is not in {QUERIES}")
        for doc_id in doc_ids:
            if doc_id not in case.corpus.items:
                yield case.finding(file, row, (query_id, doc_id), "is not in the corpus")


def _references(files: PartitionFiles) -> Iterator[tuple[str, int, QueryId, Iterable[DocId]]]:
    for row, act in enumerate(files.judgements):
        yield JUDGEMENTS, row, act.query_id, (act.doc_id,)
    for row, target in enumerate(files.targets):
        yield TARGETS, row, target.query_id, [doc_id for group in target.groups for doc_id in group]
    for row, audit in enumerate(files.audits):
        yield AUDITS, row, audit.query_id, audit.nearest


def decided(case: Case) -> Iterator[Finding]:
    """Every pair has one final grade."""
    rows: dict[Pair, int] = {}
    for row, act in enumerate(case.files.judgements):
        rows.setdefault((act.query_id, act.doc_id), row)
    for pair, acts in acts_by_pair(case.files.judgements).items():
        try:
            final_grade(acts)
        except BadInput as error:
            yield case.finding(JUDGEMENTS, rows[pair], (), str(error))


def answers(case: Case) -> Iterator[Finding]:
    """An answerable query has a relevant serving item, an entity or quote query also a serving target (D4)."""
    targets = {row.query_id: row for row in case.files.targets}
    for row, topic in enumerate(case.files.topics):
        if topic.slice.answerable and not any(case.relevant(topic.query_id)):
            yield case.finding(QUERIES, row, (topic.query_id,), "no serving item is graded 2 or better")
        groups = targets[topic.query_id].groups if topic.query_id in targets else ()
        if topic.slice.exact and not any(doc_id in case.corpus.serving for group in groups for doc_id in group):
            yield case.finding(QUERIES, row, (topic.query_id,), "no exact target among the serving items")


def absences(case: Case) -> Iterator[Finding]:
    """A no-match query has an audit, and no relevant serving item (D7)."""
    audited = {audit.query_id for audit in case.files.audits}
    for row, topic in enumerate(case.files.topics):
        if topic.slice.answerable:
            continue
        if topic.query_id not in audited:
            yield case.finding(QUERIES, row, (topic.query_id,), f"has no line in {AUDITS}")
        for doc_id in case.relevant(topic.query_id):
            yield case.finding(QUERIES, row, (topic.query_id, doc_id), "is useful for a no-match query")


def denominators(case: Case) -> Iterator[Finding]:
    """Each group that the score divides by has a query."""
    for group in REQUIRED:
        if not any(belongs(topic, group) for topic in case.files.topics):
            yield case.finding(QUERIES, None, (), f"no query of group {group.value!r}")


def sizes(case: Case) -> Iterator[Finding]:
    """D1's sizes, unless the partition calls itself provisional; balance between slices always."""
    found = Counter(topic.slice for topic in case.files.topics)
    if len({found[s] for s in ANSWERABLE}) > 1:
        shown = ", ".join(f"{s} {found[s]}" for s in ANSWERABLE)
        yield case.finding(QUERIES, None, (), f"slices are not balanced: {shown}")
    if not case.files.card.provisional:
        for reason in shortfalls(case.files):
            yield case.finding(QUERIES, None, (), f"{reason}, and {CARD} gives no provisional reason")


def counts(case: Case) -> Iterator[Finding]:
    """The counts that partition.json gives for slices, queries, families and files are those of the files."""
    files = case.files
    found = {
        **{s.value: sum(t.slice is s for t in files.topics) for s in Slice},
        "queries": len(files.topics),
        "families": len({t.family for t in files.topics}),
        "judgements": len(files.judgements),
        "exact_targets": len(files.targets),
        "no_match_audits": len(files.audits),
    }
    for name, said in files.card.counts.items():
        if name in found and found[name] != said:
            yield case.finding(CARD, None, (f"counts.{name}",), f"says {said}, found {found[name]}")


def prompts(case: Case) -> Iterator[Finding]:
    """The same words are not two queries of different families."""
    first: dict[str, Topic] = {}
    for row, topic in enumerate(case.files.topics):
        known = first.setdefault(normal(topic.text), topic)
        if known.family != topic.family:
            reason = f"same text in families {known.family} and {topic.family}"
            yield case.finding(QUERIES, row, (known.query_id, topic.query_id), reason)


def normal(text: str) -> str:
    """Letters and digits of `text` in lower case, with one blank between words."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


def named_groups(case: Case) -> Iterator[Finding]:
    """`template_groups` of a query exist, and name every group its relevant items and targets fall into."""
    for row, topic in enumerate(case.files.topics):
        said = set(topic.template_groups)
        for group in sorted(said - case.corpus.groups):
            yield case.finding(QUERIES, row, (topic.query_id, group), "is no template group of the corpus")
        for group in sorted(case.groups(topic) - said):
            yield case.finding(QUERIES, row, (topic.query_id, group), "is used, but not among its template_groups")


def a_third(case: Case) -> Iterator[Finding]:
    """Development leaves two thirds of the groups to the hidden half (D5)."""
    if case.files.card.kind is not Kind.DEVELOPMENT:
        return
    used = frozenset().union(*(case.groups(topic) for topic in case.files.topics))
    if 3 * len(used) > len(case.corpus.groups):
        yield case.finding(
            QUERIES, None, (), f"uses {len(used)} of {len(case.corpus.groups)} template groups, more than a third"
        )


def public_example(case: Case) -> Iterator[Finding]:
    """john cena is an example of the development half only."""
    if case.files.card.kind is Kind.DEVELOPMENT:
        return
    for row, topic in enumerate(case.files.topics):
        if PUBLIC_EXAMPLE in normal(topic.text):
            yield case.finding(QUERIES, row, (topic.query_id,), f"{PUBLIC_EXAMPLE} belongs to development only")


# Without these a partition cannot be scored; the others make it a poor benchmark.
INTEGRITY: tuple[Rule, ...] = (
    file_digests,
    corpus_digest,
    unique_ids,
    references,
    decided,
    answers,
    absences,
    denominators,
)
RULES: tuple[Rule, ...] = (*INTEGRITY, sizes, counts, prompts, named_groups, a_third, public_example)


def look(files: PartitionFiles, corpus: Corpus, rules: Iterable[Rule] = RULES) -> tuple[Finding, ...]:
    """All that `rules` find, in their order."""
    case = Case(files, corpus, _decided_qrels(files))
    return tuple(
        finding.model_copy(update={"check": rule.__name__.replace("_", " ")})
        for rule in rules
        for finding in rule(case)
    )


def admit(files: PartitionFiles, corpus: Corpus) -> Partition:
    """The partition, fit to be scored on `corpus`, or BadInput with the first thing that stands against it."""
    found = look(files, corpus, INTEGRITY)
    if found:
        more = f" ({len(found) - 1} more findings)" if len(found) > 1 else ""
        raise BadInput(f"{found[0]}{more}.", advice="`partition check` lists all findings.")
    return Partition(files, derive_qrels(files.judgements), {row.query_id: row for row in files.targets})


def _decided_qrels(files: PartitionFiles) -> Qrels:
    qrels: dict[QueryId, dict[DocId, Qrel]] = {}
    for (query_id, doc_id), acts in acts_by_pair(files.judgements).items():
        try:
            qrels.setdefault(query_id, {})[doc_id] = final_grade(acts)
        except BadInput:
            continue
    return qrels
