"""What is reported about lists but not scored: duplicates, gaps, routes, coverage of judgements, repeatability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from runner.documents import Document
from runner.retrieval.bootstrap import exact_product, interval
from runner.retrieval.corpora import Corpus
from runner.retrieval.estimates import Interval
from runner.retrieval.evaluation import Labels, QueryResult
from runner.retrieval.items import DocId
from runner.retrieval.measures.findability import RELEVANT_FROM
from runner.retrieval.runs import Observation
from runner.retrieval.sample import Spread
from runner.retrieval.topics import QueryId, Slice, Topic


class Share(Document):
    """`part` of `whole`, as counts over all measured requests unless said otherwise; null where nothing was seen."""

    part: int
    whole: int
    interval: Interval | None

    @property
    def value(self) -> float:
        """The share; 0 of 0 is 0."""
        return self.part / self.whole if self.whole else 0.0

    @property
    def text(self) -> str:
        """Percent with its interval, and the counts it comes from."""
        if self.interval is None:
            return "none seen"
        low, high = (100 * end for end in (self.interval.low, self.interval.high))
        return f"{100 * self.value:.2f} % [{low:.2f}, {high:.2f}] ({self.part} of {self.whole})"


class Contribution(Document):
    """Which routes found the results shown in one slice, and the relevant ones among them."""

    slice: Slice
    lexical_only: int
    dense_only: int
    both: int
    relevant_lexical_only: int
    relevant_dense_only: int
    relevant_both: int


class Diagnostics(Document):
    """Reported, not scored. Shares of results shown, `repeatable` of the queries that were asked more than once.

    `ties` are of results that the engine gave a score: those whose score is that of the result above.
    """

    exact_duplicates: Share
    repeated_groups: Share
    missing_preview: Share
    missing_attribution: Share
    judged: Share
    ties: Share
    repeatable: Share
    contributions: tuple[Contribution, ...]


#: What each share is of, for readers, in their order on a card.
SHARES: Mapping[str, str] = {
    "exact_duplicates": "results that are exact duplicates of one above",
    "repeated_groups": "results of a template group seen above",
    "missing_preview": "results without preview",
    "missing_attribution": "results without attribution",
    "judged": "judged@10: results that somebody judged",
    "ties": "results with the same score as the one above",
    "repeatable": "queries asked again and given the same list each time",
}


class Counted(NamedTuple):
    """What one query adds to a share: `part` of `whole`."""

    query_id: QueryId
    part: int
    whole: int


def diagnose(
    observations: Sequence[Observation],
    results: Sequence[QueryResult],
    known: tuple[Mapping[QueryId, Labels], Corpus],
    spread: Spread,
) -> Diagnostics:
    """The diagnostics of one system's measured requests, for the labels and the corpus that are `known`."""
    labels, corpus = known
    trusted = [seen for seen in observations if seen.trusted]
    items = corpus.items
    pictures = {doc_id: item.preview.digest for doc_id, item in items.items()}
    groups = {doc_id: item.template_group for doc_id, item in items.items()}
    bare = {d for d, item in items.items() if not item.preview.path}
    nameless = {d for d, item in items.items() if not item.rights.attribution}
    shares = {
        "exact_duplicates": [_shown(seen, _repeats(seen.drawn, pictures)) for seen in trusted],
        "repeated_groups": [_shown(seen, _repeats(seen.drawn, groups)) for seen in trusted],
        "missing_preview": [_shown(seen, sum(d in bare for d in seen.drawn)) for seen in trusted],
        "missing_attribution": [_shown(seen, sum(d in nameless for d in seen.drawn)) for seen in trusted],
        "judged": [Counted(row.topic.query_id, row.judged, row.shown) for row in results],
        "ties": list(_ties(trusted)),
        "repeatable": list(_repeatable(observations)),
    }
    return Diagnostics(
        **{name: share(counts, spread) for name, counts in shares.items()},
        contributions=_contributions(trusted, [row.topic for row in results], labels),
    )


def share(counts: Sequence[Counted], spread: Spread) -> Share:
    """The share with its interval; a resample in which nothing is seen counts as 0 of 0, so 0."""
    table = np.zeros((spread.weights.shape[1], 2), dtype=np.int64)
    for query_id, part, whole in counts:
        table[spread.column[query_id]] += part, whole
    part, whole = table.sum(axis=0).tolist()
    if not whole:
        return Share(part=part, whole=whole, interval=None)
    parts, wholes = exact_product(spread.weights, table).T
    low, high = interval(np.divide(parts, wholes, out=np.zeros(len(parts)), where=wholes > 0))
    return Share(part=part, whole=whole, interval=Interval(low=low, high=high))


def _shown(seen: Observation, part: int) -> Counted:
    return Counted(seen.query_id, part, len(seen.drawn))


def _repeats(shown: Sequence[DocId], kind: Mapping[DocId, str]) -> int:
    """Results that are of one kind with a result above them."""
    return len(shown) - len({kind[doc_id] for doc_id in shown})


def _ties(trusted: Iterable[Observation]) -> Iterator[Counted]:
    for seen in trusted:
        if seen.ties is not None:
            yield Counted(seen.query_id, seen.ties, len(seen.returned))


def _repeatable(observations: Iterable[Observation]) -> Iterator[Counted]:
    """Of the queries asked more than once, those whose every request can be trusted and drew the same list."""
    requests: dict[QueryId, list[Observation]] = {}
    for seen in observations:
        requests.setdefault(seen.query_id, []).append(seen)
    for query_id, asked in requests.items():
        same = all(seen.trusted and seen.drawn == asked[0].drawn for seen in asked)
        again = len(asked) > 1
        yield Counted(query_id, int(again and same), int(again))


def _contributions(
    trusted: Iterable[Observation], topics: Iterable[Topic], labels: Mapping[QueryId, Labels]
) -> tuple[Contribution, ...]:
    slices = {topic.query_id: topic.slice for topic in topics}
    counts: dict[Slice, dict[str, int]] = {s: dict.fromkeys(_FIELDS, 0) for s in Slice}
    for seen in trusted:
        grades = labels[seen.query_id].grades
        for doc_id, routes in zip(seen.drawn, seen.routes, strict=True):
            name = _route_name(routes)
            counts[slices[seen.query_id]][name] += 1
            if grades.get(doc_id, 0.0) >= RELEVANT_FROM:
                counts[slices[seen.query_id]][f"relevant_{name}"] += 1
    return tuple(Contribution(slice=s, **found) for s, found in counts.items())


_NAMES = ("lexical_only", "dense_only", "both")
_FIELDS = (*_NAMES, *(f"relevant_{name}" for name in _NAMES))


def _route_name(routes: Sequence[str]) -> str:
    if set(routes) == {"lexical", "dense"}:
        return "both"
    return "dense_only" if "dense" in routes else "lexical_only"
