"""What systems showed, whatever file it stands in: results, runs as `measure` takes them, TREC runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.exchange.lines import Ids, line_ends
from runner.retrieval.exchange.remarks import Read
from runner.retrieval.exchange.trec import parse_run
from runner.retrieval.items import DocId
from runner.retrieval.measures.ndcg import CUT
from runner.retrieval.plain_judgements import RunLine
from runner.retrieval.runs import Observation
from runner.retrieval.topics import QueryId

Shown = tuple[DocId, ...]


class Known(NamedTuple):
    """The ids that a benchmark has; any other is refused where it stands."""

    queries: frozenset[QueryId]
    items: frozenset[DocId]

    def refuse_stranger(self, place: str, query_id: str, doc_ids: Iterable[str]) -> None:
        """BadInput if the query or one of the items is unknown."""
        if query_id not in self.queries:
            raise BadInput(f"{place}: {query_id} is no query of the benchmark.", advice="Mend the id, or the queries.")
        for doc_id in doc_ids:
            if doc_id not in self.items:
                raise BadInput(f"{place}: {doc_id} is no item of the corpus.", advice="Mend the id, or the corpus.")


class Seen(NamedTuple):
    """What one system did with one query: how often it showed each list, cut at 10, and in how many requests."""

    lists: Mapping[Shown, int]
    requests: int

    def best_ranks(self) -> Mapping[DocId, int]:
        """The best rank at which each item was shown."""
        best: dict[DocId, int] = {}
        for shown in self.lists:
            for rank, doc_id in enumerate(shown, 1):
                best[doc_id] = min(rank, best.get(doc_id, rank))
        return best


Lists = Mapping[QueryId, Seen]
Request = tuple[QueryId, Shown | None]


def seen_by_query(requests: Iterable[Request]) -> Lists:
    """Requests by query; None is one that failed."""
    counts: dict[QueryId, Counter[Shown]] = {}
    totals: Counter[QueryId] = Counter()
    for query_id, shown in requests:
        lists = counts.setdefault(query_id, Counter())
        totals[query_id] += 1
        if shown is not None:
            lists[shown[:CUT]] += 1
    return {query_id: Seen(lists, totals[query_id]) for query_id, lists in counts.items()}


def read_observations(source: Source, known: Known) -> Mapping[str, Lists]:
    """By system, the lists drawn in a result; a failed or untrusted request showed nothing (D11, D24)."""
    requests: dict[str, list[Request]] = {}
    for line, seen in enumerate(Observation.parse_lines(source.data, source.where), 1):
        known.refuse_stranger(f"{source.where}:{line}", seen.query_id, seen.drawn if seen.trusted else ())
        requests.setdefault(seen.system, []).append((seen.query_id, seen.drawn if seen.trusted else None))
    return {system: seen_by_query(found) for system, found in requests.items()}


def read_run(source: Source, known: Known) -> Read[Lists]:
    """The lists of a run file of `measure`, and what is odd in it."""
    requests: list[Request] = []
    for line, row in enumerate(RunLine.parse_lines(source.data, source.where), 1):
        known.refuse_stranger(f"{source.where}:{line}", row.query_id, row.doc_ids or ())
        requests.append((row.query_id, row.doc_ids))
    if not requests:
        raise BadInput(f"{source.where}: holds no request.", advice="Give at least one line.")
    return Read(seen_by_query(requests), line_ends(source))


def read_trec_run(source: Source, known: Known) -> Read[Lists]:
    """The lists of a TREC run, and what is odd in it."""
    run, remarks = parse_run(source, Ids(known.queries, known.items))
    return Read(seen_by_query(run.lists.items()), remarks)
