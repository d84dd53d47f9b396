"""Critical violations: each leaves a score of 0 (D24)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from runner.documents import Document
from runner.retrieval.corpora import Corpus
from runner.retrieval.evaluation import Labels
from runner.retrieval.items import DocId, RightsStatus, Safety
from runner.retrieval.runs import Observation
from runner.retrieval.topics import QueryId


class Critical(StrEnum):
    """Kinds of critical violation beside those of `runs.Violation`."""

    CLASS = "displayed: item of class critical"
    RIGHTS = "displayed: item of withdrawn or missing rights"
    PRIVATE = "displayed: item marked as private data"
    EVENTS = "interaction event written without opt-in"
    DOOR = "engine reached past the driver"
    NETWORK = "attempt to reach the network"
    DIGEST = "digest found wrong during or after the run"


class CriticalViolation(Document):
    """One kind of violation by one system, with the query and item to blame, if any. `times` counts requests."""

    system: str
    kind: str
    query_id: QueryId | None = None
    doc_id: DocId | None = None
    detail: str | None = None
    times: int = 1


def violations_seen(
    observations: Iterable[Observation], labels: Mapping[QueryId, Labels], corpus: Corpus
) -> tuple[CriticalViolation, ...]:
    """What the requests of one system show, alike ones put together, in order of first sight.

    Whatever was drawn was displayed, however the request ended.
    """
    counts: dict[CriticalViolation, int] = {}
    for seen in observations:
        for violation in _of(seen, labels[seen.query_id], corpus):
            counts[violation] = counts.get(violation, 0) + 1
    return tuple(violation.model_copy(update={"times": times}) for violation, times in counts.items())


def _of(seen: Observation, labels: Labels, corpus: Corpus) -> Iterator[CriticalViolation]:
    for kind in seen.violations:
        yield CriticalViolation(system=seen.system, kind=kind.value, query_id=seen.query_id)
    for doc_id in dict.fromkeys(seen.drawn):
        for fault in _faults(doc_id, labels, corpus):
            yield CriticalViolation(system=seen.system, kind=fault.value, query_id=seen.query_id, doc_id=doc_id)


def _faults(doc_id: DocId, labels: Labels, corpus: Corpus) -> Iterator[Critical]:
    item = corpus.items.get(doc_id)
    if item is None:
        return
    if labels.classes[doc_id] is Safety.CRITICAL:
        yield Critical.CLASS
    if item.rights.status is not RightsStatus.CLEARED:
        yield Critical.RIGHTS
    if item.private_data:
        yield Critical.PRIVATE
