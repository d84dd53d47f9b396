"""Reads the bytes of raw-log files strictly; every error names file and line."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar, get_type_hints

from runner.documents import parse_json
from runner.errors import BadInput
from runner.terminal.rawlog import (
    Ask,
    Begin,
    Close,
    Done,
    Event,
    Exit,
    Finish,
    Host,
    In,
    Left,
    Memory,
    Net,
    Open,
    Out,
    Probed,
    RawFile,
    Ready,
    Rep,
    Reply,
    Req,
    Restart,
    Said,
    Shown,
    SideDoor,
    Spawn,
)

KINDS: Mapping[str, type[Event]] = {
    "open": Open, "spawn": Spawn, "exit": Exit, "begin": Begin, "in": In, "out": Out, "req": Req, "rep": Rep,
    "event": Said, "shown": Shown, "done": Done, "finish": Finish, "restart": Restart, "host": Host, "net": Net,
    "probe": Probed, "ask": Ask, "reply": Reply, "ready": Ready, "memory": Memory, "left": Left,
    "socket": SideDoor, "close": Close,
}  # fmt: skip

T = TypeVar("T")
#: One kind of event: a named tuple whose fields are those of the line.
E = TypeVar("E")


#: No stamp, count or number of a log needs more.
LARGEST = 2**63 - 1


def parse_file(data: bytes, name: str) -> RawFile:
    """The events in `data`; errors name file and line. Time may not run backwards, but `done` repeats a stamp."""
    events = parse_lines(data, name, KINDS)
    _check_frame(events, name)
    _check_time(events, name)
    return RawFile(name, events)


def parse_lines(data: bytes, name: str, kinds: Mapping[str, type[E]]) -> tuple[E, ...]:
    """One event a line of `data`, of these kinds; errors name file and line."""
    lines = data.split(b"\n")
    if lines.pop() != b"":
        raise BadInput(f"{name}:{len(lines) + 1}: the last line is cut off.", advice="The run did not end well.")
    return tuple(parse_event(line, f"{name}:{number}", kinds) for number, line in enumerate(lines, 1))


def parse_event(line: bytes, where: str, kinds: Mapping[str, type[E]]) -> E:
    """The event in one line."""
    value = parse_json(line, where)
    if not isinstance(value, dict):
        raise BadInput(f"{where}: not an object.")
    kind = value.pop("e", None)
    if not isinstance(kind, str) or kind not in kinds:
        raise BadInput(f"{where}: e: no such kind of event (found {kind!r}).")
    value.pop("chain", None)
    return _build(kinds[kind], value, where)


def _build(kind: type[E], value: dict[str, Any], where: str) -> E:
    fields: dict[str, Any] = {}
    for field, key, read in _fields(kind):  # type: ignore[arg-type]
        if key not in value and field in kind._field_defaults:  # type: ignore[attr-defined]
            continue
        try:
            fields[field] = read(value.pop(key))
        except KeyError:
            raise BadInput(f"{where}: {key}: missing.") from None
        except (ValueError, TypeError) as error:
            raise BadInput(f"{where}: {key}: {error}.") from None
    if value:
        raise BadInput(f"{where}: {min(value)}: unknown key.")
    return kind(**fields)


def _check_frame(events: tuple[Event, ...], name: str) -> None:
    if not events or not isinstance(events[0], Open):
        raise BadInput(f"{name}:1: a raw file starts with an open event.")
    if not isinstance(events[-1], Close):
        raise BadInput(f"{name}:{len(events)}: a raw file ends with a close event.", advice="The run did not end well.")


def _check_time(events: tuple[Event, ...], name: str) -> None:
    latest = events[0].t
    for number, event in enumerate(events, 1):
        if event.t < latest and not isinstance(event, Done):
            raise BadInput(f"{name}:{number}: t: time runs backwards.")
        latest = max(latest, event.t)


def _integer(value: object) -> int:
    if type(value) is not int:
        raise TypeError(f"not an integer (found {value!r})")
    if not -LARGEST <= value <= LARGEST:
        raise ValueError("beyond 64 bits")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"not a string (found {value!r})")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair") from None
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"not true or false (found {value!r})")
    return value


def _bytes(value: object) -> bytes:
    try:
        return base64.b64decode(_text(value), validate=True)
    except binascii.Error:
        raise ValueError("not base64") from None


def _number_or_name(value: object) -> int | str:
    return _text(value) if isinstance(value, str) else _integer(value)


def _counters(value: object) -> Mapping[str, int]:
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return {name: _integer(count) for name, count in value.items()}


def _texts(value: object) -> Mapping[str, str]:
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return {_text(name): _text(each) for name, each in value.items()}


def _nullable(read: Callable[[object], T]) -> Callable[[object], T | None]:
    return lambda value: None if value is None else read(value)


def _reader(annotation: Any) -> Callable[[object], Any]:
    return _READERS.get(annotation) or (lambda value: annotation(_text(value)))


@cache
def _fields(kind: type[Any]) -> tuple[tuple[str, str, Callable[[object], Any]], ...]:
    hints = get_type_hints(kind)
    return tuple((name, "b64" if hint is bytes else name, _reader(hint)) for name, hint in hints.items())


_READERS: Mapping[Any, Callable[[object], Any]] = {
    int: _integer,
    str: _text,
    bool: _truth,
    bytes: _bytes,
    int | str: _number_or_name,
    int | None: _nullable(_integer),
    str | None: _nullable(_text),
    Mapping[str, int]: _counters,
    Mapping[str, str]: _texts,
}
