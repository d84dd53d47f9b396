"""Makes of several runs of the same on one host the spread that later runs are held against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.counts import counted
from runner.errors import Findings, UsageError
from runner.provenance.card import Scorecard
from runner.provenance.host_spread import HostSpread, Spread, SpreadRun, SystemSpread, Timed
from runner.provenance.statement import STATEMENT
from runner.provenance.versions import VersionTuple, differences, repeat_differences
from runner.retrieval.latency import milliseconds
from runner.retrieval.repeated import median_and_tail
from runner.workflows.repeat import Side

#: Fewer runs show little of what a host does to times.
LEAST_RUNS = 5
_PACKAGE = "package "


def host_spread(sides: Sequence[Side]) -> HostSpread:
    """The spread among results of the same requests; Findings where two of them are not, or not of one host."""
    names = {side.card.run_id for side in sides}
    if len(names) < max(LEAST_RUNS, len(sides)):
        raise UsageError(
            f"{counted(len(names), 'different run')} of {len(sides)} given; at least {LEAST_RUNS} are needed.",
            advice="Name each result once, and run it again where there are too few.",
        )
    first, *others = sides
    for other in others:
        for difference in _unlike(first.card, other.card):
            what = f"{other.card.run_id} is no repetition of {first.card.run_id} on one host: {difference}."
            raise Findings(what, advice="Give runs of one manifest and image on one machine.")
    return HostSpread(
        format="mambomeme/host-spread/v1",
        host=_host(first.card.versions[0]),
        runs=tuple(SpreadRun(run_id=side.card.run_id, statement=side.digests[STATEMENT]) for side in sides),
        systems=tuple(_system(versions, sides) for versions in first.card.versions),
    )


def _system(versions: VersionTuple, sides: Sequence[Side]) -> SystemSpread:
    times = [median_and_tail(seen.latency_ns for seen in side.of(versions.system)) for side in sides]
    medians, tails = zip(*times, strict=True)
    return SystemSpread(of=Timed.of(versions), p50=Spread.over(medians), p95=Spread.over(tails))


def _unlike(one: Scorecard, other: Scorecard) -> Iterator[str]:
    systems = [[versions.system for versions in card.versions] for card in (one, other)]
    if systems[0] != systems[1]:
        yield f"systems: {', '.join(systems[0])}; {', '.join(systems[1])}"
        return
    for this, that in zip(one.versions, other.versions, strict=True):
        yield from differences(this, that)
        yield from repeat_differences(this, that)
        if _host(this) != _host(that):
            yield f"host: {_host(this)}; {_host(that)}"


def _host(versions: VersionTuple) -> dict[str, str]:
    return {name: fact for name, fact in versions.runtime.items() if not name.startswith(_PACKAGE)}


def spread_screen(found: HostSpread) -> str:
    """Each system's p50 and p95 in every run, with the least, the greatest, and how many times the one is the other."""
    lines = [f"{counted(len(found.runs), 'run')} on one host: {', '.join(found.host.values())}"]
    for row in found.systems:
        for name, spread in (("p50", row.p50), ("p95", row.p95)):
            each = " ".join(map(milliseconds, spread.each_ns))
            between = f"{milliseconds(spread.least_ns)} to {milliseconds(spread.greatest_ns)} ms"
            lines += [f"  {row.of.system:<12}{name}  {between}, ratio {spread.ratio:.3f}", f"      {each}"]
    return "\n".join(lines)
