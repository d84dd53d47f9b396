"""Lays out what the driver will type: the warm-up, and every query equally often in shuffled blocks (D15)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from runner.documents import Digest
from runner.provenance.inputs import Inputs, System
from runner.provenance.manifest import Floors, Limits, SystemCard, SystemManifest, WarmupQuery
from runner.provenance.plan import Plan, PlanLimits, PlannedSearch, PlannedSystem, PlannedWarmup, PlanPaths
from runner.retrieval.lots import order_key
from runner.retrieval.topics import Topic
from runner.terminal.profile import Profile


class Places(NamedTuple):
    """Folders as the driver sees them, and under whose names it starts the engine and the UI."""

    paths: PlanPaths
    isolation: Literal["users", "none"]


#: In every container (images/README.md); a plain process has folders of its own.
IN_CONTAINER = Places(PlanPaths(system="/opt/system", corpus="/opt/corpus", models="/opt/models", run="/run"), "users")


class Lots(NamedTuple):
    """What orders are drawn by: the manifest's seed and the digest of the lock.

    The lock, since nobody can know the orders before it is written: no system which requests are watched, and no
    steward how to make an earlier run's records fit.
    """

    seed: int
    lock: Digest


class Workload(NamedTuple):
    """What is asked, whoever is asked."""

    topics: Sequence[Topic]
    warmup: Sequence[WarmupQuery]
    limits: Limits
    floors: Floors
    engine_path: bool
    terminal: Profile
    lots: Lots


def block_count(queries: int, limits: Limits) -> int:
    """The fewest blocks of `queries` requests that reach both minima of the manifest."""
    return max(limits.min_blocks, -(-limits.min_searches // queries))


def shuffled_blocks(topics: Sequence[Topic], blocks: int, lots: Lots) -> list[list[Topic]]:
    """Every topic once a block, each block in an order of its own."""
    return [
        sorted(topics, key=lambda topic: order_key(lots.seed, lots.lock, "block", block, topic.query_id))
        for block in range(blocks)
    ]


def held_requests(blocks: Sequence[Sequence[Topic]], count: int, lots: Lots) -> frozenset[tuple[int, int]]:
    """The (block, position) pairs whose done frame is watched for the hold time (D12)."""
    pairs = [(block, position) for block, topics in enumerate(blocks) for position in range(len(topics))]
    return frozenset(sorted(pairs, key=lambda pair: order_key(lots.seed, lots.lock, "held", *pair))[:count])


def plan_for(system: System, inputs: Inputs, places: Places, lock: Digest) -> bytes:
    """What the driver is handed for one system; `lock` is the digest of run.lock.json."""
    manifest = inputs.manifest
    workload = Workload(
        topics=inputs.partition.topics,
        warmup=inputs.warmup,
        limits=manifest.limits,
        floors=manifest.floors,
        engine_path=manifest.engine_path,
        terminal=manifest.terminal,
        lots=Lots(manifest.seed, lock),
    )
    return plan_bytes(system.manifest, system.card, workload, places)


def plan_bytes(system: SystemManifest, card: SystemCard, workload: Workload, places: Places) -> bytes:
    """The plan as the driver reads it: one line of canonical JSON with its newline (docs/raw-log.md)."""
    limits = workload.limits
    blocks = shuffled_blocks(workload.topics, block_count(len(workload.topics), limits), workload.lots)
    held = held_requests(blocks, limits.held_requests, workload.lots)
    plan = Plan(
        system=PlannedSystem(name=system.name, engine=card.engine, tui=card.tui, configuration=system.configuration),
        warmup=tuple(PlannedWarmup(query_id=query.query_id, text=query.text) for query in warmup(workload)),
        blocks=tuple(
            tuple(
                PlannedSearch(query_id=topic.query_id, text=topic.text, held=(block, position) in held)
                for position, topic in enumerate(topics)
            )
            for block, topics in enumerate(blocks)
        ),
        limits=PlanLimits(**limits.model_dump(include=set(PlanLimits.model_fields))),
        paths=places.paths,
        isolation=places.isolation,
        terminal=workload.terminal,
        engine_path=workload.engine_path,
        floors=workload.floors,
        lock=workload.lots.lock,
    )
    return plan.canonical() + b"\n"


def warmup(workload: Workload) -> list[WarmupQuery]:
    """The warm-up list, over and over, until the number of the manifest is reached."""
    count = workload.limits.warmup_searches
    times = -(-count // max(1, len(workload.warmup)))
    return (list(workload.warmup) * times)[:count]
