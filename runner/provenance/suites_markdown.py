"""How a system's suites ended, for the scorecard in Markdown: which rules are broken, and the table of endings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from runner.retrieval.gates import Verdict
from runner.retrieval.suites import EndingRow, GatesReport

Cells = Sequence[str]


class Table(NamedTuple):
    """A titled table; `title` may be empty."""

    title: str
    columns: Cells
    body: Sequence[Cells]


def suite_tables(report: GatesReport) -> Iterator[Table]:
    """The counts of each suite, the rules that do not pass, and what each ending left of the terminal."""
    columns = ("suite", "verdict", "rules", "PASS", "FAIL", "NOT RUN")
    yield Table("### Suites", columns, [_counts(report, number) for number in range(len(report.suites))])
    broken = [row for row in report.rules if row.verdict is not Verdict.PASS]
    body: list[Cells] = [(row.suite, row.rule, row.sentence, row.verdict, row.found) for row in broken]
    yield Table("### Rules that do not pass", ("suite", "rule", "what must hold", "verdict", "found"), body)
    if report.endings:
        modes = tuple(report.endings[0].modes)
        body = [_ending(row, modes) for row in report.endings]
        yield Table("### The terminal after each ending", ("ending", "moment", "exit", *modes), body)


def _counts(report: GatesReport, number: int) -> Cells:
    result = report.suites[number]
    verdicts = [row.verdict for row in report.rules if row.suite is result.suite]
    counts = [str(verdicts.count(verdict)) for verdict in (Verdict.PASS, Verdict.FAIL, Verdict.NOT_RUN)]
    return result.suite, result.verdict, str(len(verdicts)), *counts


def _ending(row: EndingRow, modes: Sequence[str]) -> Cells:
    status = "none" if row.status is None else str(row.status)
    shown = status if row.status == row.expected else f"**{status}, not {row.expected}**"
    return row.ending, row.moment, shown, *(_MARKS[row.modes[mode]] for mode in modes)


_MARKS = {Verdict.PASS: "✓ PASS", Verdict.FAIL: "**✗ FAIL**", Verdict.NOT_RUN: "**? NOT RUN**"}
