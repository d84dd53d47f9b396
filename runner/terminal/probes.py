"""Reads the two files beside the blocks: the floors of the measuring itself, and the engine path (D16)."""

from __future__ import annotations

from typing import Any, NamedTuple

from runner.documents import parse_json
from runner.errors import BadInput
from runner.terminal.exchange import Refused, Returned, parse_reply
from runner.terminal.rawlog import Ask, Probe, Probed, RawFile, Reply


class Floors(NamedTuple):
    """Nanoseconds of each probe, in the order probed. An error is the read stamp minus the null UI's own stamp."""

    echo_ns: tuple[int, ...]
    null_ui_ns: tuple[int, ...]
    null_ui_error_ns: tuple[int, ...]


class EngineReply(NamedTuple):
    """One request straight at the engine and the nanoseconds to its reply, which is null where none came in time."""

    query_id: str
    ns: int
    reply: Returned | Refused | None


def read_floors(file: RawFile) -> Floors:
    """The probes in `floors.jsonl`."""
    probes = [event for event in file.events if isinstance(event, Probed)]
    null_ui = [event for event in probes if event.probe is Probe.NULL_UI]
    return Floors(
        echo_ns=tuple(event.ns for event in probes if event.probe is Probe.ECHO),
        null_ui_ns=tuple(event.ns for event in null_ui),
        null_ui_error_ns=tuple(event.error_ns for event in null_ui if event.error_ns is not None),
    )


def read_hello(file: RawFile) -> dict[str, Any] | None:
    """The reply to the handshake that opens `engine.jsonl`; null where none came, or none that is an object."""
    first = next((event for event in file.events if isinstance(event, Reply) and not event.query_id), None)
    if first is None:
        return None
    try:
        value = parse_json(first.data, file.name)
    except BadInput:
        return None
    return value if isinstance(value, dict) else None


def read_engine_path(file: RawFile) -> tuple[EngineReply, ...]:
    """The searches in `engine.jsonl`, without the `hello` before them; every ask must have a reply event."""
    pairs = [event for event in file.events if isinstance(event, Ask | Reply) and event.query_id]
    replies = []
    for ask, reply in zip(pairs[::2], pairs[1::2], strict=False):
        if not isinstance(ask, Ask) or not isinstance(reply, Reply) or ask.query_id != reply.query_id:
            raise BadInput(f"{file.name}: an ask of {ask.query_id} is not followed by its reply.")
        replies.append(EngineReply(reply.query_id, reply.ns, parse_reply(reply.data) if reply.data else None))
    if len(pairs) % 2:
        raise BadInput(f"{file.name}: the last ask has no reply.")
    return tuple(replies)
