"""Says whether a result is what its steward signed, and whether that makes it official (D31)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from runner.documents import digest
from runner.errors import BadInput, CannotDecide, Findings
from runner.ports import ResultFolder
from runner.provenance.rawlog import RawLog, open_raw_log
from runner.provenance.statement import ENVELOPES, Card, Label, Statement
from runner.provenance.trust import OFFICIAL, SIGNED, Signed, Signer, Trust, open_envelopes, shortfall
from runner.retrieval.runs import Observation
from runner.workflows.evidence import PLAN, REPORT
from runner.workflows.observe import Bounds, observe
from runner.workflows.products import OBSERVATIONS, RAW

#: One thing to check of a result whose files are as signed; yields what is wrong, naming the file.
Check = Callable[[ResultFolder, Statement], Iterable[str]]


class Verified(NamedTuple):
    """A result that is as signed. `reasons` say why it is not official; empty if it is."""

    run_id: str
    card: Card
    signers: tuple[Signer, ...]
    reasons: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def official(self) -> bool:
        """Whether an eligible card carries all signatures that the trust file asks for."""
        return not self.reasons


def verify(folder: ResultFolder, trust: Trust, now: str, checks: Sequence[Check]) -> Verified:
    """Check signatures, then files, then `checks` in turn; Findings (all of the first kind) or CannotDecide."""
    signed = open_envelopes(_envelopes(folder), trust, now, SIGNED)
    for check in (check_files, *checks):
        findings = _run(check, folder, signed.statement)
        if findings:
            raise Findings("\n".join(findings))
    run = signed.statement.predicate
    return Verified(run.run_id, run.card, signed.signers, tuple(_unofficial(signed, trust)), signed.notes)


def check_files(folder: ResultFolder, statement: Statement) -> Iterator[str]:
    """Every signed file is there and unchanged, and there is no other."""
    names = set(folder.names()) - set(ENVELOPES)
    for name, expected in statement.digests.items():
        if name not in names:
            yield f"{name}: was signed, but is missing."
            continue
        found = digest(folder.read(name))
        if found != expected:
            yield f"{name}: expected {expected}, found {found}."
    for name in sorted(names - set(statement.digests)):
        yield f"{name}: was not signed."


def check_raw_logs(folder: ResultFolder, _statement: Statement) -> Iterator[str]:
    """Every system's raw log follows from its plan, line by line, and is what was planned."""
    for system in systems(folder):
        try:
            read_raw_log(folder, system)
        except (Findings, BadInput) as error:
            yield str(error)


def screens_check(titles: Mapping[str, str]) -> Check:
    """The check that the kept observations are what the raw logs show; `titles` are the pinned corpus's."""

    def check(folder: ResultFolder, _statement: Statement) -> Iterator[str]:
        kept = Observation.parse_lines(folder.read(OBSERVATIONS), OBSERVATIONS)
        for system in sorted({*systems(folder), *(one.system for one in kept)}):
            lines = [(number, one) for number, one in enumerate(kept, 1) if one.system == system]
            yield from _compare(lines, observe_system(folder, system, titles), system)

    return check


def observe_system(folder: ResultFolder, system: str, titles: Mapping[str, str]) -> tuple[Observation, ...]:
    """The observations that one system's raw log gives."""
    log = read_raw_log(folder, system)
    limits = log.plan.limits
    return observe(log.searches, titles, Bounds(limits.time_limit_ms, limits.hold_ms))


def systems(folder: ResultFolder) -> tuple[str, ...]:
    """The systems that have a raw log, in the order of their names."""
    return tuple(sorted({name.split("/")[1] for name in folder.names() if name.startswith(RAW + "/")}))


def read_raw_log(folder: ResultFolder, system: str) -> RawLog:
    """The raw log of `system`, its chain checked."""
    where = f"{RAW}/{system}"
    found = {name.removeprefix(where + "/"): name for name in folder.names() if name.startswith(where + "/")}
    if PLAN not in found:
        raise Findings(f"{where}/{PLAN}: missing, so the chain has no start.")
    files = {short: folder.read(name) for short, name in found.items() if short not in {PLAN, REPORT}}
    return open_raw_log(folder.read(f"{where}/{PLAN}"), files, where)


def _envelopes(folder: ResultFolder) -> dict[str, bytes]:
    found = {name: folder.read(name) for name in ENVELOPES if name in folder.names()}
    if ENVELOPES[0] not in found:
        raise CannotDecide(f"{ENVELOPES[0]}: missing.", advice="This result was never sealed, so it proves nothing.")
    return found


def _run(check: Check, folder: ResultFolder, statement: Statement) -> list[str]:
    try:
        return list(check(folder, statement))
    except (Findings, BadInput) as error:
        return [str(error)]


def _unofficial(signed: Signed, trust: Trust) -> Iterator[str]:
    if signed.statement.predicate.card.label is not Label.ELIGIBLE:
        yield "the card is provisional"
    yield from shortfall(signed.signers, {**OFFICIAL, **trust.policy})


def _compare(kept: Sequence[tuple[int, Observation]], seen: Sequence[Observation], system: str) -> Iterator[str]:
    """The first line that differs; what follows from it would only repeat it."""
    for (number, old), new in zip(kept, seen, strict=False):
        if old != new:
            yield f"{OBSERVATIONS}:{number}: {_first_difference(old, new)}"
            return
    if len(kept) != len(seen):
        yield f"{OBSERVATIONS}: holds {len(kept)} requests of {system} where its raw log shows {len(seen)}."


def _first_difference(kept: Observation, seen: Observation) -> str:
    field = next(name for name in Observation.model_fields if getattr(kept, name) != getattr(seen, name))
    return f"{field}: says {getattr(kept, field)!r}, but the raw log of {seen.system} shows {getattr(seen, field)!r}."
