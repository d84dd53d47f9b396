"""Opens the raw log of one system: nobody holds its events whose chain did not follow from the plan."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from runner.counts import counted
from runner.errors import Findings
from runner.provenance.chain import BrokenChain, follow
from runner.provenance.plan import Plan, PlannedSearch, PlannedWarmup
from runner.terminal.rawlog import Begin, Exit, Finish, In, Input, Phase, RawFile, Restart, Result
from runner.terminal.rawlog_reader import parse_file

REPEAT, ENGINE, FLOORS = "repeat.jsonl", "engine.jsonl", "floors.jsonl"
INSTRUMENT, AFTER = "instrument.jsonl", "after.jsonl"
#: What follows the blocks, in the order of the chain.
REST = (REPEAT, ENGINE, FLOORS, INSTRUMENT, AFTER)
_BLOCK = re.compile(r"block-([0-9]{3,})\.jsonl")


class RawLog(NamedTuple):
    """The whole raw log of one system; `after` tells what was left, `chain` is its last link (hex)."""

    plan: Plan
    warmup: RawFile
    blocks: tuple[RawFile, ...]
    repeat: RawFile
    engine: RawFile
    floors: RawFile
    instrument: RawFile
    after: RawFile
    chain: str

    @property
    def searches(self) -> tuple[RawFile, ...]:
        """Warm-up and blocks: one continuous story of the terminal."""
        return (self.warmup, *self.blocks)

    @property
    def files(self) -> tuple[RawFile, ...]:
        """All files, in the order of the chain."""
        return (*self.searches, self.repeat, self.engine, self.floors, self.instrument, self.after)


def open_raw_log(plan: bytes, files: Mapping[str, bytes], where: str) -> RawLog:
    """The raw log in `files` (bytes by file name) that the driver wrote for `plan` (its line, newline or not).

    Findings where a line was changed, dropped, added or moved, or something else was sent than planned.
    """
    names = ordered(files, where)
    chain = follow_files(plan, {name: files[name] for name in names}, where)
    read = [parse_file(files[name], f"{where}/{name}") for name in names]
    warmup, *blocks, repeat, engine, floors, instrument, after = read
    log = RawLog(
        plan=Plan.parse(plan, f"{where}: plan"),
        warmup=warmup,
        blocks=tuple(blocks),
        repeat=repeat,
        engine=engine,
        floors=floors,
        instrument=instrument,
        after=after,
        chain=chain,
    )
    _check_schedule(log)
    return log


def ordered(names: Iterable[str], where: str) -> list[str]:
    """Names in the order of the chain: blocks from 000 without a gap, then what follows them."""
    blocks = sorted(name for name in names if _BLOCK.fullmatch(name))
    wanted = [f"block-{number:03}.jsonl" for number in range(max(1, len(blocks)))]
    missing = [name for name in wanted if name not in blocks]
    if missing:
        raise Findings(f"{where}/{missing[0]}: missing; blocks go from 000 on without a gap.")
    for name in REST:
        if name not in names:
            raise Findings(f"{where}/{name}: missing.")
    strange = sorted(set(names) - {*blocks, *REST})
    if strange:
        raise Findings(f"{where}/{strange[0]}: no part of a raw log.")
    return [*blocks, *REST]


def plan_digest(plan: bytes) -> str:
    """Hex digest of the plan's line, without its newline: what the first line of the chain follows."""
    return hashlib.sha256(plan.removesuffix(b"\n")).hexdigest()


def follow_files(plan: bytes, files: Mapping[str, bytes], where: str) -> str:
    """The link (hex) that `files`, in the order of the chain, end in; Findings name the line that does not follow."""
    head = plan_digest(plan)
    for name, data in files.items():
        try:
            head = follow(head, data.splitlines(keepends=True))
        except BrokenChain as error:
            raise Findings(f"{where}/{name}: {error}.", advice="The raw log was altered.") from None
    return head


def _check_schedule(log: RawLog) -> None:
    """What was typed, in which order, and which requests were held, is what the plan says."""
    if len(log.blocks) != len(log.plan.blocks):
        raise Findings(
            f"{log.warmup.name}: {counted(len(log.blocks), 'block')} where {len(log.plan.blocks)} were planned."
        )
    _check_block(log.warmup, Phase.WARMUP, log.plan.warmup[: _warmups_due(log)])
    for file, planned in zip(log.blocks, log.plan.blocks, strict=True):
        _check_block(file, Phase.MEASURED, planned)
    _check_repeat(log)


def _warmups_due(log: RawLog) -> int:
    """How many warm-up searches had to be sent: all, or those up to one that the system did not come through (D14)."""
    events = log.warmup.events
    begins = [place for place, event in enumerate(events) if isinstance(event, Begin) and event.phase is Phase.WARMUP]
    after = events[begins[-1] :] if begins else ()
    broke = any(
        isinstance(event, Restart | Exit) or (isinstance(event, Finish) and event.result is not Result.DONE)
        for event in after
    )
    return len(begins) if broke else len(log.plan.warmup)


def _check_block(file: RawFile, phase: Phase, planned: Sequence[PlannedWarmup | PlannedSearch]) -> None:
    begins = [event for event in file.events if isinstance(event, Begin) and event.phase is phase]
    sent = [(event.query_id, event.text, event.held) for event in begins]
    wanted = [(each.query_id, each.text, isinstance(each, PlannedSearch) and each.held) for each in planned]
    if sent != wanted:
        place = next(
            (n for n, (a, b) in enumerate(zip(sent, wanted, strict=False)) if a != b), min(len(sent), len(wanted))
        )
        raise Findings(f"{file.name}: request {place + 1} of the block is not the planned one.")
    _check_typed(file)


def _check_repeat(log: RawLog) -> None:
    """What was asked again is the first block, or its beginning."""
    planned = log.plan.blocks[0] if log.plan.blocks else ()
    unheld = [each.model_copy(update={"held": False}) for each in planned]
    begins = sum(isinstance(event, Begin) for event in log.repeat.events)
    _check_block(log.repeat, Phase.REPEAT, unheld[:begins])


def _check_typed(file: RawFile) -> None:
    text = ""
    for event in file.events:
        if isinstance(event, Begin):
            text = event.text
        if isinstance(event, In) and event.what is Input.TEXT and event.data != text.encode():
            raise Findings(f"{file.name}: another text was typed than {text!r}.")
