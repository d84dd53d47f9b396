"""Scores a run: observations against a partition, to the scorecard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from runner.documents import Digest
from runner.errors import BadInput, VoidRun
from runner.provenance.card import Floor, PartitionLine, Scorecard, Standing
from runner.provenance.tries import Tries
from runner.provenance.versions import VersionTuple
from runner.retrieval.bootstrap import Resamples, resample
from runner.retrieval.corpora import Corpus
from runner.retrieval.diagnostics import diagnose
from runner.retrieval.eligibility import partition_reasons, row_reasons
from runner.retrieval.evaluation import Labels, QueryResult, evaluate, label
from runner.retrieval.gates import FixedGates, SuiteResult, suite_verdicts
from runner.retrieval.instrument import Instrument
from runner.retrieval.latency import summarise
from runner.retrieval.paired import pairs, power
from runner.retrieval.partitions import Partition
from runner.retrieval.query_rows import failed_queries, query_rows
from runner.retrieval.rows import RowMaker, ScoredSample, score_sample
from runner.retrieval.runs import EngineRequest, Observation
from runner.retrieval.sample import Families, FamilyTotals, Spread, families_of, family_totals, parts_of
from runner.retrieval.score import SCORE_VERSION
from runner.retrieval.scorecard import Performance, Pipeline, Resources, SystemRow
from runner.retrieval.stability import HostLoad, judge_stability
from runner.retrieval.suites import GatesReport
from runner.retrieval.time_intervals import asked_everywhere, time_intervals
from runner.retrieval.topics import QueryId
from runner.retrieval.violations import CriticalViolation, violations_seen


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What a card says that neither observations nor partition hold.

    `certificate` is the digest of the partition's. `versions` has one tuple for each system, in the order of the rows.
    `tries` is null where observations are scored without a run.
    `violations` are those seen outside the requests (network, files, digests). `gates` are the rules behind `suites`.
    `reasons` are those against eligibility that only the caller can know.
    """

    run_id: str
    certificate: Digest
    versions: tuple[VersionTuple, ...]
    tries: Tries | None = None
    violations: tuple[CriticalViolation, ...] = ()
    suites: tuple[SuiteResult, ...] = ()
    gates: tuple[GatesReport, ...] = ()
    hosts: tuple[HostLoad, ...] = ()
    engine: tuple[EngineRequest, ...] = ()
    resources: Mapping[str, Resources] = field(default_factory=dict)
    pipelines: Mapping[str, Pipeline] = field(default_factory=dict)
    floors: tuple[Floor, ...] = ()
    instrument: tuple[Instrument, ...] = ()
    reasons: tuple[str, ...] = ()


class TestCollection(NamedTuple):
    """What every system is held against: documents, queries and labels, and the families they are resampled by."""

    partition: Partition
    corpus: Corpus
    labels: Mapping[QueryId, Labels]
    families: Families


class SystemRun(NamedTuple):
    """One system's requests, in the order they were sent, and what they come to."""

    name: str
    observations: Sequence[Observation]
    results: tuple[QueryResult, ...]
    totals: FamilyTotals


class Held(NamedTuple):
    """A system held against the gates: as it ran, and in every resample."""

    run: SystemRun
    violations: tuple[CriticalViolation, ...]
    fixed: FixedGates
    point: ScoredSample
    spread: ScoredSample


def score(observations: Sequence[Observation], partition: Partition, corpus: Corpus, facts: RunFacts) -> Scorecard:
    """The scorecard of a run: the same bytes for the same arguments, on any machine.

    VoidRun where a system was not asked every query; BadInput where facts and observations are not of one run.
    """
    _refuse_mixture(observations, partition, corpus, facts)
    collection = TestCollection(partition, corpus, label(partition, corpus), families_of(partition.topics))
    runs = [_evaluated(version.system, observations, collection) for version in facts.versions]
    resamples = resample(runs[0].totals.members)
    held = [_held(run, collection, resamples, facts) for run in runs]
    rows = tuple(_row(one, collection, resamples, facts) for one in held)
    samples = {one.run.name: (one.point, one.spread) for one in held}
    found = pairs(samples)
    reasons = (*facts.reasons, *partition_reasons(partition, corpus), *row_reasons(rows))
    return Scorecard(
        format="mambomeme/scorecard/v1",
        run_id=facts.run_id,
        standing=Standing.PROVISIONAL if reasons else Standing.ELIGIBLE,
        reasons=tuple(dict.fromkeys(reasons)),
        partition=_partition_line(collection, facts.certificate),
        tries=facts.tries,
        systems=rows,
        pairs=found,
        power=power(samples, found),
        versions=facts.versions,
        floors=facts.floors,
        instrument=facts.instrument,
        gates=facts.gates,
    )


