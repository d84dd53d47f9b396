"""What tests of releases share: small corpora, the command in this process, and one stopped or killed at a step."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from mambomeme.releases import main

from tests.system.engines import BM25
from tests.system.memes import SYSTEM, item, write_corpus
from tests.system.release_folders import release_id

LIMIT = 30.0


class Said(NamedTuple):
    """How the command ended."""

    status: int
    out: str
    err: str


class Place:
    """A folder with three releases that differ, `a`, `b` and `c`, and a folder to publish them in."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.published, self._capsys = folder, folder / "published", capsys
        self.environment = {"MAMBO_RELEASES": str(self.published), "MAMBO_CONFIGURATION": json.dumps(BM25)}
        for size, name in ((12, "a"), (11, "b"), (10, "c")):
            items = [item(f"m{n:02}", title=f"bonk {n}") for n in range(size)]
            corpus = write_corpus(folder / f"corpus-{name}", items)
            said = self.say("build", folder / name, MAMBO_CORPUS=str(corpus))
            assert said.status == 0, said

    def __truediv__(self, name: str) -> Path:
        return self.folder / name

    def say(self, *words: object, **environment: str) -> Said:
        """The command, in this process."""
        status = main([str(word) for word in words], self.environment | environment)
        return Said(status, *self._capsys.readouterr())

    def publish(self, *names: str) -> None:
        """Publish releases, one after the other."""
        for name in names:
            said = self.say("publish", self.folder / name)
            assert (said.status, said.err) == (0, ""), said

    def current(self) -> str:
        """What the command says is current."""
        said = self.say("current")
        assert (said.status, said.err) == (0, ""), said
        return said.out

    def is_current(self, name: str) -> bool:
        """Whether it is this release."""
        return self.current() == release_id(self.folder / name) + "\n"

    def copies(self) -> dict[str, Path]:
        """The folders in which copies of releases lie, by their ids."""
        return {release_id(path.parent): path.parent for path in self.published.rglob("release.json")}

    def leftovers(self) -> set[str]:
        """What lies in the published folder without need."""
        needed = {"history", "lock", "store", *(self.published / "history").read_text().split()}
        return {path.name for path in (*self.published.iterdir(), *self.published.glob("store/*"))} - needed

    @contextmanager
    def at_step(self, step: int, number: signal.Signals, *words: object) -> Iterator[subprocess.Popen[bytes]]:
        """The command as a process that sends itself a signal before its `step`-th change of the file system."""
        command = [sys.executable, "-B", "-c", _AT_STEP, str(step), str(int(number)), *map(str, words)]
        environment = os.environ | self.environment
        with subprocess.Popen(command, cwd=SYSTEM, env=environment, stderr=subprocess.PIPE) as process:
            yield process
            process.kill()


_AT_STEP = """
import os, sys
from mambomeme.releases import main

CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate"}
left, number = int(sys.argv[1]), int(sys.argv[2])

def watch(event, details):
    global left
    opens = event == "open" and isinstance(details[2], int) and details[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if opens or event in CHANGES:
        left -= 1
        if left == 0:
            os.kill(os.getpid(), number)

sys.addaudithook(watch)
sys.exit(main(sys.argv[3:], os.environ))
"""
