"""That a concept query cannot be answered by its words alone."""

from __future__ import annotations

from collections.abc import Iterator

from runner.retrieval.findings import Finding, Seen, UncheckedPartition
from runner.retrieval.items import CANONICAL_FIELDS, Item, field_text
from runner.retrieval.partitions import QUERIES
from runner.retrieval.topics import Slice, Topic
from runner.retrieval.words import asked, content, normal, stems


def concept_overlap(partition: UncheckedPartition) -> Seen:
    """No relevant item of a concept query has a content stem of it in any canonical field."""
    rows = [(row, topic) for row, topic in enumerate(partition.files.topics) if topic.slice is Slice.CONCEPT]
    findings = tuple(finding for row, topic in rows for finding in _shared(partition, row, topic))
    pairs = sum(1 for _, topic in rows for _ in partition.relevant(topic.query_id))
    return Seen({"queries": len(rows), "pairs": pairs, "pairs sharing": len(findings)}, findings)


def _shared(partition: UncheckedPartition, row: int, topic: Topic) -> Iterator[Finding]:
    wanted = stems(content(asked(topic.text).split()))
    for doc_id in partition.relevant(topic.query_id):
        fields = _fields_with(partition.corpus.items[doc_id], wanted)
        if fields:
            shown = "; ".join(f"{', '.join(sorted(found))} in {field}" for field, found in fields.items())
            yield partition.finding(QUERIES, row, (topic.query_id, doc_id), f"shares stems with the item: {shown}")


def _fields_with(item: Item, wanted: frozenset[str]) -> dict[str, frozenset[str]]:
    """Which of the stems each canonical field has, where it has any."""
    found = {field: wanted & stems(normal(field_text(item, field)).split()) for field in CANONICAL_FIELDS}
    return {field: shared for field, shared in found.items() if shared}
