"""Holds two results of the same requests against each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from runner.documents import Digest, digest
from runner.errors import BadInput
from runner.ports import ResultFolder
from runner.provenance.card import Scorecard
from runner.provenance.host_spread import HostSpread, spread_for
from runner.provenance.reproduction import Equality, Outcome
from runner.provenance.statement import STATEMENT
from runner.provenance.versions import repeat_differences
from runner.retrieval.repeated import (
    RepeatedTimes,
    RunSpread,
    figure_differences,
    list_differences,
    repeated_times,
    rule_differences,
)
from runner.retrieval.runs import Observation
from runner.workflows.names import CARD, OBSERVATIONS

#: What a reproduction is about: lists, numbers, and the signature on both.
HELD = (OBSERVATIONS, CARD, STATEMENT)
#: A statement tells so many differences, and counts the others.
TOLD = 20


class Held(NamedTuple):
    """What is equal, and the times apart from that."""

    equality: Equality
    times: tuple[RepeatedTimes, ...]


class Side(NamedTuple):
    """One of the two: requests and card, with the digests of the files they stand in."""

    observations: tuple[Observation, ...]
    card: Scorecard
    digests: Mapping[str, Digest]

    def of(self, system: str) -> tuple[Observation, ...]:
        """The requests of one system, in the order they were sent."""
        return tuple(seen for seen in self.observations if seen.system == system)


def read_side(folder: ResultFolder) -> Side:
    """What a result says of its requests, whoever signed it."""
    names = folder.names()
    lacking = next((name for name in HELD if name not in names), None)
    if lacking:
        raise BadInput(f"{lacking}: missing.", advice="Name the whole folder of a sealed result.")
    files = {name: folder.read(name) for name in HELD}
    return Side(
        Observation.parse_lines(files[OBSERVATIONS], OBSERVATIONS),
        Scorecard.parse(files[CARD], CARD),
        {name: digest(data) for name, data in files.items()},
    )


def hold(first: Side, again: Side, runs: Mapping[str, RunSpread]) -> Held:
    """Lists and quality request by request, and all that rests on no time; latency beside them, held against the
    spread of several `runs` of a system where that is known."""
    lists = list(list_differences(first.observations, again.observations))
    found = [*_versions(first.card, again.card), *lists, *_figures(first.card, again.card)]
    equality = Equality(
        outcome=Outcome.NOT_REPRODUCED if found else Outcome.REPRODUCED,
        requests=len(first.observations),
        requests_differing=len(lists),
        differing=len(found),
        differences=tuple(islice(found, TOLD)),
    )
    return Held(equality, tuple(_times(first, again, runs)))


def _versions(first: Scorecard, again: Scorecard) -> Iterator[str]:
    others = {versions.system: versions for versions in again.versions}
    for versions in first.versions:
        if versions.system in others:
            yield from repeat_differences(versions, others[versions.system])


def _figures(first: Scorecard, again: Scorecard) -> Iterator[str]:
    yield from figure_differences(first.systems, again.systems)
    yield from rule_differences(first.gates, again.gates)


def _times(first: Side, again: Side, runs: Mapping[str, RunSpread]) -> Iterator[RepeatedTimes]:
    processors = {versions.system: versions.cpu_model for versions in again.card.versions}
    for versions in first.card.versions:
        name, processor = versions.system, processors.get(versions.system)
        one, other = first.of(name), again.of(name)
        if one and other:
            same = processor == versions.cpu_model
            yield repeated_times(one, other, "" if same else f"{versions.cpu_model} is not {processor}", runs.get(name))


def known_runs(kept: Iterable[HostSpread], first: Side, again: Side) -> Mapping[str, RunSpread]:
    """For each system what is `kept` of several runs of the same image on one host like those of both sides."""
    spreads = tuple(kept)
    others = {versions.system: versions for versions in again.card.versions}
    found = {
        versions.system: spread_for(spreads, versions, others[versions.system])
        for versions in first.card.versions
        if versions.system in others
    }
    return {name: spread for name, spread in found.items() if spread is not None}
