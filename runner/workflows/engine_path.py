"""Sets the engine path beside the UI path: the same requests, and did they get the same lists (D16)?"""

from __future__ import annotations

from collections.abc import Sequence

from runner.errors import BadInput
from runner.retrieval.latency import NS_PER_MS
from runner.retrieval.runs import EngineRequest, Observation, Outcome
from runner.terminal.exchange import Refused, Returned
from runner.terminal.probes import EngineReply
from runner.workflows.observe import Bounds


def engine_requests(system: str, replies: Sequence[EngineReply], bounds: Bounds) -> tuple[EngineRequest, ...]:
    """The engine path of one system; errors and timeouts are charged the full limit, as on the UI path."""
    limit = bounds.time_limit_ms * NS_PER_MS
    found = []
    for one in replies:
        outcome = _outcome(one.reply)
        latency = limit if outcome.failed else one.ns
        found.append(EngineRequest(system=system, query_id=one.query_id, outcome=outcome, latency_ns=latency))
    return tuple(found)


def differing(observations: Sequence[Observation], replies: Sequence[EngineReply]) -> tuple[str, ...]:
    """Queries whose list on the UI path was another than here.

    Both are the same plan in the same order, but the driver stops asking an engine that has fallen silent.
    """
    pairs = list(zip(observations, replies, strict=False))
    if len(replies) > len(observations) or any(seen.query_id != one.query_id for seen, one in pairs):
        raise BadInput("engine.jsonl: asks other queries than the blocks, or in another order.")
    found = {
        seen.query_id
        for seen, one in pairs
        if not seen.outcome.failed and isinstance(one.reply, Returned) and one.reply.doc_ids != seen.returned
    }
    return tuple(sorted(found))


def _outcome(reply: Returned | Refused | None) -> Outcome:
    if reply is None:
        return Outcome.TIMEOUT
    if isinstance(reply, Refused):
        return Outcome.ERROR
    return Outcome.ANSWERED if reply.items else Outcome.EMPTY
