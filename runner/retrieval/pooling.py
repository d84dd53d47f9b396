"""The pool: which pairs of query and item are to be judged, and apart from it where each came from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from runner.documents import Document, Source
from runner.errors import BadInput
from runner.retrieval.items import DocId
from runner.retrieval.lists import Known, Lists
from runner.retrieval.qrels import Pair
from runner.retrieval.topics import QueryId


class PoolPair(Document):
    """A pair to be judged, as in `pool.jsonl`: nothing says who proposed it."""

    query_id: QueryId
    doc_id: DocId


class PoolSource(Document):
    """Who proposed a pair: a system, with the best rank it gave the item, or a list of pairs made by hand."""

    name: str
    rank: int | None


class PooledPair(Document):
    """A pair with all who proposed it, as in `pool.sources.jsonl`: for analysis, never for annotators."""

    query_id: QueryId
    doc_id: DocId
    sources: tuple[PoolSource, ...]


def make_pool(
    systems: Mapping[str, Lists], by_hand: Mapping[str, Collection[Pair]], judged: Collection[Pair]
) -> tuple[PooledPair, ...]:
    """Each pair that stands in the top 10 of a system or in a list by hand, once, sorted by its ids.

    Every list that a system showed for a query counts. Pairs in `judged` are left out.
    """
    sources: dict[Pair, list[PoolSource]] = {}
    for name, lists in sorted(systems.items()):
        for query_id, seen in lists.items():
            for doc_id, rank in seen.best_ranks().items():
                sources.setdefault((query_id, doc_id), []).append(PoolSource(name=name, rank=rank))
    for name, pairs in sorted(by_hand.items()):
        for pair in pairs:
            sources.setdefault(pair, []).append(PoolSource(name=name, rank=None))
    left = sorted(sources.keys() - set(judged))
    return tuple(PooledPair(query_id=q, doc_id=d, sources=tuple(sources[q, d])) for q, d in left)


def pairs_of(pool: Iterable[PooledPair]) -> tuple[PoolPair, ...]:
    """The pool as annotators may know it."""
    return tuple(PoolPair(query_id=each.query_id, doc_id=each.doc_id) for each in pool)


def read_pairs(source: Source, known: Known) -> Sequence[Pair]:
    """The pairs in a file like `pool.jsonl`; a pair that stands twice or names an unknown id is refused."""
    lines: dict[Pair, int] = {}
    for line, row in enumerate(PoolPair.parse_lines(source.data, source.where), 1):
        place, pair = f"{source.where}:{line}", (row.query_id, row.doc_id)
        known.refuse_stranger(place, row.query_id, (row.doc_id,))
        if pair in lines:
            raise BadInput(
                f"{place}: {row.query_id} {row.doc_id} stands in line {lines[pair]} too.", advice="Keep one of them."
            )
        lines[pair] = line
    return tuple(lines)
