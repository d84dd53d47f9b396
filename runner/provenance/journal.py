"""The steward's append-only log of runs: a hash-chained line when a run begins, and another for how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple, Self

from runner.documents import Digest, Document, Source, canonical_bytes, parse_json
from runner.errors import BadInput, Findings
from runner.provenance.chain import BrokenChain, follow, seal
from runner.provenance.statement import Stamp
from runner.provenance.tries import Count, LogPlace, RunId, Tries

FIRST_HEAD = "0" * 64
ALTERED = "The log of runs was altered; restore it."
_TAIL = len('"}\n')


class Outcome(StrEnum):
    """What an entry says of its run. One that was killed has begun and has no end."""

    BEGUN = "begun"
    SEALED = "sealed"
    VOID = "void"


class Attempt(Document):
    """A run as its entries name it: by the digests of its lock, its partition and its manifest."""

    run_id: RunId
    lock: Digest
    partition: Digest
    manifest: Digest


class Entry(Document):
    """One line of the log. `statement` is the digest of the signed payload of a sealed run, and null otherwise."""

    index: Count
    outcome: Outcome
    at: Stamp
    run: Attempt
    statement: Digest | None


class RunLog(NamedTuple):
    """A whole log: its entries, and the head before each of them and after the last."""

    name: str
    entries: tuple[Entry, ...]
    heads: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many entries there are; the index of the next one."""
        return len(self.entries)

    @property
    def head(self) -> str:
        """The head that the next entry follows."""
        return self.heads[-1]

    def followed_by(self, entry: Entry) -> tuple[Self, bytes]:
        """This log with one more entry, and the line to append."""
        _hold_order((*self.entries, entry), self.name)
        line, head = seal(self.head, entry.model_dump(mode="json"))
        return self._replace(entries=(*self.entries, entry), heads=(*self.heads, head)), line

    def is_open(self, run_id: str) -> bool:
        """Whether a run has begun and not ended."""
        own = [entry.outcome for entry in self.entries if entry.run.run_id == run_id]
        return own == [Outcome.BEGUN]


EMPTY = RunLog("results/log.jsonl", (), (FIRST_HEAD,))


def place_of(log: RunLog, partition: Digest, manifest: Digest) -> LogPlace:
    """Where a run of `partition` by `manifest` stands that begins now, and which try it is."""
    return LogPlace(index=log.size, head=log.head, tries=_tries(log.entries, partition, manifest))


def place_at(log: RunLog, index: int) -> LogPlace:
    """Where the run that entry `index` begins stood then."""
    before = log._replace(entries=log.entries[:index], heads=log.heads[: index + 1])
    run = log.entries[index].run
    return place_of(before, run.partition, run.manifest)


def read_log(source: Source) -> RunLog:
    """The log in a file; Findings where it was cut, changed or reordered."""
    lines = source.data.splitlines(keepends=True)
    try:
        follow(FIRST_HEAD, lines)
    except BrokenChain as error:
        raise Findings(f"{source.where}: {error}.", advice=ALTERED) from None
    entries = tuple(_entry(line, f"{source.where}:{number}") for number, line in enumerate(lines, 1))
    _hold_order(entries, source.where)
    heads = (FIRST_HEAD, *(line[-64 - _TAIL : -_TAIL].decode() for line in lines))
    return RunLog(source.where, entries, heads)


def _tries(entries: Sequence[Entry], partition: Digest, manifest: Digest) -> Tries:
    begun = [entry.run for entry in entries if entry.outcome is Outcome.BEGUN]
    sealed = {entry.run.run_id for entry in entries if entry.outcome is Outcome.SEALED}
    same = [run.run_id for run in begun if run.partition == partition]
    return Tries(
        partition=len(same) + 1,
        manifest=sum(run.manifest == manifest for run in begun) + 1,
        unsealed=len(set(same) - sealed),
    )


def _entry(line: bytes, where: str) -> Entry:
    value = parse_json(line, where)
    value.pop("chain", None)
    try:
        return Entry.parse(canonical_bytes(value), where)
    except BadInput as error:
        raise Findings(error.what, advice="It is no line of this version; move the log away, or restore it.") from None


def _hold_order(entries: Sequence[Entry], name: str) -> None:
    for wrong in _out_of_order(entries):
        raise Findings(f"{name}:{wrong}", advice=ALTERED)


def _out_of_order(entries: Sequence[Entry]) -> Iterator[str]:
    """Every run begins once, ends at most once after that, and only a sealed one has a statement."""
    open_runs: dict[str, Attempt] = {}
    seen: set[str] = set()
    for number, entry in enumerate(entries):
        run = entry.run
        if entry.index != number:
            yield f"{number + 1}: index: is not {number}."
        elif (entry.outcome is Outcome.SEALED) != (entry.statement is not None):
            yield f"{number + 1}: statement: a sealed run has one, and no other."
        elif entry.outcome is Outcome.BEGUN:
            if run.run_id in seen:
                yield f"{number + 1}: run: {run.run_id} begins twice."
            open_runs[run.run_id] = run
            seen.add(run.run_id)
        elif open_runs.pop(run.run_id, None) != run:
            yield f"{number + 1}: run: {run.run_id} ends, but did not begin like that or ended before."
