"""From requests, of which a query may have many, to lists, of which a TREC run holds one a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from runner.counts import counted
from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.exchange.remarks import Read, lost
from runner.retrieval.plain_judgements import Requests
from runner.retrieval.runs import Observation

Pass = Mapping[str, tuple[str, ...]]


class Asked(NamedTuple):
    """The requests of one system by query, and how many broke a rule and so count as failed."""

    requests: Requests
    untrusted: int


def asked_by_system(source: Source) -> Mapping[str, Asked]:
    """What each system drew in `observations.jsonl`, by request; failed or untrusted ones are errors (D11, D24)."""
    requests: dict[str, dict[str, list[tuple[str, ...] | None]]] = {}
    untrusted: dict[str, int] = {}
    for number, seen in enumerate(Observation.parse_lines(source.data, source.where), 1):
        shown = _drawn(f"{source.where}:{number}", seen)
        requests.setdefault(seen.system, {}).setdefault(seen.query_id, []).append(shown)
        untrusted[seen.system] = untrusted.get(seen.system, 0) + bool(seen.violations)
    return {system: Asked(found, untrusted[system]) for system, found in requests.items()}


def passes(where: str, requests: Requests) -> Read[tuple[Pass, ...]]:
    """The k-th request of every query as the k-th pass; one pass where every query got the same each time."""
    if not requests:
        raise BadInput(f"{where}: nothing was asked.", advice="Name a run with requests.")
    most = max(map(len, requests.values()))
    remarks = []
    failed = [query_id for query_id, lines in requests.items() if None in lines]
    if failed:
        what = f"{counted(len(failed), 'query', 'queries')} with failed requests, which a run has no line for"
        remarks.append(lost(where, what, failed))
    if most > 1 and all(_same(lines) for lines in requests.values()):
        remarks.append(lost(where, f"that each query was asked up to {most} times, always with the same list"))
        most = 1
    found = tuple({query_id: _shown(lines, k) for query_id, lines in requests.items()} for k in range(most))
    kept = tuple({query_id: shown for query_id, shown in one.items() if shown is not None} for one in found)
    return Read(kept, tuple(remarks))


def _drawn(place: str, seen: Observation) -> tuple[str, ...] | None:
    if not seen.trusted:
        return None
    if len(set(seen.drawn)) < len(seen.drawn):
        raise BadInput(f"{place}: {seen.query_id}: an item was drawn twice.", advice="Restore the file as it was kept.")
    return seen.drawn


def _same(lines: Sequence[tuple[str, ...] | None]) -> bool:
    return all(line == lines[0] for line in lines)


def _shown(lines: Sequence[tuple[str, ...] | None], number: int) -> tuple[str, ...] | None:
    """The list of one pass; None where there was no such request, or it failed."""
    return lines[number] if number < len(lines) else None
