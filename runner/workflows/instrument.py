"""Reads back what the instrument noticed inside a run; where it missed what was there, no figure of the run holds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn

from runner.errors import BadInput, Findings
from runner.provenance.rawlog import RawLog, follow_files
from runner.retrieval.instrument import (
    BadFrame,
    Drift,
    InjectedTimeout,
    Instrument,
    SlowCanary,
    TamperedRecord,
    slow_canary,
)
from runner.retrieval.instrument import drift as drift_of
from runner.retrieval.latency import NS_PER_MS
from runner.retrieval.runs import Observation, Outcome, Violation
from runner.terminal.episodes import Episode, episodes
from runner.terminal.instrument import ANSWERS, RETURNED, TIME_LIMIT_MS, Check
from runner.terminal.rawlog import Finish, Phase, RawFile, Result
from runner.workflows.names import PLAN
from runner.workflows.observe import Bounds, measured_latency, observe

_BOUNDS = Bounds(TIME_LIMIT_MS, hold_ms=0)
_STAMP = re.compile(rb'\A\{"t":([0-9]+)')


class _Seen(NamedTuple):
    """An answer of the null UI as it was planned, as the driver recorded it, and as it is scored."""

    delay_ns: int
    result: Result
    observation: Observation


def read_instrument(log: RawLog, files: Mapping[str, bytes], observations: Sequence[Observation]) -> Instrument:
    """The checks of one system's run. `files` are those of the result; `observations` what the system was asked.

    Findings name the check that missed what it had to notice.
    """
    seen = _seen(log.instrument)
    return Instrument(
        system=log.plan.system.name,
        slow=_slow(log.instrument.name, seen[Check.SLOW]),
        timeout=_timeout(log.instrument.name, seen[Check.TIMEOUT][0]),
        frame=_frame(log.instrument.name, seen[Check.FRAME][0], seen[Check.SLOW]),
        record=_tampered(log, files),
        drift=_drift(log.repeat, observations),
    )


def _missed(where: str, check: Check, expected: str, found: str) -> NoReturn:
    raise Findings(
        f"{where}: instrument check {check.value!r}: expected {expected}, found {found}.",
        advice="The instrument cannot be relied on, so no figure of this run holds.",
    )


def _seen(file: RawFile) -> dict[Check, list[_Seen]]:
    """The answers by check; each was asked for, in its order, and came to its end."""
    results = [event.result for event in file.events if isinstance(event, Finish)]
    try:
        observations = observe([_as_block(file)], RETURNED, _BOUNDS, Phase.CHECK)
    except BadInput as error:
        raise Findings(f"{file.name}: the instrument checks cannot be read: {error.what}") from None
    found: dict[Check, list[_Seen]] = {}
    for number, answer in enumerate(ANSWERS):
        if number >= len(observations) or number >= len(results):
            _missed(file.name, answer.check, "an answer of the null UI", "none")
        one = _Seen(answer.delay_ms * NS_PER_MS, results[number], observations[number])
        found.setdefault(answer.check, []).append(one)
    return found


def _as_block(file: RawFile) -> RawFile:
    """The file as one that holds requests: they stand in no block."""
    return file._replace(events=(file.opening._replace(block=0), *file.events[1:]))


def _slow(where: str, seen: Sequence[_Seen]) -> SlowCanary:
    for one in seen:
        if one.observation.outcome is not Outcome.ANSWERED:
            _missed(where, Check.SLOW, "an answer", f"{one.observation.outcome}: {one.observation.reason}")
    found = slow_canary(seen[0].delay_ns, [one.observation.latency_ns for one in seen])
    if not found.noticed:
        wanted = f"a median of {found.delay_ns} ns to {found.tolerance_ns} ns more"
        _missed(where, Check.SLOW, wanted, f"{found.median_ns} ns")
    return found


def _timeout(where: str, seen: _Seen) -> InjectedTimeout:
    found = InjectedTimeout(
        limit_ns=TIME_LIMIT_MS * NS_PER_MS,
        delay_ns=seen.delay_ns,
        result=seen.result,
        outcome=seen.observation.outcome,
        charged_ns=seen.observation.latency_ns,
    )
    if seen.result is not Result.TIMEOUT:
        _missed(where, Check.TIMEOUT, f"the driver's record to say {Result.TIMEOUT}", found.result)
    if found.outcome is not Outcome.TIMEOUT or found.charged_ns != found.limit_ns:
        wanted = f"{Outcome.TIMEOUT}, charged {found.limit_ns} ns"
        _missed(where, Check.TIMEOUT, wanted, f"{found.outcome}, charged {found.charged_ns} ns")
    return found


def _frame(where: str, seen: _Seen, right: Sequence[_Seen]) -> BadFrame:
    """The frame that is wrong must be found so, and those that are right must not."""
    for one in right:
        if one.observation.violations or one.observation.drawn != one.observation.returned:
            _missed(where, Check.FRAME, "nothing to be said of a right frame", str(one.observation.reason))
    bad = seen.observation
    if Violation.DRAWN_DIFFERS not in bad.violations or bad.drawn == bad.returned:
        drawn = "the same list drawn" if bad.drawn == bad.returned else "it passed as the same"
        _missed(where, Check.FRAME, "another list drawn than returned, and noticed", drawn)
    return BadFrame(returned=bad.returned, drawn=bad.drawn, found=bad.reason or "", right=len(right))


def _tampered(log: RawLog, files: Mapping[str, bytes]) -> TamperedRecord:
    """Alter the stamp of one record in a copy of the raw log, and see that the chain check names it.

    The log's last link decides which, so that nobody knows it before the run.
    """
    where = log.instrument.name.rpartition("/")[0]
    raw = {file.name.rpartition("/")[2]: files[file.name] for file in log.files}
    places = [(name, number) for name, data in raw.items() for number in range(1, data.count(b"\n") + 1)]
    name, line = places[int(log.chain, 16) % len(places)]
    found = _said_of({**raw, name: _altered(raw[name], line)}, files[f"{where}/{PLAN}"], where)
    if not found.startswith(f"{where}/{name}: line {line}:"):
        _missed(f"{where}/{name}", Check.RECORD, f"the altered line {line} to be named", found or "nothing")
    return TamperedRecord(file=name, line=line, of=len(places), found=found)


def _said_of(raw: Mapping[str, bytes], plan: bytes, where: str) -> str:
    """What the chain check finds; empty where it finds nothing."""
    try:
        follow_files(plan, raw, where)
    except Findings as error:
        return error.what
    return ""


def _altered(data: bytes, line: int) -> bytes:
    """The file with the stamp of one line later by a nanosecond."""
    lines = data.splitlines(keepends=True)
    lines[line - 1] = _STAMP.sub(lambda stamp: b'{"t":%d' % (int(stamp[1]) + 1), lines[line - 1])
    return b"".join(lines)


def _drift(repeat: RawFile, observations: Sequence[Observation]) -> Drift | None:
    first = {one.query_id: one.latency_ns for one in observations if one.block == 1 and not one.outcome.failed}
    answered = [one for one in episodes([_as_block(repeat)]) if _answered(one)]
    return drift_of(first, {one.begin.query_id: measured_latency(one) for one in answered})


def _answered(one: Episode) -> bool:
    return one.finish.result is Result.DONE and one.moments.done is not None
