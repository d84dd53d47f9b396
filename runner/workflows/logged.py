"""Holds a result against the steward's log: its entries, how many tries came before, the head that was witnessed."""

from __future__ import annotations

from collections.abc import Iterator

from runner.counts import counted
from runner.errors import Findings
from runner.provenance.journal import Entry, Outcome, RunLog, place_at
from runner.provenance.run_lock import RunLock
from runner.provenance.signatures import Signed
from runner.provenance.statement import WITNESS, ScoredRun, WitnessedRun
from runner.provenance.trust import Seen
from runner.workflows.seal import attempt_of


def held_log(log: RunLog, lock: RunLock, signed: Signed) -> Iterator[str]:
    """Where the log says something else of a run than its lock, its statement and its witness."""
    run = signed.statement.predicate
    for name, index in (("where the run begins", lock.log.index), ("where it was sealed", run.log_index)):
        if index >= log.size:
            entries = counted(log.size, "entry", "entries")
            yield f"{log.name}: has {entries}, and none {index}, {name}: it was cut, or is another log."
            return
    yield from _begins(log, lock)
    yield from _sealed(log, lock, signed)
    if signed.witnessed is not None:
        yield from _as_witnessed(log, signed.witnessed)


def names_run(log: RunLog, lock: RunLock) -> bool:
    """Whether a log has an entry under the name of this run, whatever else that says."""
    return any(entry.run.run_id == lock.run_id for entry in log.entries)


def _begins(log: RunLog, lock: RunLock) -> Iterator[str]:
    entry = log.entries[lock.log.index]
    if entry.outcome is not Outcome.BEGUN or entry.run != attempt_of(lock):
        yield f"{_at(log, entry)}: is not the start of {lock.run_id} under its lock."
    elif place_at(log, lock.log.index) != lock.log:
        yield f"{_at(log, entry)}: {place_at(log, lock.log.index)!r} is what comes before, locked is {lock.log!r}."


def _sealed(log: RunLog, lock: RunLock, signed: Signed) -> Iterator[str]:
    run: ScoredRun = signed.statement.predicate
    entry = log.entries[run.log_index]
    if entry.statement != signed.payload or entry.run != attempt_of(lock) or entry.at != run.signed_at:
        yield f"{_at(log, entry)}: is not the end of {run.run_id} with the statement that was signed."
    elif log.heads[run.log_index] != run.log_head:
        yield f"{_at(log, entry)}: follows another head than the one that was signed."


def _as_witnessed(log: RunLog, said: WitnessedRun) -> Iterator[str]:
    if log.size < said.log_entries or log.heads[said.log_entries] != said.log_head:
        yield (
            f"{log.name}: does not end in {said.log_head[:12]} at entry {said.log_entries}, as {WITNESS} has it: "
            "it is not the log that was witnessed."
        )


def hold_growth(log: RunLog, seen: Seen) -> None:
    """Findings unless the log only grew since it was witnessed last."""
    if log.size < seen.log_entries:
        entries = counted(log.size, "entry", "entries")
        what = f"{log.name}: has {entries}, but had {seen.log_entries} when it was witnessed: it was cut."
        raise Findings(what, advice="Sign nothing, and ask the steward.")
    if log.heads[seen.log_entries] != seen.log_head:
        what = f"{log.name}: another head after entry {seen.log_entries} was witnessed: it was forked or rewritten."
        raise Findings(what, advice="Sign nothing, and ask the steward.")


def _at(log: RunLog, entry: Entry) -> str:
    return f"{log.name}:{entry.index + 1}"
