"""Holds a run against a later one of the same requests: what must come out equal, and apart from it the times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from runner.documents import Document
from runner.retrieval.latency import percentile
from runner.retrieval.runs import Observation
from runner.retrieval.scorecard import QueryRow, SystemRow
from runner.retrieval.suites import GatesReport

#: Of so many blocks, or none is held against the other: one time has no spread.
LEAST_BLOCKS = 2


class Place(NamedTuple):
    """Which request it is, whatever the order inside its block; `nth` counts repetitions in a block, of which a sound
    run has none."""

    system: str
    block: int
    query_id: str
    nth: int

    def __str__(self) -> str:
        return f"{self.system} block {self.block} {self.query_id}" + (f" ({self.nth + 1})" if self.nth else "")


class BlockSpread(Document):
    """The least and the greatest p50 and p95 among the blocks of one run."""

    blocks: int
    p50_ns: tuple[int, int]
    p95_ns: tuple[int, int]


class RunSpread(Document):
    """The least and the greatest p50 and p95 among several runs on one host."""

    runs: int
    p50_ns: tuple[int, int]
    p95_ns: tuple[int, int]


class RepeatedTimes(Document):
    """Submit to render of one system in two runs, over all requests, beside the spread of the first run's own blocks,
    and of several `runs` on one host where there is one for this system, profile and processor.

    `p50_within` and `p95_within`: whether the second run's lies in that of the runs, or else of the blocks; null where
    `apart` says why that was not asked.
    """

    system: str
    first_p50_ns: int
    first_p95_ns: int
    again_p50_ns: int
    again_p95_ns: int
    spread: BlockSpread
    runs: RunSpread | None
    apart: str
    p50_within: bool | None
    p95_within: bool | None


def list_differences(first: Iterable[Observation], again: Iterable[Observation]) -> Iterator[str]:
    """One sentence for each request that ended otherwise, or with another list, and for each that only one run has."""
    one, other = _by_place(first), _by_place(again)
    for place, seen in one.items():
        found = list(_unlike(seen, other[place])) if place in other else ["was asked in the first run only"]
        if found:
            yield f"{place}: {'; '.join(found)}"
    yield from (f"{place}: was asked in the second run only" for place in other if place not in one)


def figure_differences(first: Sequence[SystemRow], again: Sequence[SystemRow]) -> Iterator[str]:
    """One sentence for each figure that is another and does not rest on times, by query and then by system."""
    rows = {row.system: row for row in again}
    for row in first:
        if row.system in rows:
            yield from _query_differences(row, rows[row.system])
            yield from _differences(row.system, _figures(row), _figures(rows[row.system]))
    if [row.system for row in first] != [row.system for row in again]:
        yield f"rows: {_said([row.system for row in first])}, again {_said([row.system for row in again])}"


def rule_differences(first: Iterable[GatesReport], again: Iterable[GatesReport]) -> Iterator[str]:
    """One sentence for each rule of a suite that ended otherwise."""
    one, other = (
        {(report.system, row.rule): row.verdict for report in reports for row in report.rules}
        for reports in (first, again)
    )
    for system, rule in dict.fromkeys([*one, *other]):
        this, that = one.get((system, rule)), other.get((system, rule))
        yield from _differences(system, {f"rule {rule}": this}, {f"rule {rule}": that})


def repeated_times(
    first: Sequence[Observation], again: Sequence[Observation], apart: str, runs: RunSpread | None = None
) -> RepeatedTimes:
    """The times of one system in both runs, at least one request each; `apart` is why they are on no common ground,
    empty where they are; `runs` is what is known of several runs on one host."""
    spread = block_spread(first)
    if not apart and runs is None and spread.blocks < LEAST_BLOCKS:
        apart = "the first run has one block, which shows no spread"
    (p50, p95), (again_p50, again_p95) = (median_and_tail(seen.latency_ns for seen in run) for run in (first, again))
    held = runs or spread
    return RepeatedTimes(
        system=first[0].system,
        first_p50_ns=p50,
        first_p95_ns=p95,
        again_p50_ns=again_p50,
        again_p95_ns=again_p95,
        spread=spread,
        runs=runs,
        apart=apart,
        p50_within=None if apart else held.p50_ns[0] <= again_p50 <= held.p50_ns[1],
        p95_within=None if apart else held.p95_ns[0] <= again_p95 <= held.p95_ns[1],
    )


def block_spread(observations: Iterable[Observation]) -> BlockSpread:
    """How far p50 and p95 of one run's blocks lie apart; there is at least one request."""
    blocks: dict[int, list[int]] = {}
    for seen in observations:
        blocks.setdefault(seen.block, []).append(seen.latency_ns)
    medians, tails = zip(*map(median_and_tail, blocks.values()), strict=True)
    return BlockSpread(blocks=len(blocks), p50_ns=(min(medians), max(medians)), p95_ns=(min(tails), max(tails)))


