"""The events of `suites.jsonl` as types, and its bytes read strictly (docs/raw-log.md)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from runner.terminal.rawlog import Close, Exit, Host, In, Left, Memory, Net, Open, Out, Ready, Rep, Req, Said, Spawn
from runner.terminal.rawlog_reader import parse_lines


class Part(StrEnum):
    """Which suite."""

    PROTOCOL = "protocol"
    PUBLICATION = "publication"
    RESTORATION = "restoration"


class Begun(NamedTuple):
    """A suite starts."""

    t: int
    part: Part


class Ended(NamedTuple):
    """A suite is over; with a reason it could not be run to its end."""

    t: int
    part: Part
    reason: str


class Case(NamedTuple):
    """One case of the suite starts; all until the next one belongs to it."""

    t: int
    name: str


class Dial(NamedTuple):
    """A connection to the engine was asked for; `conn` numbers it, `name` is the script's."""

    t: int
    conn: int
    name: str
    ok: bool


class Sent(NamedTuple):
    """Bytes to the engine."""

    t: int
    conn: int
    data: bytes


class Came(NamedTuple):
    """Bytes from the engine."""

    t: int
    conn: int
    data: bytes


class Silent(NamedTuple):
    """A reply that was waited for did not come within the time limit."""

    t: int
    conn: int


class Shut(NamedTuple):
    """The engine hung up."""

    t: int
    conn: int


class Ran(NamedTuple):
    """The command `release` with these words has ended; `out` and `err` are what it said, `changes` those it was seen
    to make in the folder of releases (null: nobody looked)."""

    t: int
    words: str
    status: int | None
    signal: int | None
    changes: int | None
    out: str
    err: str


class Made(NamedTuple):
    """What a `build` has left: `release.json`, and the digest of every other file by its path. `corpus` is that of the
    items it was made of."""

    t: int
    name: str
    corpus: str
    data: bytes
    files: Mapping[str, str]


class Tree(NamedTuple):
    """How many files, folders and links are in the folder of releases."""

    t: int
    entries: int


class Earlier(NamedTuple):
    """What stood on the primary screen before the UI was started."""

    t: int
    data: bytes


class Lines(NamedTuple):
    """The line discipline, as numbers: before the UI was started (`before`), and when it had ended (`after`)."""

    t: int
    when: str
    termios: str


class Signalled(NamedTuple):
    """A signal was sent to a process of the UI: the one that was `started`, or the one that is `drawing`."""

    t: int
    name: str
    to: str


SuiteEvent = (
    Open | Spawn | Ready | Memory | Exit | In | Out | Req | Rep | Said | Close | Begun | Ended | Case | Dial | Sent
    | Came | Silent | Shut | Host | Net | Left | Ran | Made | Tree | Earlier | Lines | Signalled
)  # fmt: skip

KINDS: Mapping[str, type[SuiteEvent]] = {
    "open": Open, "spawn": Spawn, "ready": Ready, "memory": Memory, "exit": Exit, "in": In, "out": Out, "req": Req,
    "rep": Rep, "event": Said, "close": Close, "begun": Begun, "ended": Ended, "case": Case, "dial": Dial,
    "sent": Sent, "came": Came, "silent": Silent, "shut": Shut, "ran": Ran, "made": Made, "tree": Tree,
    "earlier": Earlier, "lines": Lines, "signalled": Signalled, "host": Host, "net": Net, "left": Left,
}  # fmt: skip


def parse_suites(data: bytes, name: str) -> tuple[SuiteEvent, ...]:
    """The events in `data`; errors name file and line."""
    return parse_lines(data, name, KINDS)
