"""Holds the engine path beside the UI path: the same requests, and did they get the same lists (D16)?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from runner.errors import BadInput
from runner.retrieval.runs import Observation
from runner.terminal.exchange import Refused, Returned
from runner.terminal.probes import EngineReply


class EnginePath(NamedTuple):
    """Reported, not scored. `differing`: queries whose list was another than on the UI path."""

    latencies_ns: tuple[int, ...]
    errors: int
    differing: tuple[str, ...]


def beside(observations: Sequence[Observation], replies: Sequence[EngineReply]) -> EnginePath:
    """The engine path of one system. Both are the same plan, in the same order."""
    if [one.query_id for one in observations] != [one.query_id for one in replies]:
        raise BadInput("engine.jsonl: asks other queries than the blocks, or in another order.")
    differing = {
        seen.query_id
        for seen, reply in zip(observations, replies, strict=True)
        if not seen.outcome.failed and _ids(reply.reply) != seen.returned
    }
    errors = sum(isinstance(reply.reply, Refused) for reply in replies)
    return EnginePath(tuple(reply.ns for reply in replies), errors, tuple(sorted(differing)))


def _ids(reply: Returned | Refused) -> tuple[str, ...] | None:
    return reply.doc_ids if isinstance(reply, Returned) else None
