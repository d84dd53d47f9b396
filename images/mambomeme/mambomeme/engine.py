"""The engine process, which answers searches over its socket until SIGTERM: `python3 -m mambomeme.engine`."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from mambomeme import index
from mambomeme.corpus import read_corpus
from mambomeme.faults import StartError
from mambomeme.protocol import Hello, RequestError, Search, parse, refusal, results, welcome
from mambomeme.ranking import Ranking
from mambomeme.server import listen, serve
from mambomeme.settings import Settings, parse_settings


class Engine(NamedTuple):
    """A loaded ranking, and the versions that name it."""

    ranking: Ranking
    versions: dict[str, Any]

    def greet(self) -> Callable[[bytes], bytes]:
        """The answering function of a new client."""
        return Client(self).answer


class Client:
    """One client of the engine, who must say hello before the first search."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known = False

    def answer(self, line: bytes) -> bytes:
        """The reply to one line; whatever is wrong with it becomes an error reply."""
        try:
            request = parse(line)
        except RequestError as error:
            return refusal(error)
        try:
            return self._serve(request)
        except RequestError as error:
            return refusal(error)
        except Exception as error:  # one request that breaks the search must not end the engine
            return refusal(RequestError(request.id, "internal", type(error).__name__))

    def _serve(self, request: Hello | Search) -> bytes:
        if isinstance(request, Hello):
            self._known = True
            return welcome(request, self._engine.versions)
        if not self._known:
            raise RequestError(request.id, "out_of_order", "say hello first")
        return results(request, self._engine.ranking.search(request.text, request.limit))


def load(environment: Mapping[str, str], folder: Path) -> Engine:
    """The engine that `environment` describes, or StartError."""
    corpus = read_corpus(Path(environment.get("MAMBO_CORPUS", "corpus")))
    found = index.load(folder / "index")
    settings = _settings(environment, folder)
    system = json.loads((folder / "system.json").read_bytes())
    versions = {
        "system": system["name"],
        "version": system["version"],
        "corpus": corpus.digest,
        "index": found.digest,
        "model": None,
        "configuration": settings.digest,
    }
    return Engine(Ranking(corpus, found, settings), versions)


def _settings(environment: Mapping[str, str], folder: Path) -> Settings:
    given = environment.get("MAMBO_CONFIGURATION")
    if given is not None:
        return parse_settings(given, "MAMBO_CONFIGURATION")
    path = folder / "configuration.json"
    return parse_settings(path.read_bytes(), str(path))


class _Stopped(Exception):
    """SIGTERM or SIGINT has come."""


def _stop(number: int, _frame: object) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)
    raise _Stopped


def main() -> int:
    """Exit 0 after SIGTERM or SIGINT, 65 with one line if something is wrong at the start."""
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    path = Path(os.environ.get("MAMBO_ENGINE_SOCKET", "engine.sock"))
    try:
        _run(path)
    except StartError as error:
        print(error, file=sys.stderr)  # noqa: T201 - the face of a command
        return 65
    except _Stopped:
        return 0
    return 0


def _run(path: Path) -> None:
    engine = load(os.environ, index.FOLDER)
    gc.freeze()  # what is loaded stays: later collections need not walk through it
    with listen(path) as server:
        try:
            serve(server, engine.greet)
        finally:
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
