"""The queries and items that judgements are about, whatever else a benchmark holds or still lacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from runner.documents import Digest, Source, digest
from runner.errors import BadInput
from runner.retrieval.items import DocId, Item
from runner.retrieval.lists import Known
from runner.retrieval.topics import QueryId, Topic

T = TypeVar("T")


class Questions(NamedTuple):
    """Queries and items by id, and the digests of their files."""

    topics: Mapping[QueryId, Topic]
    items: Mapping[DocId, Item]
    queries: Digest
    corpus: Digest

    @property
    def known(self) -> Known:
        """Their ids."""
        return Known(frozenset(self.topics), frozenset(self.items))


def read_questions(queries: Source, items: Source) -> Questions:
    """The questions in `queries.jsonl` and `items.jsonl`; an id that stands twice is refused."""
    topics = Topic.parse_lines(queries.data, queries.where)
    found = Item.parse_lines(items.data, items.where)
    return Questions(
        topics=_by_id(queries.where, ((topic.query_id, topic) for topic in topics)),
        items=_by_id(items.where, ((item.doc_id, item) for item in found)),
        queries=digest(queries.data),
        corpus=digest(items.data),
    )


def _by_id(where: str, rows: Iterable[tuple[str, T]]) -> Mapping[str, T]:
    found: dict[str, T] = {}
    for line, (name, row) in enumerate(rows, 1):
        if name in found:
            raise BadInput(f"{where}:{line}: {name} stands twice.", advice="Keep one of the lines.")
        found[name] = row
    return found
