"""Decides what a new client is answered from: the release that is current, or the newest before it that is whole."""

from __future__ import annotations

import sys
from weakref import WeakValueDictionary

from mambomeme.catalogue import Catalogue, Loader
from mambomeme.faults import StartError
from mambomeme.release_files import open_release
from mambomeme.release_store import Store


class Counter:
    """Hands out catalogues; each stays loaded as long as a client is answered from it."""

    def __init__(self, loader: Loader, store: Store) -> None:
        self._loader, self._store = loader, store
        self._loaded: WeakValueDictionary[str, Catalogue] = WeakValueDictionary()
        self._seen = store.history()
        self._current = self._newest_whole(self._seen)

    def current(self) -> Catalogue:
        """What a client who says hello now is answered from. It never waits for what was loaded before."""
        try:
            while (history := self._store.history()) != self._seen:
                self._current, self._seen = self._newest_whole(history), history
        except StartError as error:
            _say(f"{error} Serving what was served before.")
        return self._current

    def _newest_whole(self, history: tuple[str, ...]) -> Catalogue:
        for name in reversed(history):
            try:
                return self._open(name)
            except (StartError, OSError) as error:
                _say(f"{error} Serving the last good one before it.")
        return self._loader.own()

    def _open(self, name: str) -> Catalogue:
        found = self._loaded.get(name)
        if found is None:
            found = self._loaded[name] = open_release(self._store.place(name), self._loader)
        return found


def _say(what: str) -> None:
    print(f"mambomeme: {what}", file=sys.stderr, flush=True)  # noqa: T201 - the engine's log
