"""The plan: what the driver is told to do, read once and strictly."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, cast

from runner.terminal.profile import Profile

LONGEST_TEXT = 4_000
LONGEST_SOCKET_PATH = 107


class PlanError(ValueError):
    """The plan is not one; the message is one line for people."""


class Isolation(Enum):
    """Whose names engine and UI run under."""

    USERS = "users"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Query:
    """One text to type."""

    query_id: str
    text: str
    held: bool = False


@dataclass(frozen=True, slots=True)
class System:
    """What is measured; `configuration` is canonical JSON, `release` empty where there is none or none is asked for."""

    name: str
    engine: tuple[str, ...]
    tui: tuple[str, ...]
    configuration: str
    release: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds a request and the run."""

    time_limit_ms: int
    late_ms: int
    hold_ms: int
    restarts: int
    wall_limit_s: int


@dataclass(frozen=True, slots=True)
class Paths:
    """Folders: those of system, corpus and models, and the one that holds the writable places."""

    system: str
    corpus: str
    models: str
    run: str


@dataclass(frozen=True, slots=True)
class FloorCounts:
    """How many probes of the PTY and of the null UI."""

    echo: int
    null_ui: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole plan; `digest` is the hex sha256 of its line."""

    system: System
    warmup: tuple[Query, ...]
    blocks: tuple[tuple[Query, ...], ...]
    limits: Limits
    paths: Paths
    isolation: Isolation
    terminal: Profile
    engine_path: bool
    floors: FloorCounts
    lock: str
    digest: str


def parse(line: bytes) -> Plan:
    """The plan in `line` (without its newline), or PlanError."""
    top = Table(load(line), "plan", "system warmup blocks limits paths isolation terminal engine_path floors lock")
    return Plan(
        system=read_system(top.table("system", "name engine tui configuration")),
        warmup=tuple(_query(entry, f"warmup[{n}]", "query_id text") for n, entry in enumerate(top.list("warmup"))),
        blocks=_blocks(top),
        limits=_limits(top.table("limits", "time_limit_ms late_ms hold_ms restarts wall_limit_s")),
        paths=read_paths(top.table("paths", "system corpus models run")),
        isolation=read_isolation(top.text("isolation")),
        terminal=read_profile(top.text("terminal")),
        engine_path=top.flag("engine_path"),
        floors=_floors(top.table("floors", "echo null_ui")),
        lock=read_lock(top.text("lock")),
        digest=hashlib.sha256(line).hexdigest(),
    )


class Table:
    """A JSON object whose keys are all known and all there."""

    def __init__(self, value: Any, where: str, keys: str) -> None:
        if not isinstance(value, dict):
            raise PlanError(f"{where}: must be an object.")
        wanted = keys.split()
        for key in [*(k for k in wanted if k not in value), *(k for k in value if k not in wanted)]:
            raise PlanError(f"{where}: {'missing' if key in wanted else 'unknown'} key {key!r}.")
        self.where, self._value = where, value

    def _of(self, key: str, kind: type, what: str) -> Any:
        value = self._value[key]
        if type(value) is not kind:
            raise PlanError(f"{self.where}.{key}: must be {what}.")
        return value

    def table(self, key: str, keys: str) -> Table:
        """The object at `key`."""
        return Table(self._value[key], f"{self.where}.{key}", keys)

    def text(self, key: str) -> str:
        """The string at `key`."""
        return cast(str, self._of(key, str, "a string"))

    def flag(self, key: str) -> bool:
        """The truth value at `key`."""
        return cast(bool, self._of(key, bool, "true or false"))

    def list(self, key: str) -> list[Any]:
        """The list at `key`."""
        return cast("list[Any]", self._of(key, list, "a list"))

    def number(self, key: str, least: int = 0) -> int:
        """The integer at `key`."""
        value = cast(int, self._of(key, int, "an integer"))
        if value < least:
            raise PlanError(f"{self.where}.{key}: must be at least {least}.")
        return value

    def command(self, key: str) -> tuple[str, ...]:
        """The words of a command at `key`."""
        words = self.list(key)
        if not words or not all(isinstance(word, str) and word and "\0" not in word for word in words):
            raise PlanError(f"{self.where}.{key}: must be a command, as a list of non-empty strings.")
        return tuple(words)

    def canonical(self, key: str) -> str:
        """The object at `key` as canonical JSON."""
        value = self._of(key, dict, "an object")
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def load(line: bytes) -> Any:
    """The JSON value in `line`, or PlanError."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        if len(table) != len(pairs):
            raise PlanError("plan: a key stands twice in one object.")
        return table

    def refuse(name: str) -> Any:
        raise PlanError(f"plan: {name} is not a number.")

    try:
        value = json.loads(line.decode(), object_pairs_hook=unique, parse_constant=refuse)
        json.dumps(value, ensure_ascii=False).encode()
    except PlanError:
        raise
    except UnicodeEncodeError:
        raise PlanError("plan: a string holds half of a surrogate pair.") from None
    except UnicodeDecodeError as error:
        raise PlanError(f"plan: byte {error.start} is not UTF-8.") from None
    except (ValueError, RecursionError) as error:
        raise PlanError(f"plan: not JSON: {error}.") from None
    return value