def median_and_tail(times: Iterable[int]) -> tuple[int, int]:
    """p50 and p95 of times, at least one (D17)."""
    ordered = sorted(times)
    return percentile(ordered, 500), percentile(ordered, 950)


def _by_place(observations: Iterable[Observation]) -> dict[Place, Observation]:
    found: dict[Place, Observation] = {}
    times: Counter[tuple[str, int, str]] = Counter()
    for seen in observations:
        key = (seen.system, seen.block, seen.query_id)
        found[Place(*key, times[key])] = seen
        times[key] += 1
    return found


def _unlike(one: Observation, other: Observation) -> Iterator[str]:
    """How two answers to one request differ; of lists the first rank."""
    yield from _differences("", {"outcome": one.outcome}, {"outcome": other.outcome})
    for name in ("returned", "drawn"):
        yield from _rank(name, getattr(one, name), getattr(other, name))
    if one.returned == other.returned:
        yield from _rank("routes", list(map(_said, one.routes)), list(map(_said, other.routes)))
    yield from _differences("", {"violations": _said(one.violations)}, {"violations": _said(other.violations)})


def _rank(name: str, one: Sequence[str], other: Sequence[str]) -> Iterator[str]:
    for rank, (this, that) in enumerate(zip_longest(one, other, fillvalue="nothing"), 1):
        if this != that:
            yield f"{name} at rank {rank} {this}, again {that}"
            return


def _query_differences(one: SystemRow, other: SystemRow) -> Iterator[str]:
    """By query, in the order of the first; a query that only one of them has is one whose requests differ as well."""
    rows = {row.query_id: row for row in other.queries}
    for row in one.queries:
        if row.query_id in rows:
            yield from _differences(f"{one.system} {row.query_id}", _of_query(row), _of_query(rows[row.query_id]))


def _of_query(row: QueryRow) -> Mapping[str, object]:
    counted = ("requests", "errors", "timeouts", "lists", "judged", "shown", "dcg", "ideal_dcg")
    return {**{name: getattr(row, name) for name in counted}, **row.figures}


def _figures(row: SystemRow) -> Mapping[str, object]:
    """All of the score's parts but L, which rests on times."""
    parts = {name: part.value for name, part in row.components if name != "L"}
    return {**parts, "critical violations": _said(sorted({seen.kind for seen in row.violations}))}


def _differences(where: str, one: Mapping[str, object], other: Mapping[str, object]) -> Iterator[str]:
    for name in dict.fromkeys([*one, *other]):
        this, that = one.get(name), other.get(name)
        if this != that:
            opening = f"{where}: " if where else ""
            yield f"{opening}{name} {_shown(this)}, again {_shown(that)}"


def _shown(value: object) -> str:
    """A figure at full width, since the sixth decimal may not tell two apart."""
    return "nothing" if value is None else str(value)


def _said(values: Iterable[object]) -> str:
    return ", ".join(map(str, values)) or "none"
