"""What is reported about lists but not scored: duplicates, gaps, routes, coverage of judgements, repeatability."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from runner.documents import Document
from runner.retrieval.corpora import Corpus
from runner.retrieval.evaluation import Labels, QueryResult
from runner.retrieval.items import DocId
from runner.retrieval.measures.findability import RELEVANT_FROM
from runner.retrieval.runs import Observation
from runner.retrieval.topics import QueryId, Slice, Topic


class Share(Document):
    """`part` of `whole`, as counts: over all measured requests unless said otherwise."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        """The share; 0 of 0 is 0."""
        return self.part / self.whole if self.whole else 0.0


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
    """Reported, not scored. The first five shares are of results shown, `repeatable` of queries."""

    exact_duplicates: Share
    repeated_groups: Share
    missing_preview: Share
    missing_attribution: Share
    judged: Share
    repeatable: Share
    contributions: tuple[Contribution, ...]


def diagnose(
    observations: Sequence[Observation],
    results: Sequence[QueryResult],
    labels: Mapping[QueryId, Labels],
    corpus: Corpus,
) -> Diagnostics:
    """The diagnostics of one system's measured requests."""
    lists = [seen.drawn for seen in observations if not seen.outcome.failed and not seen.violations]
    items = corpus.items
    pictures = {doc_id: item.preview.digest for doc_id, item in items.items()}
    groups = {doc_id: item.template_group for doc_id, item in items.items()}
    whole = sum(map(len, lists))
    return Diagnostics(
        exact_duplicates=Share(part=sum(_repeats(shown, pictures) for shown in lists), whole=whole),
        repeated_groups=Share(part=sum(_repeats(shown, groups) for shown in lists), whole=whole),
        missing_preview=_share(lists, {d for d, item in items.items() if not item.preview.path}),
        missing_attribution=_share(lists, {d for d, item in items.items() if not item.rights.attribution}),
        judged=Share(part=sum(r.judged for r in results), whole=sum(r.shown for r in results)),
        repeatable=Share(part=sum(r.lists <= 1 for r in results), whole=len(results)),
        contributions=_contributions(observations, [r.topic for r in results], labels),
    )


def _repeats(shown: Sequence[DocId], kind: Mapping[DocId, str]) -> int:
    """Results that are of one kind with a result above them."""
    return len(shown) - len({kind[doc_id] for doc_id in shown})


def _share(lists: Iterable[Sequence[DocId]], faulty: set[DocId]) -> Share:
    shown = [doc_id for each in lists for doc_id in each]
    return Share(part=sum(doc_id in faulty for doc_id in shown), whole=len(shown))


def _contributions(
    observations: Iterable[Observation], topics: Iterable[Topic], labels: Mapping[QueryId, Labels]
) -> tuple[Contribution, ...]:
    slices = {topic.query_id: topic.slice for topic in topics}
    counts: dict[Slice, dict[str, int]] = {s: dict.fromkeys(_FIELDS, 0) for s in Slice}
    for seen in observations:
        if seen.outcome.failed:
            continue
        grades = labels[seen.query_id].grades
        for doc_id, routes in zip(seen.returned, seen.routes, strict=True):
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