def _blocks(top: Table) -> tuple[tuple[Query, ...], ...]:
    blocks = []
    for number, block in enumerate(top.list("blocks")):
        if not isinstance(block, list):
            raise PlanError(f"plan.blocks[{number}]: must be a list.")
        blocks.append(
            tuple(_query(entry, f"blocks[{number}][{n}]", "query_id text held") for n, entry in enumerate(block))
        )
    return tuple(blocks)


def _query(value: Any, where: str, keys: str) -> Query:
    table = Table(value, f"plan.{where}", keys)
    text = table.text("text")
    if not text or len(text.encode("utf-8", "replace")) > LONGEST_TEXT:
        raise PlanError(f"{table.where}.text: must be 1 to {LONGEST_TEXT} bytes long.")
    if any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in text):
        raise PlanError(f"{table.where}.text: holds a control character, which would be a key.")
    return Query(table.text("query_id"), text, table.flag("held") if "held" in keys else False)


def _limits(table: Table) -> Limits:
    return Limits(
        time_limit_ms=table.number("time_limit_ms", 1),
        late_ms=table.number("late_ms"),
        hold_ms=table.number("hold_ms"),
        restarts=table.number("restarts"),
        wall_limit_s=table.number("wall_limit_s", 1),
    )


def read_system(table: Table) -> System:
    """The commands and the configuration of a system."""
    return System(table.text("name"), table.command("engine"), table.command("tui"), table.canonical("configuration"))


def read_paths(table: Table) -> Paths:
    """The folders of a plan."""
    paths = Paths(*(table.text(key) for key in ("system", "corpus", "models", "run")))
    for key, path in asdict(paths).items():
        if not path.startswith("/") or "\0" in path:
            raise PlanError(f"plan.paths.{key}: must be an absolute path.")
    if len((paths.run + "/driver/ui/search.sock").encode()) > LONGEST_SOCKET_PATH:
        raise PlanError("plan.paths.run: is too long for the sockets below it; choose a shorter folder.")
    return paths


def read_isolation(name: str) -> Isolation:
    """Under whose names processes run."""
    try:
        return Isolation(name)
    except ValueError:
        raise PlanError(f"plan.isolation: must be 'users' or 'none', not {name!r}.") from None


def read_profile(name: str) -> Profile:
    """The terminal that the UI is on."""
    try:
        return Profile(name)
    except ValueError:
        raise PlanError(f"plan.terminal: must be one of {', '.join(Profile)}, not {name!r}.") from None


def read_lock(digest: str) -> str:
    """The digest of the lock."""
    if not re.fullmatch("sha256:[0-9a-f]{64}", digest):
        raise PlanError(f"plan.lock: must be 'sha256:' and 64 hexadecimal digits, not {digest!r}.")
    return digest


def _floors(table: Table) -> FloorCounts:
    return FloorCounts(table.number("echo"), table.number("null_ui"))
