"""The engine process, which answers searches over its socket until SIGTERM: `python3 -m mambomeme.engine`."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn

from mambomeme import index
from mambomeme.catalogue import Catalogue, Loader
from mambomeme.faults import StartError
from mambomeme.protocol import Hello, RequestError, Search, parse, refusal, results, welcome
from mambomeme.release_store import Store
from mambomeme.server import listen, serve
from mambomeme.serving import Counter


class Client:
    """One client of the engine, who must say hello before the first search; `choose` says then what answers it."""

    def __init__(self, choose: Callable[[], Catalogue]) -> None:
        self._choose = choose
        self._catalogue: Catalogue | None = None

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
            self._catalogue = self._catalogue or self._choose()
            return welcome(request, self._catalogue.versions)
        if self._catalogue is None:
            raise RequestError(request.id, "out_of_order", "say hello first")
        return results(request, self._catalogue.ranking.search(request.text, request.limit))


def load(environment: Mapping[str, str], folder: Path) -> Callable[[], Catalogue]:
    """What gives each new client its catalogue; StartError where there is none to give."""
    loader = Loader(environment, folder)
    releases = environment.get("MAMBO_RELEASES")
    if releases:
        return Counter(loader, Store(Path(releases))).current
    own = loader.own()
    return lambda: own


class _Stopped(Exception):
    """SIGTERM or SIGINT has come."""


def _stop(number: int, _frame: object) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)
    raise _Stopped


Load = Callable[[Mapping[str, str], Path], Callable[[], Catalogue]]


def main(load: Load = load) -> int:
    """Exit 0 after SIGTERM or SIGINT, 65 with one line if something is wrong at the start."""
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    path = Path(os.environ.get("MAMBO_ENGINE_SOCKET", "engine.sock"))
    try:
        _run(path, load)
    except StartError as error:
        print(error, file=sys.stderr)  # noqa: T201 - the face of a command
        return 65
    except _Stopped:
        return 0
    return 0


def _run(path: Path, load: Load) -> None:
    gc.disable()  # what is loaded stays: nothing would be found, and later collections need not walk through it
    choose = load(os.environ, index.FOLDER)
    gc.freeze()
    gc.enable()
    with listen(path) as server:
        try:
            serve(server, lambda: Client(choose).answer)
        finally:
            path.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
