"""Rules without which a partition cannot be scored: its files, references, grades, answers and absences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from runner.documents import digest
from runner.errors import BadInput
from runner.retrieval.findings import Check, Finding, UncheckedPartition, check
from runner.retrieval.groups import REQUIRED, belongs
from runner.retrieval.items import CANONICAL_FIELDS, DocId
from runner.retrieval.judgements import NoMatchVerdict, Qrel
from runner.retrieval.partitions import AUDITS, CARD, FILES, JUDGEMENTS, QRELS, QUERIES, TARGETS, PartitionFiles
from runner.retrieval.qrels import Pair, acts_by_pair, final_grade
from runner.retrieval.topics import QueryId


def file_digests(partition: UncheckedPartition) -> Iterator[Finding]:
    """Each file is the one that partition.json names."""
    pins = partition.files.card.files
    for name in dict.fromkeys((*FILES[1:], *sorted(pins))):
        if name not in partition.files.sources:
            yield partition.finding(CARD, None, (name,), "is pinned, but not there")
            continue
        expected, found = pins.get(name), digest(partition.files.sources[name].data)
        if expected != found:
            yield partition.finding(name, None, (), f"expected {expected or 'a digest in ' + CARD}, found {found}")


def corpus_digest(partition: UncheckedPartition) -> Iterator[Finding]:
    """The partition and its audits belong to this corpus (D7)."""
    wanted = partition.corpus.digest
    if partition.files.card.corpus != wanted:
        yield partition.finding(CARD, None, (), f"made for corpus {partition.files.card.corpus}, not for {wanted}")
    for row, audit in enumerate(partition.files.audits):
        if audit.corpus_digest != wanted:
            yield partition.finding(AUDITS, row, (audit.query_id,), f"audited in {audit.corpus_digest}: repeat it")


def unique_ids(partition: UncheckedPartition) -> Iterator[Finding]:
    """A query, its targets and its audit stand on one line each."""
    tables: Sequence[tuple[str, Sequence[QueryId]]] = (
        (QUERIES, [topic.query_id for topic in partition.files.topics]),
        (TARGETS, [row.query_id for row in partition.files.targets]),
        (AUDITS, [row.query_id for row in partition.files.audits]),
    )
    for file, ids in tables:
        seen: set[QueryId] = set()
        for row, query_id in enumerate(ids):
            if query_id in seen:
                yield partition.finding(file, row, (query_id,), "stands twice")
            seen.add(query_id)


def references(partition: UncheckedPartition) -> Iterator[Finding]:
    """Every query and item that a label names exists."""
    queries = {topic.query_id for topic in partition.files.topics}
    for file, row, query_id, doc_ids in _references(partition.files):
        if query_id not in queries:
            yield partition.finding(file, row, (query_id,), f"is not in {QUERIES}")
        for doc_id in doc_ids:
            if doc_id not in partition.corpus.items:
                yield partition.finding(file, row, (query_id, doc_id), "is not in the corpus")


def _references(files: PartitionFiles) -> Iterator[tuple[str, int, QueryId, Iterable[DocId]]]:
    for row, act in enumerate(files.judgements):
        yield JUDGEMENTS, row, act.query_id, (act.doc_id,)
    for row, target in enumerate(files.targets):
        yield TARGETS, row, target.query_id, [doc_id for group in target.groups for doc_id in group]
    for row, audit in enumerate(files.audits):
        yield AUDITS, row, audit.query_id, audit.nearest


def decided(partition: UncheckedPartition) -> Iterator[Finding]:
    """Every pair has one final grade."""
    rows: dict[Pair, int] = {}
    for row, act in enumerate(partition.files.judgements):
        rows.setdefault((act.query_id, act.doc_id), row)
    for pair, acts in acts_by_pair(partition.files.judgements).items():
        try:
            final_grade(acts)
        except BadInput as error:
            reason = str(error).removeprefix(f"{' '.join(pair)}: ")
            yield partition.finding(JUDGEMENTS, rows[pair], pair, reason)


def derived(partition: UncheckedPartition) -> Iterator[Finding]:
    """qrels.jsonl, where it is kept, holds what follows from the judgements."""
    source = partition.files.sources.get(QRELS)
    if source is None:
        return
    wanted = {(q, d): qrel for q, pairs in partition.qrels.items() for d, qrel in pairs.items()}
    for row, qrel in enumerate(Qrel.parse_lines(source.data, source.where)):
        if wanted.pop((qrel.query_id, qrel.doc_id), None) != qrel:
            yield partition.finding(QRELS, row, (qrel.query_id, qrel.doc_id), f"does not follow from {JUDGEMENTS}")
    for query_id, doc_id in wanted:
        yield partition.finding(QRELS, None, (query_id, doc_id), "is judged, but has no line")


def answers(partition: UncheckedPartition) -> Iterator[Finding]:
    """An answerable query has a relevant serving item, an entity or quote query also a serving target (D4)."""
    targets = {row.query_id: row for row in partition.files.targets}
    for row, topic in enumerate(partition.files.topics):
        if topic.slice.answerable and not any(partition.relevant(topic.query_id)):
            yield partition.finding(QUERIES, row, (topic.query_id,), "no serving item is graded 2 or better")
        groups = targets[topic.query_id].groups if topic.query_id in targets else ()
        if topic.slice.exact and not any(doc_id in partition.corpus.serving for group in groups for doc_id in group):
            yield partition.finding(QUERIES, row, (topic.query_id,), "no exact target among the serving items")


def absences(partition: UncheckedPartition) -> Iterator[Finding]:
    """A no-match query has an audit, and no relevant serving item (D7)."""
    audited = {audit.query_id for audit in partition.files.audits}
    for row, topic in enumerate(partition.files.topics):
        if topic.slice.answerable:
            continue
        if topic.query_id not in audited:
            yield partition.finding(QUERIES, row, (topic.query_id,), f"has no line in {AUDITS}")
        for doc_id in partition.relevant(topic.query_id):
            yield partition.finding(QUERIES, row, (topic.query_id, doc_id), "is useful for a no-match query")


def audited(partition: UncheckedPartition) -> Iterator[Finding]:
    """An audit looked at every canonical field, and found nothing useful (D7)."""
    for row, audit in enumerate(partition.files.audits):
        left = [name for name in CANONICAL_FIELDS if name not in audit.fields_checked]
        if left:
            yield partition.finding(AUDITS, row, (audit.query_id,), f"fields not checked: {', '.join(left)}")
        if audit.verdict is not NoMatchVerdict.ABSENT:
            yield partition.finding(AUDITS, row, (audit.query_id,), f"is no no-match query: {audit.verdict}")


def denominators(partition: UncheckedPartition) -> Iterator[Finding]:
    """Each group that the score divides by has a query."""
    for group in REQUIRED:
        if not any(belongs(topic, group) for topic in partition.files.topics):
            yield partition.finding(QUERIES, None, (), f"no query of group {group.value!r}")


def _answerable(partition: UncheckedPartition) -> int:
    return sum(topic.slice.answerable for topic in partition.files.topics)


INTEGRITY: tuple[Check[UncheckedPartition], ...] = (
    check(file_digests, lambda it: {"files": len(it.files.card.files)}),
    check(corpus_digest, lambda it: {"audits": len(it.files.audits)}),
    check(unique_ids, lambda it: {"lines": len((*it.files.topics, *it.files.targets, *it.files.audits))}),
    check(references, lambda it: {"labels": sum(1 for _ in _references(it.files))}),
    check(decided, lambda it: {"pairs": sum(map(len, it.qrels.values()))}),
    check(derived, lambda it: {"kept": int(QRELS in it.files.sources)}),
    check(answers, lambda it: {"answerable": _answerable(it), "with targets": len(it.files.targets)}),
    check(absences, lambda it: {"no-match": len(it.files.topics) - _answerable(it)}),
    check(audited, lambda it: {"audits": len(it.files.audits)}),
    check(denominators, lambda _: {"groups": len(REQUIRED)}),
)
