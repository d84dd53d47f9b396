"""What may be published of a row on a hidden partition: no query, no item, and no figure over fewer than five queries.

A figure left out could often be had from the others, so where one of a table is left out, all of the table are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.counts import counted
from runner.errors import BadInput
from runner.retrieval.diagnostics import Diagnostics
from runner.retrieval.gates import MEASURED
from runner.retrieval.groups import Group, Subset, belongs
from runner.retrieval.instrument import Instrument
from runner.retrieval.scorecard import GateRow, GroupRow, Performance, Resources, SystemRow
from runner.retrieval.topics import ANSWERABLE, Slice, Topic
from runner.retrieval.violations import CriticalViolation

#: The fewest queries that a published figure may rest on.
LEAST = 5
#: What parts of the score rest on; these are published whatever the slices hold.
NEEDED: tuple[Group, ...] = (Slice.NO_MATCH, Subset.ANSWERABLE, Subset.EXACT, Subset.ORDINARY, Subset.SAFETY)
_GROUPS = {gate.name: gate.group for gate in MEASURED}
#: Subsets that are published beside what they are a part of, so that the rest of it is known, too.
_NESTED = ((Subset.ANSWERABLE, Subset.EXACT), (Subset.SAFETY, Subset.SAFETY_ANSWERABLE))


def refuse_small(topics: Sequence[Topic], where: str) -> None:
    """BadInput where a component of the score rests on so few queries that it could not be published."""
    for group in NEEDED:
        found = sum(belongs(topic, group) for topic in topics)
        if found < LEAST:
            queries = f"{counted(found, 'query', 'queries')} of group {group.value!r}"
            raise BadInput(
                f"{where}: {queries}, and nothing is published over fewer than {LEAST}.",
                advice="Make the hidden half larger (D1 has its full size).",
            )


def published_row(row: SystemRow) -> SystemRow:
    """The row without queries, items, and what the system says of itself."""
    slices, subsets = whole_slices(row), _subsets(row.subsets)
    withheld = {*(() if slices else ANSWERABLE), *(() if subsets else (Subset.SAFETY_ANSWERABLE,))}
    return row.model_copy(
        update={
            "slices": slices,
            "subsets": subsets,
            "gates": tuple(_bare(gate) if _GROUPS.get(gate.name) in withheld else gate for gate in row.gates),
            "violations": tuple(_violations(row.violations)),
            "performance": _performance(row.performance),
            "diagnostics": _diagnostics(row.diagnostics, slices),
            "failed": (),
            "queries": (),
        }
    )


def published_instrument(found: Instrument) -> Instrument:
    """The checks hold nothing of a query; the drift is a figure over queries like any other."""
    small = found.drift is not None and found.drift.n < LEAST
    return found.model_copy(update={"drift": None}) if small else found


def whole_slices(row: SystemRow) -> tuple[GroupRow, ...]:
    """The lines of the slices; none where one of them is too small."""
    return () if any(line.queries < LEAST for line in row.slices) else tuple(map(_figures, row.slices))


def _subsets(lines: Sequence[GroupRow]) -> tuple[GroupRow, ...]:
    many = {line.group: line.queries for line in lines}
    rests = (many.get(whole, 0) - many.get(part, 0) for whole, part in _NESTED)
    return () if any(0 < n < LEAST for n in (*many.values(), *rests)) else tuple(map(_figures, lines))


def _figures(line: GroupRow) -> GroupRow:
    kept = {name: figure for name, figure in line.figures.items() if figure.n >= LEAST}
    return line.model_copy(update={"figures": kept})


def _bare(gate: GateRow) -> GateRow:
    """How it ended, without the figure."""
    return gate.model_copy(update={"estimate": None, "resamples_passed": None})


def _violations(found: Sequence[CriticalViolation]) -> Iterator[CriticalViolation]:
    """Each kind once, with the count of all requests."""
    times: dict[tuple[str, str], int] = {}
    for seen in found:
        times[seen.system, seen.kind] = times.get((seen.system, seen.kind), 0) + seen.times
    for (system, kind), count in times.items():
        yield CriticalViolation(system=system, kind=kind, times=count)


def _performance(found: Performance) -> Performance:
    """Without the size that the engine says its index has."""
    if found.resources is None:
        return found
    held = Resources(**{**found.resources.model_dump(), "index_bytes": None})
    return found.model_copy(update={"resources": held})


def _diagnostics(found: Diagnostics, slices: Sequence[GroupRow]) -> Diagnostics:
    return found.model_copy(update={"contributions": found.contributions if slices else ()})
