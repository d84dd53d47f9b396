"""The engine serves each client the release that was current at its hello, whatever is published meanwhile."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.system.engines import HELLO, LIMIT, Client, Engine
from tests.system.release_folders import release_id
from tests.system.release_places import Place

SEARCH = b'{"op":"search","id":2,"text":"bonk","limit":10}\n'


class Served:
    """An engine over the published folder of a place."""

    def __init__(self, engine: Engine, place: Place, log: Path) -> None:
        self.place, self._engine, self._log, self._clients = place, engine, log, []
        engine.environment["MAMBO_RELEASES"] = str(place.published)
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return self._engine.start(stderr=log)

    def client(self) -> tuple[Client, str]:
        """A new client, and the index that it is served."""
        client = Client(self._engine.socket)
        self._clients.append(client)
        return client, client.ask(HELLO)["index"]

    def serves(self, name: str) -> bool:
        """Whether a new client is served this release."""
        return self.client()[1] == index_of(self.place / name)

    def words(self) -> str:
        """What the engine has said on standard error."""
        return self._log.read_text()

    def close(self) -> None:
        """Ends it."""
        for client in self._clients:
            client.close()
        self._clients.clear()
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(LIMIT) == 0
        assert self._process.stdout is not None
        self._process.stdout.close()

    def restart(self) -> None:
        """Ends it and starts another."""
        self.close()
        self._process = self._start()


def index_of(folder: Path) -> str:
    """The index that a release names."""
    return str(json.loads((folder / "release.json").read_bytes())["index"])


def found(client: Client) -> list[str]:
    """What a client finds now."""
    return [entry["doc_id"] for entry in client.ask(SEARCH)["items"]]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(tmp_path_factory.mktemp("engine"))


@pytest.fixture
def served(engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Served]:
    served = Served(engine, Place(tmp_path, capsys), tmp_path / "log")
    yield served
    served.close()


def test_where_none_is_published_its_own_index_is_served(served: Served, engine: Engine) -> None:
    client, _ = served.client()
    assert found(client) == [f"m{n}" for n in (0, 1, 10, 11, 2, 3, 4, 5, 6, 7)]


def test_each_client_keeps_what_was_current_at_its_hello(served: Served) -> None:
    place, seen = served.place, []
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: place.publish("a"),
        lambda: place.publish("b"),
        lambda: place.say("rollback"),
        lambda: place.publish("c"),
    ]
    for step in steps:
        step()
        client, index = served.client()
        seen.append((client, index, found(client)))
        assert all(client.ask(HELLO)["index"] == index for client, index, _ in seen)
        assert all(found(client) == items for client, _, items in seen)
    a, b, c = (index_of(place / name) for name in "abc")
    assert [index for _, index, _ in seen][1:] == [a, b, a, c]
    assert release_id(place / "b") not in place.copies(), "what was rolled back is cleared away"
    assert served.words() == ""


def test_the_hello_counts_not_the_connection(served: Served, engine: Engine) -> None:
    early = Client(engine.socket)
    served.place.publish("a")
    assert early.ask(HELLO)["index"] == index_of(served.place / "a")
    early.close()


def test_a_refused_publication_changes_nothing(served: Served) -> None:
    served.place.publish("a")
    (served.place / "b" / "items.jsonl").unlink()
    assert served.place.say("publish", served.place / "b").status == 65
    assert served.serves("a")


def test_a_killed_publisher_changes_nothing(served: Served) -> None:
    served.place.publish("a")
    with served.place.at_step(8, signal.SIGKILL, "publish", served.place / "b") as process:
        assert process.wait(LIMIT) == -signal.SIGKILL
    assert served.serves("a")
    served.restart()
    assert served.serves("a")
    assert served.words() == ""


def damage(place: Place, name: str) -> None:
    """Spoil the published copy of a release."""
    path = place.copies()[release_id(place / name)] / "index" / "postings.npy"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def test_a_damaged_release_is_never_served(served: Served) -> None:
    served.place.publish("a", "b")
    damage(served.place, "b")
    assert served.serves("a")
    assert "postings.npy: expected sha256:" in served.words()
    served.restart()
    assert served.serves("a")
    served.place.publish("b")
    assert served.serves("b")


def test_what_is_loaded_is_served_whatever_becomes_of_its_files(served: Served) -> None:
    served.place.publish("a")
    assert served.serves("a")
    damage(served.place, "a")
    assert served.serves("a")
    shutil.rmtree(served.place.published)
    served.place.published.mkdir()
    client, _ = served.client()
    assert found(client)


def test_a_history_that_is_none_leaves_what_was_served(served: Served) -> None:
    served.place.publish("a")
    assert served.serves("a")
    (served.place.published / "history").write_bytes(b"nonsense\n")
    assert served.serves("a")
    assert "history: not a list of releases" in served.words()
