"""The scorecard for people who read text: `scorecard.md`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from runner.counts import counted
from runner.provenance.card import Scorecard, against
from runner.provenance.instrument_table import COLUMNS, instrument_rows
from runner.provenance.pairs_markdown import acceptance_tables, moves_tables, pair_tables, power_note, power_table
from runner.provenance.performance_markdown import performance_tables
from runner.provenance.suites_markdown import Table, suite_tables
from runner.provenance.versions import VersionTuple
from runner.retrieval.diagnostics import SHARES
from runner.retrieval.estimates import Estimate
from runner.retrieval.gates import Verdict
from runner.retrieval.latency import milliseconds
from runner.retrieval.measures.names import Measure
from runner.retrieval.score import Components
from runner.retrieval.scorecard import GateRow, GroupRow, SystemRow
from runner.retrieval.suites import GatesReport

Cells = Sequence[str]

_LEGEND = (
    "Q order, E exact targets, C hits and rightly empty lists, S safe lists, L speed, R reliability: "
    "the project's docs/score.md explains them, docs/decisions.md every number like D7.\n"
)


def render(card: Scorecard) -> str:
    """The card in Markdown: status, score and reasons first."""
    parts = [_head(card), _overview(card.systems)]
    gates = {report.system: _suites(report) for report in card.gates}
    parts += [_system(row, gates.get(row.system, "")) for row in card.systems]
    parts += [*_drawn(pair_tables(card)), *_drawn(moves_tables(card)), *_drawn([power_table(card)]), power_note(card)]
    parts += _drawn(acceptance_tables(card))
    parts += [_floors(card), _instrument(card), _versions(card.versions), _LEGEND]
    return "\n".join(part for part in parts if part)


def _head(card: Scorecard) -> str:
    lines = [f"# Scorecard {card.run_id}", ""]
    for row in card.systems:
        lines += [_verdict(row), ""]
        if against(row):
            lines += [f"Against it: {_text(against(row))}.", ""]
    lines += [f"**{card.standing}**{', because' if card.reasons else ''}", ""]
    lines += [f"- {_text(reason)}" for reason in card.reasons]
    about = card.partition
    lines += [
        "",
        f"Partition {about.name} {about.version} ({about.kind}): {counted(about.queries, 'query', 'queries')} "
        f"in {counted(about.families, 'family', 'families')}, "
        f"checked by certificate {about.certificate}. "
        "Brackets hold 95 % intervals: of the family bootstrap, and after `W` Wilson's with n = families.",
        "",
        *([card.tries.sentence, ""] if card.tries else []),
    ]
    return "\n".join(lines)


def _verdict(row: SystemRow) -> str:
    return f"**{row.system}: {row.status}, {row.score:.2f} of 100** ({row.band}; uncapped {row.uncapped:.2f})"


def _overview(rows: Sequence[SystemRow]) -> str:
    names = Components._fields
    body = [
        (
            row.system,
            row.status,
            f"{row.score:.2f}",
            f"{row.uncapped:.2f} [{row.uncertainty.uncapped.low:.2f}, {row.uncertainty.uncapped.high:.2f}]",
            *(_estimate(getattr(row.components, name)) for name in names),
        )
        for row in rows
    ]
    return _section("## Score", ("system", "status", "score", "uncapped", *names), body)


def _system(row: SystemRow, suites: str) -> str:
    parts = (
        f"## {row.system}\n",
        _violations(row),
        _gates(row),
        suites,
        _groups("### Slices", row.slices, _SCORED),
        _groups("### Subsets", row.subsets, _SCORED),
        _groups("### For diagnosis", (*row.slices, *row.subsets), _DIAGNOSTIC),
        *(_section(table.title, table.columns, table.body) for table in performance_tables(row)),
        _stability(row),
        _diagnostics(row),
        _failed(row),
    )
    return "\n".join(part for part in parts if part)


def _drawn(tables: Iterable[Table]) -> Iterator[str]:
    return (_section(table.title, table.columns, table.body) for table in tables)


def _suites(report: GatesReport) -> str:
    tables = (_section(table.title, table.columns, table.body) for table in suite_tables(report))
    return "\n".join(table for table in tables if table)


def _violations(row: SystemRow) -> str:
    body = [
        (seen.kind, seen.query_id or "", seen.doc_id or "", seen.detail or "", str(seen.times))
        for seen in row.violations
    ]
    return _section("### Critical violations", ("kind", "query", "item", "detail", "times"), body)


def _gates(row: SystemRow) -> str:
    spread = row.uncertainty
    note = (
        f"Of {spread.resamples} resamples ({spread.redrawn} redrawn) a fraction of {spread.passing_every_gate:.4f} "
        f"passes every gate, {spread.passing_measured_gates:.4f} every gate on a figure. Gated score in the resamples: "
        f"median {spread.gated.p50:.2f}, 95 % between {spread.gated.p2_5:.2f} and {spread.gated.p97_5:.2f}.\n"
    )
    body = [_gate(gate) for gate in row.gates]
    return _section("### Gates", ("gate", "value", "wanted", "verdict", "resamples passed"), body) + "\n" + note


def _gate(gate: GateRow) -> Cells:
    value = _estimate(gate.estimate) if gate.estimate else ""
    wanted = gate.rule if gate.threshold is None else f"{gate.rule} {gate.threshold:g}"
    verdict = gate.verdict if gate.verdict is Verdict.PASS else f"**{gate.verdict}**"
    passed = "" if gate.resamples_passed is None else f"{gate.resamples_passed:.4f}"
    return gate.name, value, wanted, verdict, passed


_DIAGNOSTIC = (Measure.HIT_1, Measure.HIT_5, Measure.RECALL, Measure.RR)
_SCORED = tuple(measure for measure in Measure if measure not in _DIAGNOSTIC)


def _groups(title: str, rows: Sequence[GroupRow], measures: Sequence[Measure]) -> str:
    body = [
        (
            row.group,
            f"{row.queries} ({row.families})",
            *(_estimate(row.figures[measure]) if measure in row.figures else "" for measure in measures),
        )
        for row in rows
        if any(measure in row.figures for measure in measures)
    ]
    return _section(title, ("", "queries (families)", *measures), body)


def _stability(row: SystemRow) -> str:
    found = row.stability
    lines = [f"### Stability: {'stable' if found.stable else 'unstable'}", ""]
    lines += [f"- {_text(reason)}" for reason in found.reasons]
    least, most = min(found.block_medians_ns), max(found.block_medians_ns)
    halves, firsts = (
        " and ".join(map(milliseconds, pair))
        for pair in (found.half_p95_ns, (found.first_median_ns, found.repeated_median_ns))
    )
    blocks = counted(len(found.block_medians_ns), "block")
    lines += [
        f"- medians of {blocks}: {milliseconds(least)} to {milliseconds(most)} ms",
        f"- p95 of the halves: {halves} ms",
        f"- medians of first-seen and repeated requests: {firsts} ms",
        "",
    ]
    return "\n".join(lines)


def _diagnostics(row: SystemRow) -> str:
    found = row.diagnostics
    shares = [(words, getattr(found, name).text) for name, words in SHARES.items()]
    table = _section("### Diagnostics (not scored)", ("", "share"), shares)
    body = [
        (
            each.slice,
            f"{each.lexical_only} ({each.relevant_lexical_only})",
            f"{each.dense_only} ({each.relevant_dense_only})",
            f"{each.both} ({each.relevant_both})",
        )
        for each in found.contributions
    ]
    columns = ("results shown (relevant ones), by route", "lexical only", "dense only", "both")
    return table + "\n" + _table(columns, body)


def _failed(row: SystemRow) -> str:
    body = [(each.query_id, each.slice, "; ".join(each.failures)) for each in row.failed]
    return _section("### Queries that failed", ("query", "slice", "what"), body)


def _floors(card: Scorecard) -> str:
    body = [
        (f.name, str(f.n), milliseconds(f.p50_ns), milliseconds(f.p95_ns), milliseconds(f.max_ns)) for f in card.floors
    ]
    return _section("## Floors of the measuring itself", ("", "n", "p50 ms", "p95 ms", "max ms"), body)


def _instrument(card: Scorecard) -> str:
    body = [row for one in card.instrument for row in instrument_rows(one)]
    return _section("## Checks of the instrument (not scored)", COLUMNS, body)


def _versions(versions: Sequence[VersionTuple]) -> str:
    tables = [dict(_facts(version)) for version in versions]
    names = dict.fromkeys(name for table in tables for name in table if name != "system")
    body = [(name, *(table.get(name, "") for table in tables)) for name in names]
    return _section("## Versions", ("", *(version.system for version in versions)), body)


def _facts(version: VersionTuple) -> Iterator[tuple[str, str]]:
    for name, value in version.model_dump(mode="json").items():
        if isinstance(value, dict):
            yield from ((f"{name}: {key}", str(each)) for key, each in sorted(value.items()))
        else:
            yield name.replace("_", " "), "none" if value is None else str(value)


def _section(title: str, columns: Cells, body: Sequence[Cells]) -> str:
    """A titled table; nothing where the table has no rows."""
    return f"{title}\n\n{_table(columns, body)}" if body else ""


def _table(columns: Cells, body: Sequence[Cells]) -> str:
    rows: Iterable[Cells] = (columns, ["---"] * len(columns), *body)
    return "".join(f"| {' | '.join(map(_text, row))} |\n" for row in rows)


def _text(words: str) -> str:
    """`words` on one line, unable to end a table cell or open markup."""
    flat = " ".join(words.split())
    return "".join(f"\\{c}" if c in "|\\<`" else c for c in flat)


def _estimate(estimate: Estimate) -> str:
    shown = f"{estimate.value:.3f} [{estimate.interval.low:.3f}, {estimate.interval.high:.3f}]"
    wilson = estimate.wilson
    return f"{shown} W [{wilson.low:.3f}, {wilson.high:.3f}]" if wilson else shown
