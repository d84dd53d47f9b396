"""The bundled engine as a process in a folder of its own, and one connection to it."""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.system.memes import SYSTEM, item, write_corpus

BM25 = json.loads((Path(__file__).parents[2] / "manifests/systems/bm25.json").read_bytes())["configuration"]
"""A configuration that needs no model."""

LIMIT = 20.0
HELLO = b'{"op":"hello","id":1,"protocol":"search-v1"}\n'
SEARCH = b'{"op":"search","id":2,"text":"bonk","limit":10}\n'


class Client:
    """One connection, read line by line."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(LIMIT)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")

    def ask(self, data: bytes) -> dict[str, Any]:
        self.socket.sendall(data)
        return self.reply()

    def reply(self) -> dict[str, Any]:
        reply = json.loads(self.lines.readline())
        assert isinstance(reply, dict)
        return reply

    def close(self) -> None:
        self.lines.close()
        self.socket.close()


class Engine:
    """An engine process in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.socket = folder, folder / "engine.sock"
        self.system = folder / "system"
        self.environment = os.environ | {
            "MAMBO_CORPUS": str(folder / "corpus"),
            "MAMBO_ENGINE_SOCKET": str(self.socket),
            "MAMBO_CONFIGURATION": json.dumps(BM25),
        }
        shutil.copytree(SYSTEM, self.system, ignore=shutil.ignore_patterns("index", "__pycache__"))
        items = [item(f"m{n}", title=f"bonk {n}", ocr_text="wow \x1b[31m\u202e" + "é" * 50) for n in range(12)]
        write_corpus(folder / "corpus", [*items, *(item(f"z{n}", title=f"filler {n}") for n in range(30))])
        self._run("index").check_returncode()

    def _run(self, module: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-B", "-m", f"mambomeme.{module}"],
            cwd=self.system,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT,
        )

    def fails(self) -> str:
        """The one line of an engine that does not start."""
        ended = self._run("engine")
        assert ended.returncode == 65
        assert ended.stderr.count("\n") == 1
        return ended.stderr

    def start(self, **streams: Any) -> subprocess.Popen[bytes]:
        """A process that listens: it says so, so that nobody has to try again and again."""
        process = subprocess.Popen(
            [sys.executable, "-B", "-c", _ANNOUNCING],
            cwd=self.system,
            env=self.environment,
            stdout=subprocess.PIPE,
            **streams,
        )
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], LIMIT)
        assert ready
        assert process.stdout.readline() == b"listening\n"
        return process


_ANNOUNCING = """
import sys
from mambomeme import engine
listen = engine.listen
def announce(path):
    server = listen(path)
    print("listening", flush=True)
    return server
engine.listen = announce
sys.exit(engine.main())
"""
