"""Puts the reports of the judging chain on a screen of plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from runner.counts import counted
from runner.retrieval.agreement import AgreementReport, AgreementRow, Coefficient
from runner.retrieval.coverage import CoverageReport, GateBounds, SystemCoverage
from runner.retrieval.findings import Finding
from runner.retrieval.judgement_sets import JudgementSet
from runner.retrieval.merging import MergeReport
from runner.workflows.merge import DISPUTED
from runner.workflows.rejudge import Rescored


def merge_screen(report: MergeReport, to: Path) -> str:
    """What a merge came to, and what to do next."""
    rules = ", ".join(f"{count} {rule}" for rule, count in report.rules.items())
    lines = [
        f"{counted(report.acts_before, 'act')} before, {report.acts_added} added, "
        f"{counted(report.pairs, 'pair')}: {rules}",
        *(f"{count:>8}  {name}" for name, count in report.annotators.items()),
        *(f"note: {note}" for note in report.notes),
    ]
    if report.disputed:
        lines.append(f"{counted(report.disputed, 'pair waits', 'pairs wait')} for a third annotator: {to / DISPUTED}")
    return "\n".join(lines)


def agreement_screen(report: AgreementReport) -> str:
    """The table by slice, the grades that met, the orders, and what to look into."""
    head = (
        f"{'':<12}{'pairs':>6}{'same':>7}{'near':>7}   {'kappa, quadratic':<24}{'alpha, ordinal':<24}{'kappa, safety'}"
    )
    lines = [
        f"{', '.join(report.first)} and {', '.join(report.second)}: "
        f"{counted(report.pairs, 'pair')}, {report.disputed} disputed",
        f"95 % intervals by {report.resamples} resamples of families (seed {report.seed})",
        "",
        head,
        *map(_agreement_line, report.rows),
        "",
        "grades, first annotator down, second across",
        *("".join(f"{count:>7}" for count in row) for row in report.grades),
    ]
    for order in report.orders:
        ranked = "  ".join(f"{name} {value:.4f}" for name, value in order.quality.items())
        left = f"   ({counted(order.left_out, 'query', 'queries')} left out)" if order.left_out else ""
        lines.append(f"Q by {order.labels}: {ranked}{left}")
    return "\n".join([*lines, *(f"finding: {finding}" for finding in report.findings)])


def coverage_screen(report: CoverageReport) -> str:
    """Each system's judged share, bounds and open gates."""
    lines = [line for row in report.systems for line in _coverage_lines(row)]
    open_gates = sum(gate.verdict is None for row in report.systems for gate in row.gates)
    best = f"{len(report.to_judge)} of them might settle them" if report.to_judge else "judge all to settle them"
    closing = f"{counted(report.unjudged, 'pair shown is', 'pairs shown are')} unjudged; " + (
        f"{counted(open_gates, 'gate is', 'gates are')} open: {best}" if open_gates else "no gate hangs on them"
    )
    return "\n".join([*lines, closing])


def release_screen(kept: JudgementSet, findings: Sequence[Finding], to: Path) -> str:
    """The new set, and what `partition check` has to say of its partition."""
    parent = kept.parent or "no other"
    return "\n".join(
        [
            f"{kept.judgements}",
            f"  follows {parent}; {counted(kept.acts, 'act')}, {counted(kept.pairs, 'pair')}, "
            f"{counted(len(kept.changes), 'change')}",
            f"  in {to}; put it in place of the partition and pin it: ./bench run pin",
            *(f"  finding: {finding}" for finding in findings),
        ]
    )


def rescored_screen(notes: Sequence[Rescored], to: Path) -> str:
    """Each system before and after."""
    lines = []
    for note in notes:
        lines += [f"{note.run_id}: {note.judgement_set_before} -> {note.judgement_set}"]
        lines += [
            f"  {one.system:<12}{one.score_before:.2f} {one.status_before} -> {one.score:.2f} {one.status}"
            f"   Q {one.q_before:.4f} -> {one.q:.4f}"
            for one in note.systems
        ]
        lines.append(f"  {to / note.run_id}")
    return "\n".join(lines)


def _agreement_line(row: AgreementRow) -> str:
    shares = "".join(f"{100 * part / row.pairs:>6.1f}%" for part in (row.same, row.near))
    found = (row.weighted_kappa, row.alpha, row.safety_kappa)
    return f"{row.group:<12}{row.pairs:>6}{shares}   " + "".join(f"{_coefficient(one):<24}" for one in found).rstrip()


def _coefficient(found: Coefficient) -> str:
    if found.value is None:
        return "not defined"
    if found.interval is None:
        return f"{found.value:.3f}"
    return f"{found.value:.3f} [{found.interval.low:.3f}, {found.interval.high:.3f}]"


def _coverage_lines(row: SystemCoverage) -> Iterator[str]:
    shares = {share.group: share for share in row.judged if share.shown}
    yield f"{row.system}"
    yield "  judged@10  " + "  ".join(f"{name} {100 * s.judged / s.shown:.1f}%" for name, s in shares.items())
    for part in row.ndcg:
        name = "Q" if part.group == "Q" else f"nDCG@10 {part.group}"
        yield (
            f"  {name:<18} unjudged at 0: {part.at_0:.4f}   at 3: {part.at_3:.4f}   "
            f"any grades: {part.lowest:.4f} to {part.highest:.4f}"
        )
    yield from (f"  {_gate_line(gate)}" for gate in row.gates if gate.verdict is None)
    settled = sum(gate.verdict is not None for gate in row.gates)
    yield f"  gates that rest on grades: {settled} of {len(row.gates)} settled"


def _gate_line(gate: GateBounds) -> str:
    ways = {"pass": gate.to_pass, "fail": gate.to_fail}
    words = " or ".join(f"{counted(len(pairs), 'pair')} to {way}" for way, pairs in ways.items() if pairs is not None)
    return f"open: {gate.gate} {gate.lowest:.4f} to {gate.highest:.4f} around {gate.threshold:g}: judge {words}"
