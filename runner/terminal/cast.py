"""Writes one raw file as an asciicast v2: what passed the terminal, with a marker for each query."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import NamedTuple

from runner.terminal.rawlog import Begin, Event, In, Out, RawFile, Role, Spawn
from runner.terminal.screens import COLUMNS, ROWS

RESET = "\x1bc"


class CastEvent(NamedTuple):
    """One event of a cast: nanoseconds from its start, code (`o`, `i`, `m`), text."""

    ns: int
    code: str
    text: str


def cast(file: RawFile, opening: str) -> bytes:
    """The cast of `file`. `opening` is output that brings an empty terminal to the state in which the file begins.

    A player's terminal is empty, but a block's UI has been drawing since the warm-up.
    """
    head = {"version": 2, "width": COLUMNS, "height": ROWS, "title": title(file), "env": {"TERM": "xterm-256color"}}
    lines = [json.dumps(head, ensure_ascii=False), *map(_line, cast_events(file, opening))]
    return ("\n".join(lines) + "\n").encode()


def title(file: RawFile) -> str:
    """System and block, for players."""
    return f"{file.opening.system}, block {file.block}"


def cast_events(file: RawFile, opening: str) -> Iterator[CastEvent]:
    """The events of the cast. A character cut by a read comes whole with the next; a new UI process starts on an empty
    terminal."""
    start = file.events[0].t
    if opening:
        yield CastEvent(0, "o", opening)
    decoder = _decoder()
    latest = 0
    for event in file.events:
        latest = max(latest, event.t - start)
        if isinstance(event, Spawn) and event.role is Role.UI:
            yield from _output(latest, decoder.decode(b"", final=True) + RESET)
            decoder = _decoder()
        yield from _events(latest, event, decoder)
    yield from _output(latest, decoder.decode(b"", final=True))


def _events(ns: int, event: Event, decoder: codecs.IncrementalDecoder) -> Iterator[CastEvent]:
    match event:
        case Out():
            yield from _output(ns, decoder.decode(event.data))
        case In():
            yield CastEvent(ns, "i", event.data.decode(errors="replace"))
        case Begin():
            yield CastEvent(ns, "m", event.query_id)
        case Spawn(role=Role.UI):
            yield CastEvent(ns, "m", f"UI process {event.process}")
        case _:
            pass


def _output(ns: int, text: str) -> Iterator[CastEvent]:
    if text:
        yield CastEvent(ns, "o", text)


def _decoder() -> codecs.IncrementalDecoder:
    return codecs.getincrementaldecoder("utf-8")("replace")


def _line(event: CastEvent) -> str:
    """Whole microseconds, cut, so that the order of stamps stays theirs and no float enters."""
    seconds, rest = divmod(event.ns // 1000, 1_000_000)
    return f'[{seconds}.{rest:06}, "{event.code}", {json.dumps(event.text, ensure_ascii=False)}]'
