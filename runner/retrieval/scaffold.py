"""The empty hidden half: what a steward starts from, beside a development half whose groups are taken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from runner.documents import Document, Source, digest
from runner.retrieval.corpora import Corpus
from runner.retrieval.findings import UncheckedPartition, unchecked
from runner.retrieval.halves import group_use
from runner.retrieval.items import DocId
from runner.retrieval.partition_check import counts_of
from runner.retrieval.partitions import CARD, FILES, Kind, PartitionCard, parse_partition

FREE = "groups.free.jsonl"
DRAFT = "a draft: WORKPLAN.md says what is still to be done"


class FreeGroup(Document):
    """A line of `groups.free.jsonl`: a group that no query of the other half uses, and its items that may be shown."""

    group: str
    template_groups: tuple[str, ...]
    templates: tuple[str, ...]
    languages: tuple[str, ...]
    items: int
    serving: tuple[DocId, ...]


def free_lines(beside: UncheckedPartition) -> tuple[FreeGroup, ...]:
    """Every group that is still free and has an item to find."""
    return tuple(group for group in _free(beside.corpus, group_use([beside]).free) if group.serving)


def _free(corpus: Corpus, names: frozenset[str]) -> Iterator[FreeGroup]:
    merged = corpus.merged()
    members = defaultdict(list)
    for item in corpus.items.values():
        members[merged[item.template_group]].append(item)
    for name in sorted(names):
        items = members[name]
        yield FreeGroup(
            group=name,
            template_groups=tuple(sorted({item.template_group for item in items})),
            templates=tuple(sorted({item.template for item in items})),
            languages=tuple(sorted({item.language for item in items})),
            items=len(items),
            serving=tuple(sorted(item.doc_id for item in items if item.doc_id in corpus.serving)),
        )


def scaffold(name: str, corpus: Corpus) -> Mapping[str, bytes]:
    """The files that every partition has, without a line, and a card that says so."""
    empty = dict.fromkeys(FILES[1:], b"")
    card = PartitionCard(
        name=name,
        version="0-draft",
        kind=Kind.HIDDEN,
        corpus=corpus.digest,
        counts={},
        files={file: digest(data) for file, data in empty.items()},
        provisional=(DRAFT,),
    )
    files = {CARD: card.pretty(), **empty}
    bare = unchecked(parse_partition({file: Source(file, data) for file, data in files.items()}), corpus)
    return {**files, CARD: card.model_copy(update={"counts": dict(counts_of(bare))}).pretty()}
