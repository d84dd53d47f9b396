"""Reads figures back off the rows of a card: enough to resample them, and to see whether they hold together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.retrieval.bootstrap import Resamples, resample
from runner.retrieval.gates import FixedGates, Suite, Verdict
from runner.retrieval.measures.names import Measure
from runner.retrieval.paired import SCORE, figures
from runner.retrieval.rows import ScoredSample, score_sample
from runner.retrieval.sample import Families, FamilyTotals, Part, families_of, sum_up
from runner.retrieval.scorecard import QueryRow, SystemRow
from runner.retrieval.topics import Slice

# The rows hold six decimals, so a mean of them is off by half a unit of the last at most, and a score by a hundred.
_NEAR, _NEAR_SCORE = 1.5e-6, 1.5e-4

# No figure here depends on the gates that rest on none.
_NEUTRAL = FixedGates(False, dict.fromkeys(Suite, Verdict.PASS))


def totals_of(rows: Sequence[QueryRow]) -> tuple[Families, FamilyTotals]:
    """The families of a card's queries, and one system's figures by family."""
    families = families_of(rows)
    parts = [
        Part(
            row, {Measure(name): value for name, value in row.figures.items()}, row.errors + row.timeouts, row.requests
        )
        for row in rows
    ]
    times = [(ns, families.column[row.query_id]) for row in rows for ns in row.latencies_ns]
    return families, sum_up(parts, times, families)


def samples_of(row: SystemRow, resamples: Resamples | None = None) -> tuple[ScoredSample, ScoredSample]:
    """A system's figures as they are and in every resample; the same families are drawn as when the card was made."""
    families, totals = totals_of(row.queries)
    weights = (resamples or resample(totals.members)).weights
    return score_sample(totals, families.once, _NEUTRAL), score_sample(totals, weights, _NEUTRAL)


def faults(row: SystemRow, queries: int) -> Iterator[str]:
    """Why a row is void, if it is: what is missing, or does not follow from the row's own queries."""
    yield from _missing(row, queries)
    yield from _requests(row)


def contradictions(row: SystemRow) -> Iterator[str]:
    """Figures of a row without faults that do not follow from its queries."""
    families, totals = totals_of(row.queries)
    point = score_sample(totals, families.once, _NEUTRAL)
    said = {SCORE: row.uncapped, **{name: part.value for name, part in row.components}}
    for name, values in figures(point):
        near = _NEAR_SCORE if name == SCORE else _NEAR
        if name in said and abs(said[name] - values.item()) > near:
            yield f"{name} says {said[name]:.6f}, its queries give {values.item():.6f}"


def _missing(row: SystemRow, queries: int) -> Iterator[str]:
    for what, groups in (
        ("slices have no line", [line.group for line in row.slices]),
        ("slices have no query", [query.slice for query in row.queries]),
    ):
        lacking = [str(one) for one in Slice if one not in groups]
        if lacking:
            yield f"{what}: {', '.join(lacking)}"
    if len({query.query_id for query in row.queries}) != queries or len(row.queries) != queries:
        yield f"it has {len(row.queries)} queries, the partition {queries}"


def _requests(row: SystemRow) -> Iterator[str]:
    for query in row.queries:
        if query.requests < 1:
            yield f"query {query.query_id} was never asked"
        elif len(query.latencies_ns) != query.requests or query.errors + query.timeouts > query.requests:
            yield f"query {query.query_id} has {query.requests} requests, but other numbers of times or failures"
        if any(not 0 <= value <= 1 for value in query.figures.values()):
            yield f"query {query.query_id} has a figure outside 0 to 1"
        if query.figures.keys() - set(Measure):
            yield f"query {query.query_id} has a measure that is none"
