"""The engine as a process: spoken to over its socket, by well-behaved clients and others."""

from __future__ import annotations

import hashlib
import json
import select
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.engines import BM25, HELLO, LIMIT, SEARCH, Client, Engine


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(tmp_path_factory.mktemp("engine"))


@pytest.fixture
def running(engine: Engine) -> Iterator[Engine]:
    process = engine.start()
    yield engine
    process.send_signal(signal.SIGTERM)
    status = process.wait(LIMIT)
    assert process.stdout is not None
    process.stdout.close()
    assert status == 0
    assert not engine.socket.exists()


@pytest.fixture
def client(running: Engine) -> Iterator[Client]:
    client = Client(running.socket)
    yield client
    client.close()


def test_hello_names_every_version(running: Engine, client: Client) -> None:
    def sha256(path: Path) -> str:
        return "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()

    reply = client.ask(HELLO)
    canonical = json.dumps(BM25, sort_keys=True, separators=(",", ":")).encode()
    assert reply == {
        "id": 1,
        "status": "ok",
        "index_bytes": sum(path.stat().st_size for path in (running.system / "index").iterdir()),
        "protocol": "search-v1",
        "interface": "list-80x24-v1",
        "system": "mambomeme",
        "version": "0.1.0",
        "corpus": sha256(running.folder / "corpus" / "items.jsonl"),
        "index": sha256(running.system / "index" / "checksums.json"),
        "model": None,
        "configuration": "sha256:" + hashlib.sha256(canonical).hexdigest(),
    }


def test_a_search_before_hello_is_out_of_order(client: Client) -> None:
    assert client.ask(SEARCH)["error"] == "out_of_order"
    assert client.ask(HELLO)["status"] == "ok"
    assert len(client.ask(SEARCH)["items"]) == 10


def test_a_refused_hello_opens_nothing(client: Client) -> None:
    assert client.ask(HELLO.replace(b"v1", b"v9"))["error"] == "protocol"
    assert client.ask(SEARCH)["error"] == "out_of_order"


def test_hello_counts_for_its_own_connection_only(running: Engine, client: Client) -> None:
    other = Client(running.socket)
    client.ask(HELLO)
    assert other.ask(SEARCH)["error"] == "out_of_order"
    other.close()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"\n", "bad_request"),
        (b"\xff\xfe\n", "bad_request"),
        (b'{"op":"drop","id":5}\n', "unknown_op"),
        (b'{"op":"search","id":5,"text":"  ","limit":10}\n', "bad_request"),
        (b'{"op":"search","id":5,"text":"x","limit":11}\n', "bad_request"),
        (b"x" * 65_536 + b"\n", "too_large"),
        (b"x" * 1_000_000 + b"\n", "too_large"),
    ],
)
def test_after_an_error_the_engine_lives_on(client: Client, line: bytes, code: str) -> None:
    client.ask(HELLO)
    assert client.ask(line)["error"] == code
    assert client.ask(SEARCH)["id"] == 2


def test_the_longest_line_is_served(client: Client) -> None:
    client.ask(HELLO)
    line = b'{"op":"search","id":2,"text":"bonk' + b" x" * 40_000
    line = line[: 65_536 - 14] + b'","limit":10}\n'
    assert len(line) == 65_536
    assert client.ask(line)["status"] == "ok"


def test_a_line_may_come_in_pieces_and_two_in_one(client: Client) -> None:
    client.ask(HELLO)
    client.socket.sendall(SEARCH[:9])
    client.socket.sendall(SEARCH[9:30])
    assert client.ask(SEARCH[30:] + SEARCH.replace(b'"id":2', b'"id":3'))["id"] == 2
    assert client.reply()["id"] == 3


def test_one_half_spoken_client_keeps_nobody_waiting(running: Engine, client: Client) -> None:
    silent = Client(running.socket)
    silent.socket.sendall(b'{"op":')
    client.ask(HELLO)
    assert client.ask(SEARCH)["status"] == "ok"
    silent.close()
    assert client.ask(SEARCH)["status"] == "ok"


def test_one_client_that_does_not_read_keeps_nobody_waiting(running: Engine, client: Client) -> None:
    deaf = Client(running.socket)
    deaf.socket.setblocking(False)
    sent, flood = 0, HELLO + SEARCH * 5_000
    while select.select([], [deaf.socket], [], 0.2)[1] and sent < len(flood):
        sent += deaf.socket.send(flood[sent:])
    client.ask(HELLO)
    assert client.ask(SEARCH)["status"] == "ok"
    deaf.socket.settimeout(LIMIT)
    assert deaf.reply()["id"] == 1
    assert {deaf.reply()["id"] for _ in range(flood[:sent].count(b"\n") - 1)} == {2}
    deaf.close()


def test_who_stops_sending_still_gets_the_replies(client: Client) -> None:
    client.socket.sendall(HELLO + SEARCH * 200)
    client.socket.shutdown(socket.SHUT_WR)
    assert [json.loads(line)["id"] for line in client.lines] == [1] + [2] * 200


def test_results_carry_what_the_screen_shows(client: Client) -> None:
    client.ask(HELLO)
    first = client.ask(SEARCH)["items"][0]
    assert first["routes"] == ["lexical"]
    assert first["quote"].startswith("wow \x1b[31m\u202e")
    assert first["preview"] == f"previews/{first['doc_id']}.png"
    assert first.keys() >= {"template", "meaning", "attribution", "license", "language"}


def test_a_socket_left_behind_is_replaced_and_one_in_use_is_not(engine: Engine) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as left:
        left.bind(str(engine.socket))
    process = engine.start()
    assert "engine.sock: cannot listen there" in engine.fails()
    client = Client(engine.socket)
    assert client.ask(HELLO)["status"] == "ok"
    client.close()
    process.terminate()
    assert process.wait(LIMIT) == 0
    assert process.stdout is not None
    process.stdout.close()


def test_a_wrong_index_is_refused(engine: Engine) -> None:
    path = engine.system / "index" / "postings.npy"
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert "postings.npy: expected sha256:" in engine.fails()
    path.write_bytes(data)


def test_a_changed_corpus_is_refused(engine: Engine) -> None:
    path = engine.folder / "corpus" / "items.jsonl"
    data = path.read_bytes()
    path.write_bytes(data.replace(b"filler", b"fuller", 1))
    assert "made from corpus sha256:" in engine.fails()
    path.write_bytes(data)


def test_a_wrong_configuration_is_refused(engine: Engine) -> None:
    engine.environment["MAMBO_CONFIGURATION"] = "{}"
    assert engine.fails().startswith("MAMBO_CONFIGURATION: ")
    engine.environment["MAMBO_CONFIGURATION"] = json.dumps(BM25)
