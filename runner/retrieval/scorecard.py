"""One row of the scorecard: everything published about one system, numbers rounded to six decimals."""

from __future__ import annotations

from runner.documents import Document
from runner.retrieval.diagnostics import Diagnostics
from runner.retrieval.estimates import Estimate, Interval, Rounded
from runner.retrieval.gates import Verdict
from runner.retrieval.histogram import ScoreHistogram
from runner.retrieval.latency import TimeSummary
from runner.retrieval.score import Band
from runner.retrieval.stability import Stability
from runner.retrieval.topics import Slice
from runner.retrieval.violations import CriticalViolation


class ComponentRow(Document):
    """The six inputs of the score; n counts queries, for L and R requests."""

    Q: Estimate
    E: Estimate
    C: Estimate
    S: Estimate
    L: Estimate
    R: Estimate


class GroupRow(Document):
    """One slice or subset: its figures by the name of the measure."""

    group: str
    queries: int
    families: int
    figures: dict[str, Estimate]


class GateRow(Document):
    """One gate; n counts queries, for times and failures requests.

    One that rests on no figure (violations, suites) has neither value nor share of resamples.
    """

    name: str
    rule: str
    threshold: Rounded | None
    estimate: Estimate | None
    verdict: Verdict
    resamples_passed: Rounded | None


class GatedSpread(Document):
    """Percentiles of the gated score over the resamples."""

    p2_5: Rounded
    p25: Rounded
    p50: Rounded
    p75: Rounded
    p97_5: Rounded


class Uncertainty(Document):
    """The family bootstrap of the score. `passing_*` are fractions of resamples, not probabilities."""

    resamples: int
    redrawn: int
    seed: int
    uncapped: Interval
    gated: GatedSpread
    distribution: ScoreHistogram
    passing_every_gate: Rounded
    passing_measured_gates: Rounded


class Resources(Document):
    """How the system came up and what it held; null where it is not on record.

    Load: from the start of a process until it serves (the engine accepts a connection, the UI has drawn a typing
    frame). `first_answer_ns`: from the start of the engine to the first done frame. Peaks are of one process, without
    its children. `index_bytes` is the engine's own word, in its handshake.
    """

    engine_load_ns: int | None
    ui_load_ns: int | None
    first_answer_ns: int | None
    engine_peak_bytes: int | None
    ui_peak_bytes: int | None
    index_bytes: int | None


class Pipeline(Document):
    """One build of a release in the suites: all documents of the corpus indexed. Not scored.

    It is the corpus of the image, and vectors that the image has already may be used again, as the bundled system does;
    how fast vectors are made from nothing, `nox -s bench -- engine` measures.
    """

    documents: int
    build_ns: int

    @property
    def per_second(self) -> float:
        """Documents indexed a second."""
        return self.documents / (self.build_ns / 1e9)


class Performance(Document):
    """Both paths in nanoseconds; only the UI path is scored. The intervals are the family bootstrap's.

    Those of the engine path are null where a family was not asked there.
    """

    ui: TimeSummary
    ui_p50_ns: tuple[int, int]
    ui_p95_ns: tuple[int, int]
    ui_p99_ns: tuple[int, int]
    engine: TimeSummary | None
    engine_p50_ns: tuple[int, int] | None
    engine_p95_ns: tuple[int, int] | None
    engine_p99_ns: tuple[int, int] | None
    resources: Resources | None
    pipeline: Pipeline | None


class FailedQuery(Document):
    """A query on which something that should have happened did not; what not every request had says how many had it."""

    query_id: str
    slice: Slice
    failures: tuple[str, ...]


class QueryRow(Document):
    """One query by hand: means over its requests; null where a measure does not apply.

    With its flags and the time of each request in nanoseconds, in the order sent, the rows are all that a card's
    figures follow from, so that a card can be held against itself and two of them compared. `figures` stand at full
    width, since what follows from rounded ones would differ in its last digits.
    """

    query_id: str
    slice: Slice
    family: str
    safety_flag: bool
    multi_cue_flag: bool
    requests: int
    latencies_ns: tuple[int, ...]
    errors: int
    timeouts: int
    lists: int
    judged: int
    shown: int
    dcg: Rounded | None
    ideal_dcg: Rounded | None
    figures: dict[str, float]


class SystemRow(Document):
    """A system's result: status, score, and everything it follows from. `score` and `uncapped` are out of 100."""

    system: str
    status: Verdict
    score: Rounded
    uncapped: Rounded
    band: Band
    uncertainty: Uncertainty
    components: ComponentRow
    slices: tuple[GroupRow, ...]
    subsets: tuple[GroupRow, ...]
    gates: tuple[GateRow, ...]
    violations: tuple[CriticalViolation, ...]
    performance: Performance
    stability: Stability
    diagnostics: Diagnostics
    failed: tuple[FailedQuery, ...]
    queries: tuple[QueryRow, ...]
