"""Makes again what a public card can show to be so: it has no queries, yet much of it follows from the rest of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations

import numpy as np

from runner.provenance.card import Scorecard
from runner.provenance.kept_card import fixed_gates, framed
from runner.retrieval.estimates import Estimate
from runner.retrieval.gates import MEASURED, MeasuredGate, Verdict
from runner.retrieval.groups import Subset
from runner.retrieval.latency import NS_PER_MS, TimeSummary
from runner.retrieval.measures.names import Measure
from runner.retrieval.paired import SCORE, Difference, Pair, slice_figure
from runner.retrieval.rows import fixed_row
from runner.retrieval.score import CAP, Components, aggregate, band, latency_credit, reliability_credit
from runner.retrieval.scorecard import ComponentRow, GateRow, SystemRow
from runner.retrieval.topics import ANSWERABLE, Slice

# Six decimals are on the card, so a figure made of them is off by one of the last, and a score by a hundred.
_NEAR, _NEAR_SCORE = 1e-6, 1e-4


def remake_public(card: Scorecard) -> Scorecard:
    """A public card as its own figures give it; what only queries could give stays as it is said."""
    rows = tuple(_row(row, card) for row in card.systems)
    return card.model_copy(update={**framed(card, rows), "pairs": tuple(_pairs(card, rows))})


def _row(row: SystemRow, card: Scorecard) -> SystemRow:
    fixed = fixed_gates(card, row)
    parts = _components(row)
    said = {gate.name: gate for gate in row.gates}
    measured = (_measured(gate, said.get(gate.name), row) for gate in MEASURED)
    gates = (fixed_row(fixed.violation), *measured, *map(fixed_row, fixed.suite_gates))
    passed = all(gate.verdict is Verdict.PASS for gate in gates)
    values = Components(*(np.array([part.value]) for _, part in parts))
    uncapped = _near(row.uncapped, aggregate(values).item(), _NEAR_SCORE)
    score = 0.0 if fixed.critical else uncapped if passed else min(uncapped, CAP)
    made = {
        "status": Verdict.PASS if passed else Verdict.FAIL,
        "score": score,
        "uncapped": uncapped,
        "band": row.band if row.band in {band(score - _NEAR), band(score + _NEAR)} else band(score),
        "components": parts,
        "gates": gates,
    }
    return row.model_copy(update=made)


def _components(row: SystemRow) -> ComponentRow:
    """L and R follow from the times on the card."""
    ui = row.performance.ui
    credit = {
        "L": latency_credit(np.array([ui.p95_ns])),
        "R": reliability_credit(np.array([ui.errors + ui.timeouts]), np.array([ui.n])),
    }
    made = {
        name: getattr(row.components, name).model_copy(update={"value": round(value.item(), 6) + 0.0})
        for name, value in credit.items()
    }
    return row.components.model_copy(update=made)


def _measured(gate: MeasuredGate, said: GateRow | None, row: SystemRow) -> GateRow:
    """The gate on the figure that stands elsewhere on the row, or on its own where none does."""
    estimate = _elsewhere(gate, row) or (said.estimate if said else None)
    verdict = said.verdict if said else Verdict.NOT_RUN
    if estimate is not None and abs(estimate.value - gate.threshold) > _NEAR:
        above = estimate.value > gate.threshold
        verdict = Verdict.PASS if above == (gate.rule == ">=") else Verdict.FAIL
    return GateRow(
        name=gate.name,
        rule=gate.rule,
        threshold=gate.threshold,
        estimate=estimate,
        verdict=verdict,
        resamples_passed=said.resamples_passed if said else None,
    )


def _elsewhere(gate: MeasuredGate, row: SystemRow) -> Estimate | None:
    """The same figure on another line of the row, or null."""
    if gate.name in _TIMES:
        said = next((each.estimate for each in row.gates if each.name == gate.name), None)
        return said and said.model_copy(update={"value": round(_TIMES[gate.name](row.performance.ui), 6)})
    if gate.name in _COMPONENTS:
        found: Estimate = getattr(row.components, _COMPONENTS[gate.name])
        return found
    group, measure = _LINES.get(gate.name, ("", ""))
    lines = {line.group: line.figures for line in (*row.slices, *row.subsets)}
    return lines.get(group, {}).get(measure)


_TIMES: Mapping[str, Callable[[TimeSummary], float]] = {
    "submit-to-render p95, ms": lambda ui: ui.p95_ns / NS_PER_MS,
    "error and timeout rate": lambda ui: (ui.errors + ui.timeouts) / ui.n,
}
_COMPONENTS = {"ExactMRR@10": "E", "safe-list rate S": "S"}
_LINES: Mapping[str, tuple[str, str]] = {
    **{slice_figure(each): (each.value, Measure.NDCG.value) for each in ANSWERABLE},
    "answerable Hit@10": (Subset.ANSWERABLE.value, Measure.HIT_10.value),
    "CorrectEmpty": (Slice.NO_MATCH.value, Measure.CORRECT_EMPTY.value),
    "answerable safety-slice Hit@10": (Subset.SAFETY_ANSWERABLE.value, Measure.HIT_10.value),
}


def _pairs(card: Scorecard, rows: tuple[SystemRow, ...]) -> Iterator[Pair]:
    """All pairs, or none; their intervals are as said, since only queries could give them."""
    said = {(pair.one, pair.other): pair for pair in card.pairs}
    for other, one in combinations(rows, 2) if said else ():
        found = said.get((one.system, other.system), Pair(one=one.system, other=other.system, differences=()))
        mine, theirs = _figures(one), _figures(other)
        differences = tuple(_difference(each, mine, theirs) for each in found.differences)
        yield found.model_copy(update={"differences": differences})


def _difference(said: Difference, mine: Mapping[str, float], theirs: Mapping[str, float]) -> Difference:
    one, other = mine.get(said.figure, said.one), theirs.get(said.figure, said.other)
    value = said.value if abs(said.value - (one - other)) <= _NEAR else round(one - other, 6)
    return said.model_copy(update={"one": one, "other": other, "value": value})


def _figures(row: SystemRow) -> Mapping[str, float]:
    """What systems are compared by, as far as the row has it."""
    gates = {gate.name: gate.estimate.value for gate in row.gates if gate.estimate is not None}
    hit = {f"{Measure.HIT_10} answerable": gates["answerable Hit@10"]} if "answerable Hit@10" in gates else {}
    return {SCORE: row.uncapped, **{name: part.value for name, part in row.components}, **gates, **hit}


def _near(said: float, made: float, by: float) -> float:
    """What is said, where it is as near to what was made as rounding leaves it."""
    return said if abs(said - made) <= by else made
