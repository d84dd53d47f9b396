"""From the log of the suites to the verdict on every rule."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from runner.errors import Findings
from runner.provenance.chain import BrokenChain, follow
from runner.provenance.rawlog import plan_digest
from runner.provenance.suites import protocol, publication, restoration
from runner.provenance.suites.plan import SuitesPlan
from runner.provenance.suites.rules import PROTOCOL, PUBLICATION, RESTORATION, Rule, rows
from runner.retrieval.suites import EndingRow, GatesReport, RuleRow, gates_report
from runner.terminal.rawlog import Close
from runner.terminal.suite_log import Begun, Case, Ended, Part, SuiteEvent, parse_suites

NOT_THERE = "the suites were not run"
NOT_TRIED = "it was not tried, since what it needs did not come about"


class SuiteLog(NamedTuple):
    """The log of the suites: its plan, its events in order, its last link (hex), the digest of the plan's line."""

    plan: SuitesPlan
    events: tuple[SuiteEvent, ...]
    chain: str
    plan_digest: str


class Stretch(NamedTuple):
    """The events of one suite, and why it was not run to its end (empty if it was)."""

    events: tuple[SuiteEvent, ...]
    not_run: str


def open_suite_log(plan: bytes, data: bytes, name: str) -> SuiteLog:
    """The log in `data` that the driver wrote for `plan`; Findings where a line was changed, dropped or added."""
    try:
        head = follow(plan_digest(plan), data.splitlines(keepends=True))
    except BrokenChain as error:
        raise Findings(f"{name}: {error}.", advice="The raw log was altered.") from None
    events = parse_suites(data, name)
    if not events or not isinstance(events[-1], Close):
        raise Findings(f"{name}: does not end with a close event.", advice="The run did not end well.")
    return SuiteLog(SuitesPlan.parse(plan, f"{name}: plan"), events, head, f"sha256:{plan_digest(plan)}")


def judge_suites(system: str, log: SuiteLog, versions: Mapping[str, str]) -> GatesReport:
    """Every rule of every suite on what the log shows; `versions` is what hello must say."""
    talk = protocol_rows(stretch(log.events, Part.PROTOCOL), protocol.Expected(log.plan.texts[0], versions))
    releases = publication_rows(stretch(log.events, Part.PUBLICATION))
    terminal, endings = restoration_rows(stretch(log.events, Part.RESTORATION))
    return gates_report(system, (*talk, *releases, *terminal), endings)


def protocol_rows(part: Stretch, expected: protocol.Expected) -> tuple[RuleRow, ...]:
    """The rows of the suite about the release protocol."""
    found = protocol.judge(part.events, expected) if part.events else {}
    whole = protocol.complete(part.events, expected.text)
    return rows(PROTOCOL, found, _all(PROTOCOL, part.not_run or ("" if whole else "not every case was tried")))


def publication_rows(part: Stretch) -> tuple[RuleRow, ...]:
    """The rows of the suite about publication and rollback."""
    judged = publication.judge(part.events)
    return rows(PUBLICATION, judged.found, _untried(PUBLICATION, judged.tried, part.not_run))


def restoration_rows(part: Stretch) -> tuple[tuple[RuleRow, ...], tuple[EndingRow, ...]]:
    """The rows of the suite about restoring the terminal, and its table."""
    judged = restoration.judge(part.events)
    found = rows(RESTORATION, judged.found, _untried(RESTORATION, judged.tried, part.not_run))
    return found, judged.endings


def _untried(rules: Sequence[Rule], tried: Collection[str], reason: str) -> dict[str, str]:
    """Why each rule was not run: all of them for one reason, if there is one, else those that were not tried."""
    return _all(rules, reason) or {rule.id: NOT_TRIED for rule in rules if rule.id not in tried}


def _all(rules: Sequence[Rule], reason: str) -> dict[str, str]:
    """One reason for all of them; nothing where there is none."""
    return {rule.id: reason for rule in rules} if reason else {}


def stretch(events: Sequence[SuiteEvent], part: Part) -> Stretch:
    """What belongs to one suite; of one that broke off not the case in which it did, which can show nothing."""
    inside, found, reason = False, list[SuiteEvent](), NOT_THERE
    for event in events:
        if isinstance(event, Begun) and event.part is part:
            inside, reason = True, "the suite broke off"
        elif isinstance(event, Ended) and event.part is part:
            inside, reason = False, event.reason
        elif inside:
            found.append(event)
    return Stretch(tuple(_without_last_case(found) if inside else found), reason)


def _without_last_case(events: Sequence[SuiteEvent]) -> Sequence[SuiteEvent]:
    """The events before the last case with a name."""
    starts = [number for number, event in enumerate(events) if isinstance(event, Case) and event.name]
    return events[: starts[-1]] if starts else events


def no_gates(system: str, reason: str) -> GatesReport:
    """The report of a system whose suites were not run."""
    return gates_report(system, rows(ALL_RULES, {}, _all(ALL_RULES, reason)), ())


ALL_RULES: tuple[Rule, ...] = (*PROTOCOL, *PUBLICATION, *RESTORATION)
