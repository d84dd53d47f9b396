"""How far two annotators agree, by slice and overall, each figure with its family-bootstrap interval (D27)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from runner.documents import Document
from runner.errors import BadInput
from runner.retrieval.bootstrap import RESAMPLES, SEED, exact_product, interval, resample
from runner.retrieval.estimates import Interval, Rounded
from runner.retrieval.groups import Group, Subset, belongs
from runner.retrieval.items import Safety
from runner.retrieval.judgements import Role
from runner.retrieval.kappa import ordinal_alpha, plain_kappa, quadratic_kappa
from runner.retrieval.latency import Integers
from runner.retrieval.measures.coverage import Values
from runner.retrieval.merging import Merged
from runner.retrieval.orders import SystemOrder
from runner.retrieval.sample import Families, families_of
from runner.retrieval.topics import QueryId, Slice, Topic

KINDS = 4
GROUPS: tuple[Group, ...] = (*Slice, Subset.SAFETY, Subset.ALL)

# Resamples times families; with more than 2,000 families there are fewer resamples, and the report says how many.
MOST_WEIGHTS = 20_000_000

# Two people who judge apart do not agree like this.
TOO_GOOD = 0.95


class Coefficient(Document):
    """A coefficient with its 95 % interval; null where it is not defined, which `undefined` resamples were."""

    value: Rounded | None
    interval: Interval | None
    undefined: int


class AgreementRow(Document):
    """One group. `same` and `near`: pairs with equal grades, and with grades at most one apart."""

    group: str
    pairs: int
    queries: int
    families: int
    same: int
    near: int
    weighted_kappa: Coefficient
    alpha: Coefficient
    safety_kappa: Coefficient


class AgreementReport(Document):
    """What `judge agreement --json` prints: who, how often they gave which grades, how far they agree, what to look at.

    `grades[i][j]` counts pairs that the first graded i and the second j; `safety` likewise, mildest class first.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    pairs: int
    disputed: int
    grades: tuple[tuple[int, ...], ...]
    safety: tuple[tuple[int, ...], ...]
    resamples: int
    redrawn: int
    seed: int
    rows: tuple[AgreementRow, ...]
    orders: tuple[SystemOrder, ...]
    findings: tuple[str, ...]


class Double(NamedTuple):
    """A pair that two annotators judged: their grades, and their classes by rank."""

    query_id: QueryId
    grades: tuple[int, int]
    classes: tuple[int, int]


class Tables(NamedTuple):
    """For one group: by family, how often which answers met; `queries` that hold any."""

    grades: Integers
    safety: Integers
    queries: int


def doubles(merged: Merged) -> Sequence[Double]:
    """The pairs with a first and a second act; a third act plays no part."""
    rank = {safety: number for number, safety in enumerate(Safety)}
    return [
        Double(acts[0].query_id, (acts[0].grade, acts[1].grade), (rank[acts[0].safety], rank[acts[1].safety]))
        for acts in merged.pairs.values()
        if len(acts) > 1
    ]


def agree(merged: Merged, topics: Sequence[Topic], orders: Sequence[SystemOrder] = ()) -> AgreementReport:
    """The report on all pairs that two annotators judged; BadInput if there are none."""
    both = doubles(merged)
    if not both:
        raise BadInput("no pair has a first and a second act.", advice="Give the acts of two annotators.")
    families = families_of(topics)
    tables = {group: _tables(both, topics, families, group) for group in GROUPS}
    held = {group: found for group, found in tables.items() if found.queries}
    members = np.array([found.grades.sum(axis=1) > 0 for found in held.values()])
    drawn = resample(members, count=min(RESAMPLES, max(1_000, MOST_WEIGHTS // len(families.names))))
    rows = tuple(_row(group, found, drawn.weights) for group, found in held.items())
    return AgreementReport(
        first=_names(merged, Role.FIRST),
        second=_names(merged, Role.SECOND),
        pairs=len(both),
        disputed=sum(len(acts) > 2 for acts in merged.pairs.values()) + len(merged.disputed),
        grades=_square(held[Subset.ALL].grades),
        safety=_square(held[Subset.ALL].safety),
        resamples=len(drawn.weights),
        redrawn=drawn.redrawn,
        seed=SEED,
        rows=rows,
        orders=tuple(orders),
        findings=tuple(_findings(rows, orders)),
    )


def _tables(both: Sequence[Double], topics: Sequence[Topic], families: Families, group: Group) -> Tables:
    members = {topic.query_id for topic in topics if belongs(topic, group)}
    own = [double for double in both if double.query_id in members]
    grades, safety = np.zeros((2, len(families.names), KINDS * KINDS), dtype=np.int64)
    for double in own:
        row = families.column[double.query_id]
        grades[row, KINDS * double.grades[0] + double.grades[1]] += 1
        safety[row, KINDS * double.classes[0] + double.classes[1]] += 1
    return Tables(grades, safety, len({double.query_id for double in own}))


def _row(group: Group, tables: Tables, weights: Integers) -> AgreementRow:
    once = np.ones((1, len(tables.grades)), dtype=np.int64)
    (table,) = _drawn(tables.grades, once)
    distance = np.abs(np.subtract.outer(np.arange(KINDS), np.arange(KINDS)))
    grades, safety = ((_drawn(counts, once), _drawn(counts, weights)) for counts in (tables.grades, tables.safety))
    return AgreementRow(
        group=group.value,
        pairs=int(table.sum()),
        queries=tables.queries,
        families=int((tables.grades.sum(axis=1) > 0).sum()),
        same=int(table[distance == 0].sum()),
        near=int(table[distance <= 1].sum()),
        weighted_kappa=_coefficient(*map(quadratic_kappa, grades)),
        alpha=_coefficient(*map(ordinal_alpha, grades)),
        safety_kappa=_coefficient(*map(plain_kappa, safety)),
    )


def _drawn(counts: Integers, weights: Integers) -> Integers:
    """The tables that `weights` draw from the families' own."""
    return exact_product(weights, counts).reshape(-1, KINDS, KINDS)


def _coefficient(point: Values, spread: Values) -> Coefficient:
    defined = spread[~np.isnan(spread)]
    value = float(point[0])
    return Coefficient(
        value=None if np.isnan(value) else value,
        interval=Interval(**dict(zip(("low", "high"), interval(defined), strict=True))) if len(defined) else None,
        undefined=len(spread) - len(defined),
    )


def _square(counts: Integers) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in counts.sum(axis=0).reshape(KINDS, KINDS).tolist())


def _names(merged: Merged, role: Role) -> tuple[str, ...]:
    return tuple(sorted({act.annotator for acts in merged.pairs.values() for act in acts if act.role is role}))


def _findings(rows: Sequence[AgreementRow], orders: Sequence[SystemOrder]) -> Iterator[str]:
    for row in rows:
        figures: Mapping[str, Coefficient] = {"weighted kappa": row.weighted_kappa, "alpha": row.alpha}
        for name, found in figures.items():
            if found.value is not None and found.value > TOO_GOOD:
                yield f"{row.group}: {name} is {found.value:.3f}, more than two who judge apart come to: look into it"
    for order in orders:
        if order.changed:
            yield f"{order.labels}: would change the order of {', '.join(order.changed)}"
