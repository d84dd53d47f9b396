"""How the three suites ended for one system, rule by rule: `gates/<system>.json`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from runner.documents import Document
from runner.retrieval.gates import Suite, SuiteResult, Verdict


class RuleRow(Document):
    """One rule of a suite; `found` is what was seen against it, or why it was not run, and empty for a pass."""

    suite: Suite
    rule: str
    sentence: str
    verdict: Verdict
    found: str


class EndingRow(Document):
    """One way of ending the UI at one moment: exit status expected and found (null: it did not end, or by a signal),
    and for each mode of the terminal whether it was as before."""

    ending: str
    moment: str
    expected: int
    status: int | None
    modes: dict[str, Verdict]


class GatesReport(Document):
    """`gates/<system>.json`: the verdict of each suite, every rule, and the table of endings."""

    format: Literal["mambomeme/gates/v1"]
    system: str
    suites: tuple[SuiteResult, ...]
    rules: tuple[RuleRow, ...]
    endings: tuple[EndingRow, ...]


def together(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of a whole: FAIL if any part fails, else NOT RUN if any was not run or there is none, else PASS."""
    found = set(verdicts) or {Verdict.NOT_RUN}
    return next(verdict for verdict in (Verdict.FAIL, Verdict.NOT_RUN, Verdict.PASS) if verdict in found)


def gates_report(system: str, rules: tuple[RuleRow, ...], endings: tuple[EndingRow, ...]) -> GatesReport:
    """The report of `system` on these rows, a suite passing if all of its rules do."""
    return GatesReport(
        format="mambomeme/gates/v1",
        system=system,
        suites=tuple(
            SuiteResult(
                system=system, suite=suite, verdict=together(row.verdict for row in rules if row.suite is suite)
            )
            for suite in Suite
        ),
        rules=rules,
        endings=endings,
    )
