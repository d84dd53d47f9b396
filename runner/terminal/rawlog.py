"""The events of a raw log as types (docs/raw-log.md)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from runner.errors import BadInput


class Role(StrEnum):
    """Whose process."""

    ENGINE = "engine"
    UI = "ui"


class Phase(StrEnum):
    """Why a request was sent; only `measured` ones count."""

    WARMUP = "warmup"
    MEASURED = "measured"
    REWARM = "rewarm"
    REPEAT = "repeat"
    CHECK = "check"

    @property
    def told(self) -> bool:
        """Whether the driver tells how many of these there were."""
        return self in {Phase.WARMUP, Phase.MEASURED}


class Input(StrEnum):
    """What a write to the terminal was. `answer` is the terminal's own reply to a query; all others are keys."""

    CLEAR = "clear"
    TEXT = "text"
    SUBMIT = "submit"
    ANSWER = "answer"
    QUIT = "quit"

    @property
    def key(self) -> bool:
        """Whether a person would have pressed it."""
        return self is not Input.ANSWER


class Result(StrEnum):
    """How the driver saw a request end."""

    DONE = "done"
    TIMEOUT = "timeout"
    CRASH = "crash"
    CHARGED = "charged"


class Report(StrEnum):
    """What the UI says of itself."""

    ACCEPT = "accept"
    DRAWN = "drawn"


class Probe(StrEnum):
    """Which floor was probed."""

    ECHO = "echo"
    NULL_UI = "null_ui"


class Open(NamedTuple):
    """First line of a file."""

    t: int
    block: int | str
    system: str


class Spawn(NamedTuple):
    """A process was started."""

    t: int
    role: Role
    pid: int
    process: int | None = None


class Exit(NamedTuple):
    """A process was seen to have ended."""

    t: int
    role: Role
    status: int | None
    signal: int | None
    process: int | None = None


class Begin(NamedTuple):
    """A request starts."""

    t: int
    request: int
    query_id: str
    text: str
    submit: int
    held: bool
    phase: Phase


class In(NamedTuple):
    """A write to the terminal, stamped just before."""

    t: int
    what: Input
    data: bytes


class Out(NamedTuple):
    """A read from the terminal, stamped right after."""

    t: int
    data: bytes


class Req(NamedTuple):
    """Bytes from the UI to the engine."""

    t: int
    conn: int
    data: bytes


class Rep(NamedTuple):
    """Bytes from the engine to the UI."""

    t: int
    conn: int
    data: bytes


class Said(NamedTuple):
    """A datagram of the UI; `ns` is its own stamp."""

    t: int
    name: Report
    submit: int
    ns: int


class Shown(NamedTuple):
    """The typing frame with the text was seen."""

    t: int
    submit: int


class Done(NamedTuple):
    """The done marker was seen; `t` is that of the read that completed it."""

    t: int
    submit: int
    frame: int


class Finish(NamedTuple):
    """The request is over. `cut`: the UI ended or flooded the log while its frame was held, so the hold was shorter."""

    t: int
    result: Result
    late: bool
    cut: bool


class Restart(NamedTuple):
    """The UI was killed and started again."""

    t: int
    reason: str


class Host(NamedTuple):
    """Counters of the machine; null where it has none."""

    t: int
    steal_ticks: int | None
    total_ticks: int | None
    nr_throttled: int | None
    throttled_us: int | None


class Net(NamedTuple):
    """Counters of the network namespace."""

    t: int
    counters: Mapping[str, int]


class Probed(NamedTuple):
    """One probe of a floor; `error_ns` is the read stamp minus the null UI's own stamp."""

    t: int
    probe: Probe
    ns: int
    error_ns: int | None = None


class Ask(NamedTuple):
    """Engine path: a request."""

    t: int
    query_id: str
    data: bytes


class Reply(NamedTuple):
    """Engine path: its reply, after `ns`."""

    t: int
    query_id: str
    data: bytes
    ns: int


class Ready(NamedTuple):
    """A process that was started serves: the engine accepts a connection, the UI has drawn a typing frame."""

    t: int
    role: Role
    process: int


class Memory(NamedTuple):
    """The most memory that a process has held in RAM so far; null where the kernel does not say."""

    t: int
    role: Role
    process: int
    peak_bytes: int | None


class Left(NamedTuple):
    """Something that engine or UI left in its writable place; kind `more` stands for all that is not listed."""

    t: int
    role: Role
    path: str
    kind: str
    size: int
    sha256: str | None


class SideDoor(NamedTuple):
    """A named socket was seen that leads past the driver."""

    t: int
    name: str


class Close(NamedTuple):
    """Last line of a file."""

    t: int
    requests: int


Event = (
    Open | Spawn | Exit | Begin | In | Out | Req | Rep | Said | Shown | Done | Finish | Restart | Host | Net
    | Probed | Ask | Reply | Ready | Memory | Left | SideDoor | Close
)  # fmt: skip


class RawFile(NamedTuple):
    """One file of a raw log; the first event is an Open, the last a Close."""

    name: str
    events: tuple[Event, ...]

    @property
    def opening(self) -> Open:
        """The first line."""
        first = self.events[0]
        if not isinstance(first, Open):
            raise BadInput(f"{self.name}:1: a raw file starts with an open event.")
        return first

    @property
    def block(self) -> int:
        """The number of a block's file."""
        block = self.opening.block
        if not isinstance(block, int):
            raise BadInput(f"{self.name}:1: block: not a number (found {block!r}).")
        return block
