"""What the page tells of each system beyond its card: requests, times straight at the engine, moments in casts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from runner.provenance.manifest import SystemManifest
from runner.retrieval.corpora import Corpus
from runner.retrieval.partitions import Partition
from runner.retrieval.runs import Observation
from runner.retrieval.topics import QueryId
from runner.workflows.evidence import SystemEvidence
from runner.workflows.report.moments import Moment, first_moments


class Ground(NamedTuple):
    """What all systems of a card were held against, and the manifest of each, in the order of the rows."""

    partition: Partition
    corpus: Corpus
    manifests: tuple[SystemManifest, ...]


class Trace(NamedTuple):
    """One system's requests in the order sent, times of the engine path, and where each query stands in a cast."""

    system: str
    observations: tuple[Observation, ...]
    engine_ns: tuple[int, ...]
    moments: Mapping[QueryId, Moment]


def trace(one: SystemEvidence) -> Trace:
    """The trace in all that is known of one system."""
    return Trace(
        system=one.system,
        observations=one.observations,
        engine_ns=tuple(request.latency_ns for request in one.engine),
        moments=first_moments(one.system, one.log.searches),
    )
