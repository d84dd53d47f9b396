"""Writes one raw file as an asciicast v2: what passed the terminal, with a marker for each query."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from runner.terminal.profile import COLUMNS, ROWS
from runner.terminal.rawlog import Begin, Event, In, Out, RawFile, Role, Spawn
from runner.terminal.shown import shown_form

# A sequence cut in its middle is cancelled first. Then off, in this order: synchronized output, looks, bracketed paste,
# mouse and focus reports, application cursor keys, the alternate screen; on: autowrap on both screens, the cursor.
RESTORE = (
    "\x18\x1b\\\x1b[?2026l\x1b[0m\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1006l\x1b[?1l"
    "\x1b[?7h\x1b[?1049l\x1b[?7h\x1b[?25h"
)
# An empty terminal for the next UI process. A full reset (`ESC c`) would take the scrollback of whoever watches along.
FRESH = RESTORE + "\x1b[?1049h\x1b[!p\x1b[?7h\x1b[H\x1b[2J"
_REPEATED = re.compile(r"([^\x00-\x1f\x7f])\x1b\[([0-9]*)b")
_ALTERNATE, _ALTERNATE_AND_CURSOR = "\x1b[?1047h", "\x1b[?1049h"


class CastEvent(NamedTuple):
    """One event of a cast: nanoseconds from its start, code (`o`, `i`, `m`), text."""

    ns: int
    code: str
    text: str


def cast(file: RawFile, opening: str) -> bytes:
    """The cast of `file`. `opening` is output that brings an empty terminal to the state in which the file begins.

    A player's terminal is empty, but a block's UI has been drawing since the warm-up. And it is somebody's: the last
    event puts back what opening and UI changed. It leaves the alternate screen, shows the cursor, turns autowrap on,
    and turns looks, bracketed paste, synchronized output, mouse and focus reports off.
    """
    head = {"version": 2, "width": COLUMNS, "height": ROWS, "title": title(file), "env": {"TERM": "xterm-256color"}}
    lines = [json.dumps(head, ensure_ascii=False), *map(_line, cast_events(file, opening))]
    return ("\n".join(lines) + "\n").encode()


def title(file: RawFile) -> str:
    """System and block, for players."""
    return f"{file.opening.system}, block {file.block}"


def cast_events(file: RawFile, opening: str) -> Iterator[CastEvent]:
    """The events of the cast. A character cut by a read comes whole with the next; a new UI process starts on an empty
    terminal, and the terminal is left as it was."""
    start = file.events[0].t
    yield from _output(0, _playable(opening))
    decoder = _decoder()
    latest = 0
    untouched = not opening
    for event in file.events:
        latest = max(latest, event.t - start)
        if isinstance(event, Spawn) and event.role is Role.UI:
            yield from _output(latest, decoder.decode(b"", final=True) + ("" if untouched else FRESH))
            decoder = _decoder()
            untouched = False
        yield from _events(latest, event, decoder)
    yield from _output(latest, decoder.decode(b"", final=True) + RESTORE)


def _playable(opening: str) -> str:
    """`opening` for any terminal: characters in full, since some draw REP (`CSI n b`) wrongly, and the cursor kept for
    RESTORE where the alternate screen is entered."""
    drawn = _REPEATED.sub(lambda found: found[1] * (1 + max(int(found[2] or 1), 1)), opening)
    return drawn.replace(_ALTERNATE, _ALTERNATE_AND_CURSOR)


def _events(ns: int, event: Event, decoder: codecs.IncrementalDecoder) -> Iterator[CastEvent]:
    match event:
        case Out():
            yield from _output(ns, decoder.decode(event.data))
        case In():
            yield CastEvent(ns, "i", event.data.decode(errors="replace"))
        case Begin():
            yield CastEvent(ns, "m", f"{event.query_id}  {shown_form(event.text)}")
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
