"""A search system of any author, met through its folder alone: its release command, and its engine."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.system.memes import item, write_corpus

LIMIT = 30.0
_WORDS = [f"bonk{n}" for n in range(10)]
HELLO = {"op": "hello", "id": 1, "protocol": "search-v1"}


class AnySystem:
    """The system in `folder`, with a place of its own for releases."""

    def __init__(self, folder: Path, place: Path, configuration: str) -> None:
        self._folder, self._card = folder, json.loads((folder / "system.json").read_bytes())
        self.place, self.published = place, place / "published"
        self._environment = {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "MAMBO_CONFIGURATION": configuration,
            "MAMBO_CORPUS": str(write_corpus(place / "corpus", _items(3))),
            "MAMBO_RELEASES": str(self.published),
        }

    def release(self, *words: object, **environment: str) -> subprocess.CompletedProcess[str]:
        """The release command, to its end."""
        return subprocess.run(
            [*self._card["release"], *map(str, words)],
            cwd=self._folder,
            env=self._environment | environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT,
        )

    def build(self, name: str, size: int) -> Path:
        """A release of so many items; its folder."""
        corpus = write_corpus(self.place / f"corpus-{name}", _items(size))
        done = self.release("build", self.place / name, MAMBO_CORPUS=str(corpus))
        assert (done.returncode, done.stderr) == (0, "")
        return self.place / name

    def current(self) -> str:
        """The id that the command prints."""
        done = self.release("current")
        assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
        return done.stdout.strip()

    @contextmanager
    def engine(self) -> Iterator[Path]:
        """The socket of a running engine."""
        path = self.place / "engine.sock"
        environment = self._environment | {"MAMBO_ENGINE_SOCKET": str(path)}
        with subprocess.Popen(
            self._card["engine"], cwd=self._folder, env=environment, stderr=subprocess.DEVNULL
        ) as engine:
            try:
                with socket.socket(socket.AF_UNIX) as probe:
                    while probe.connect_ex(str(path)):
                        assert engine.poll() is None
                yield path
            finally:
                engine.terminate()


class Connection:
    """A connection to an engine, greeted."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(LIMIT)
        self._socket.connect(str(path))
        self._stream = self._socket.makefile("rwb", buffering=0)
        self.greeting = self.ask(HELLO)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """One reply."""
        self._stream.write(json.dumps(request).encode() + b"\n")
        reply = json.loads(self._stream.readline())
        assert isinstance(reply, dict)
        return reply

    def versions(self) -> tuple[str, str, str | None]:
        """What this connection is answered from, as it says now."""
        reply = self.ask(HELLO)
        return reply["corpus"], reply["index"], reply["model"]

    def count(self) -> int:
        """How many items there are, up to ten."""
        return len(self.ask({"op": "search", "id": 2, "text": " ".join(_WORDS), "limit": 10})["items"])

    def close(self) -> None:
        """Ends it."""
        self._stream.close()
        self._socket.close()


def _items(size: int) -> list[dict[str, Any]]:
    """Items that each have one of the words."""
    return [item(f"m{n}", title=word) for n, word in enumerate(_WORDS[:size])]
