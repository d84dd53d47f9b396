"""Interleaves two engines by team draft for a person's session: `python3 -m mambomeme.interleave`.

It listens where an engine would, at MAMBO_ENGINE_SOCKET, and asks those at MAMBO_ENGINE_A and MAMBO_ENGINE_B.
"""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from mambomeme.faults import StartError
from mambomeme.protocol import LINE, MOST, RequestError, line_of, refusal
from mambomeme.server import listen, serve

_PATIENCE_SECONDS = 10
_VERSIONS = ("system", "version", "interface", "protocol", "corpus", "index", "model", "configuration")

Coin = Callable[[], bool]
Pick = tuple[str, str]


def draft(a: Sequence[str], b: Sequence[str], coin: Coin) -> list[Pick]:
    """At most ten ids with their teams. In each round heads of `coin` lets A pick first, then the other team picks.

    Where the two lists begin with the same id and one has no other, the round ends with it. Once one list has no more,
    the rest of the other follows without a team.
    """
    shown: dict[str, str] = {}
    while len(shown) < MOST:
        left_a, left_b = (_left(ranking, shown) for ranking in (a, b))
        if not (left_a and left_b):
            shown |= dict.fromkeys((left_a or left_b)[: MOST - len(shown)], "")
            break
        lone = left_a[0] == left_b[0] and 1 in {len(left_a), len(left_b)}
        order = (("A", a), ("B", b)) if coin() else (("B", b), ("A", a))
        for team, ranking in order[:1] if lone else order:
            shown[_left(ranking, shown)[0]] = team
    return list(shown.items())


def _left(ranking: Sequence[str], shown: Mapping[str, str]) -> list[str]:
    return [doc_id for doc_id in ranking if doc_id not in shown]


def exposures(a: Sequence[str], b: Sequence[str]) -> dict[str, float]:
    """For each id that can be shown, how likely it is: exact, as no draft of ten tosses more than five coins."""
    tosses = list(product((False, True), repeat=MOST // 2))
    times = Counter(doc_id for toss in tosses for doc_id, _ in draft(a, b, iter(toss).__next__))
    return {doc_id: count / len(tosses) for doc_id, count in times.items()}


class Reply(NamedTuple):
    """A reply's line, and the object in it."""

    line: bytes
    value: dict[str, Any]

    @property
    def refused(self) -> bool:
        """Whether it says no."""
        return self.value.get("status") != "ok"


class Mixer:
    """One client's two connections; either is made anew after it broke."""

    def __init__(self, paths: tuple[str, str], coin: Coin) -> None:
        self._paths, self._coin = paths, coin
        self._hello = b""
        self._open: list[tuple[socket.socket, Any]] = []

    def answer(self, line: bytes) -> bytes:
        """The reply to one line: of one kind with that of the two engines, who both get it."""
        try:
            first, second = (self._ask(at, line) for at in range(2))
        except (OSError, ValueError):
            self._hang_up()
            return refusal(RequestError(_id(line), "internal", "an engine has gone"))
        for reply in (first, second):
            if reply.refused:
                return reply.line
        if "items" not in first.value:
            self._hello = line
        return self._merged(first.value, second.value)

    def _ask(self, at: int, line: bytes) -> Reply:
        while len(self._open) <= at:
            self._connect(self._paths[len(self._open)])
        return _asked(*self._open[at], line)

    def _connect(self, path: str) -> None:
        """To an engine that was greeted before, the same hello is said again."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(_PATIENCE_SECONDS)
        connection.connect(path)
        self._open.append((connection, connection.makefile("rb")))
        if self._hello:
            _asked(*self._open[-1], self._hello)

    def _hang_up(self) -> None:
        for connection, replies in self._open:
            replies.close()
            connection.close()
        self._open = []

    def _merged(self, first: dict[str, Any], second: dict[str, Any]) -> bytes:
        if "items" in first:
            return _mixed(first, second["items"], self._coin)
        if first.get("corpus") != second.get("corpus"):
            return refusal(RequestError(first["id"], "internal", "the two engines serve two corpora"))
        return line_of({**first, "other": {key: second.get(key) for key in _VERSIONS}})


def _asked(connection: socket.socket, replies: Any, line: bytes) -> Reply:
    connection.sendall(line + b"\n")
    found = replies.readline()
    return Reply(found, json.loads(found))


def _mixed(reply: dict[str, Any], others: list[dict[str, Any]], coin: Coin) -> bytes:
    own = {item["doc_id"]: item for item in reply["items"]}
    other = {item["doc_id"]: item for item in others}
    likely = exposures(list(own), list(other))
    items = [
        {
            **(other[doc_id] if team == "B" or doc_id not in own else own[doc_id]),
            "draft": {
                "team": team,
                "lists": "A" * (doc_id in own) + "B" * (doc_id in other),
                "exposure": likely[doc_id],
            },
        }
        for doc_id, team in draft(list(own), list(other), coin)
    ]
    full = line_of({**reply, "items": items})
    return full if len(full) <= LINE else line_of({**reply, "items": [_bare(item) for item in items]})


def _bare(item: dict[str, Any]) -> dict[str, Any]:
    return {key: item[key] for key in ("doc_id", "title", "routes", "draft")}


def _id(line: bytes) -> int | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    found = value.get("id") if isinstance(value, dict) else None
    return found if type(found) is int else None


def main(environment: Mapping[str, str]) -> int:
    """Serves until SIGTERM; exit 65 with one line where it cannot."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    paths = environment["MAMBO_ENGINE_A"], environment["MAMBO_ENGINE_B"]
    dice = random.SystemRandom()
    path = Path(environment["MAMBO_ENGINE_SOCKET"])
    try:
        with listen(path) as server:
            try:
                serve(server, lambda: Mixer(paths, lambda: dice.random() < 0.5).answer)
            finally:
                path.unlink(missing_ok=True)
    except StartError as error:
        print(error, file=sys.stderr)  # noqa: T201 - the face of a command
        return 65
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main(os.environ))