def _refuse_mixture(observations: Sequence[Observation], partition: Partition, corpus: Corpus, facts: RunFacts) -> None:
    names = [version.system for version in facts.versions]
    if not names or len(set(names)) < len(names):
        raise BadInput(f"versions: name each system of the run once, found {names}.")
    strange = {seen.system for seen in observations} - set(names)
    if strange:
        raise BadInput(f"observations of {min(strange)}, which has no versions.")
    expected = (partition.digest, partition.judgement_set, corpus.digest, SCORE_VERSION)
    for version in facts.versions:
        found = (version.partition, version.judgement_set, version.corpus, version.score)
        for name, said, is_ in zip(("partition", "judgement_set", "corpus", "score"), found, expected, strict=True):
            if said != is_:
                raise BadInput(f"versions of {version.system}: {name} says {said}, but {is_} is scored.")


def _evaluated(system: str, observations: Sequence[Observation], collection: TestCollection) -> SystemRun:
    own = [seen for seen in observations if seen.system == system]
    if not own:
        raise VoidRun(f"{system}: no request was measured.", advice="Run again.")
    results = evaluate(own, collection.partition, collection.labels)
    return SystemRun(system, own, results, family_totals(results, own, collection.families))


def _held(run: SystemRun, collection: TestCollection, resamples: Resamples, facts: RunFacts) -> Held:
    violations = (
        *(violation for violation in facts.violations if violation.system == run.name),
        *violations_seen(run.observations, collection.labels, collection.corpus),
    )
    fixed = FixedGates(bool(violations), suite_verdicts(run.name, facts.suites))
    point = score_sample(run.totals, collection.families.once, fixed)
    return Held(run, violations, fixed, point, score_sample(run.totals, resamples.weights, fixed))


def _row(held: Held, collection: TestCollection, resamples: Resamples, facts: RunFacts) -> SystemRow:
    run = held.run
    spread = Spread(collection.families.column, resamples.weights)
    queries = query_rows(run.results, run.observations)
    figures = RowMaker(parts_of(run.results), held.point, held.spread, held.fixed).figures(resamples)
    return SystemRow(
        system=run.name,
        **figures._asdict(),
        violations=held.violations,
        performance=_performance(run, spread, facts),
        stability=judge_stability(run.observations, _host(run.name, facts)),
        diagnostics=diagnose(run.observations, run.results, (collection.labels, collection.corpus), spread),
        failed=failed_queries(queries),
        queries=queries,
    )


def _performance(run: SystemRun, spread: Spread, facts: RunFacts) -> Performance:
    ui = time_intervals([(seen.query_id, seen.latency_ns) for seen in run.observations], spread)
    engine = [request for request in facts.engine if request.system == run.name]
    times = [(request.query_id, request.latency_ns) for request in engine]
    alone = time_intervals(times, spread) if asked_everywhere(times, spread) else None
    return Performance(
        ui=summarise((seen.outcome, seen.latency_ns) for seen in run.observations),
        ui_p50_ns=ui.p50,
        ui_p95_ns=ui.p95,
        ui_p99_ns=ui.p99,
        engine=summarise((request.outcome, request.latency_ns) for request in engine) if engine else None,
        engine_p50_ns=alone and alone.p50,
        engine_p95_ns=alone and alone.p95,
        engine_p99_ns=alone and alone.p99,
        resources=facts.resources.get(run.name),
        pipeline=facts.pipelines.get(run.name),
    )


def _host(system: str, facts: RunFacts) -> HostLoad | None:
    return next((host for host in facts.hosts if host.system == system), None)


def _partition_line(collection: TestCollection, certificate: Digest) -> PartitionLine:
    card = collection.partition.card
    return PartitionLine(
        name=card.name,
        version=card.version,
        kind=card.kind,
        queries=len(collection.partition.topics),
        families=len(collection.families.names),
        certificate=certificate,
    )
