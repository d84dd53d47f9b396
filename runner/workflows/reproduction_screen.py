"""Says in plain text what came of running a result again."""

from __future__ import annotations

from collections.abc import Iterator

from runner.counts import counted
from runner.provenance.reproduction import Equality, Outcome, ReproducedRun
from runner.provenance.trust import Signer
from runner.retrieval.latency import milliseconds
from runner.retrieval.repeated import RepeatedTimes
from runner.workflows.summary import wrapped


def reproduction_screen(run: ReproducedRun) -> str:
    """The outcome first, then what differs, then the times, which decide nothing."""
    return "\n".join(
        [*_outcome(run.equality), *_code(run), "", *(line for times in run.times for line in _times(times))]
    )


def checked_screen(run: ReproducedRun, signers: tuple[Signer, ...], notes: tuple[str, ...]) -> str:
    """As `reproduction_screen`, with who says so."""
    said = [f"  signed by {signer.person} (key {signer.key_id[:8]}) at {run.signed_at}" for signer in signers]
    return "\n".join(
        [f"{run.run_id}, run again as {run.again.run_id}", *said, *map(_note, notes), reproduction_screen(run)]
    )


def _outcome(found: Equality) -> Iterator[str]:
    if found.outcome is Outcome.REPRODUCED:
        yield f"reproduced: lists and quality are equal in all {counted(found.requests, 'request')}"
        return
    where = f"{found.requests_differing} of {counted(found.requests, 'request')}"
    yield f"not reproduced: differs in {where}, {counted(found.differing, 'difference')} in all"
    yield from (wrapped(line, "  - ") for line in found.differences)
    if found.differing > len(found.differences):
        yield f"  and {found.differing - len(found.differences)} more"


def _code(run: ReproducedRun) -> Iterator[str]:
    """Where what runs beside the image was not the same code for certain."""
    again = run.again
    if again.code_commit != run.code_commit:
        yield _note(
            f"run again by the code of commit {again.code_commit[:12]}, first by that of {run.code_commit[:12]}"
        )
    if again.code_commit == "unknown":
        yield _note("run again by code that is no git checkout")
    elif not again.code_clean:
        yield _note(f"run again by code that differs from commit {again.code_commit[:12]}")


def _times(times: RepeatedTimes) -> Iterator[str]:
    spread, by = times.runs or times.spread, f"{counted(times.spread.blocks, 'block')} of the first run"
    if times.runs is not None:
        by = f"{times.runs.runs} runs on one host"
    yield f"  {times.system}: submit to render, which does not decide"
    for name, first, again, (low, high), within in (
        ("p50", times.first_p50_ns, times.again_p50_ns, spread.p50_ns, times.p50_within),
        ("p95", times.first_p95_ns, times.again_p95_ns, spread.p95_ns, times.p95_within),
    ):
        yield f"    {name} {milliseconds(first)} ms, again {milliseconds(again)} ms{_verdict(within, by)}"
        if within is not None:
            yield f"        {by}: {milliseconds(low)} to {milliseconds(high)} ms"
    if times.apart:
        yield f"    held against nothing: {times.apart}"


def _verdict(within: bool | None, by: str) -> str:  # noqa: FBT001 - what came of it
    return "" if within is None else f", {'inside' if within else 'outside'} the spread of {by}"


def _note(note: str) -> str:
    return f"  note: {note}"
