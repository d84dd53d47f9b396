"""Two engines behind one socket: team drafts of their lists, told apart only in the events."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from images.mambomeme.mambomeme.attendant import Attendant
from runner.documents import Source
from runner.retrieval.interaction_events import parse_interactions
from runner.retrieval.interleaving import Drafted, drafts, exposures
from tests.system.tui_engine import HELLO, Answer, SmallEngine, item
from tests.system.tui_terminal import SYSTEM, Tui

A, B = ["p", "q", "r"], ["q", "t", "u", "v"]
VERSIONS = {**HELLO, "corpus": "sha256:c", "index": None, "model": None}


def listing(*ids: str) -> Answer:
    return lambda _: {"items": [item(doc_id, f"Title {doc_id}", meaning="x" * 10) for doc_id in ids]}


class Pair:
    """Both engines and the process that interleaves them."""

    def __init__(self, place: Path) -> None:
        self.place, self.socket = place, place / "engine.sock"
        self.first, self.second = self.engine("a", A), self.engine("b", B)
        environment = {**os.environ, "MAMBO_ENGINE_A": str(place / "a"), "MAMBO_ENGINE_B": str(place / "b")}
        self.mixer = Attendant(environment, SYSTEM, self.socket, "mambomeme.interleave")
        self.mixer.wait()

    def engine(self, name: str, ids: list[str], **more: str) -> SmallEngine:
        return SmallEngine(self.place / name, listing(*ids), {**VERSIONS, "configuration": f"sha256:{name}", **more})

    def close(self) -> None:
        self.mixer.stop()
        self.first.close()
        self.second.close()


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    pair = Pair(tmp_path)
    yield pair
    pair.close()


class Talk:
    """A client of the pair."""

    def __init__(self, pair: Pair) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(20)
        self._socket.connect(str(pair.socket))
        self._lines = self._socket.makefile("rb")

    def ask(self, op: str, **more: Any) -> dict[str, Any]:
        self._socket.sendall(json.dumps({"op": op, "id": 7, **more}).encode() + b"\n")
        found: dict[str, Any] = json.loads(self._lines.readline())
        return found

    def search(self) -> dict[str, Any]:
        return self.ask("search", text="x", limit=10)

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()
        self._socket.close()


def test_each_list_is_a_draft_with_its_exact_exposure(pair: Pair) -> None:
    possible = {draft.shown for draft in drafts(A, B)}
    likely = exposures(A, B)
    with Talk(pair) as talk:
        hello = talk.ask("hello", protocol="search-v1")
        assert (hello["configuration"], hello["other"]["configuration"]) == ("sha256:a", "sha256:b")
        seen = set()
        for _ in range(60):
            items = talk.search()["items"]
            seen.add(tuple(Drafted(item["doc_id"], item["draft"]["team"] or None) for item in items))
            assert {item["doc_id"]: item["draft"]["exposure"] for item in items} == {
                k: float(v) for k, v in likely.items()
            }
            assert {item["doc_id"]: item["draft"]["lists"] for item in items} == {
                "p": "A", "q": "AB", "r": "A", "t": "B", "u": "B", "v": "B",
            }  # fmt: skip
        assert len(seen) > 1
        assert seen <= possible


def test_the_screen_tells_no_teams_and_the_events_do(pair: Pair, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    with Tui({"MAMBO_SOCKET": str(pair.socket), "MAMBO_INTERACTIONS": str(path)}) as tui:
        tui.next_frame()
        tui.search("x")
        rows = tui.rows()
        assert sorted(row[5:6] for row in rows[2:8]) == ["p", "q", "r", "t", "u", "v"]
        assert all(row[22:] == f"Title {row[5]}" for row in rows[2:8])
        tui.press("\x1b[17~")
        tui.write("\x15\x04")
        assert tui.end() == 0
    (visit,) = parse_interactions(Source("events", path.read_bytes()))
    assert visit.render.other is not None
    assert visit.render.other.configuration == "sha256:b"
    assert [result.doc_id for result in visit.render.results] == [row[5] for row in rows[2:8]]
    (chosen,) = visit.deeds
    assert chosen.result == visit.render.results[0]


def test_an_engine_that_came_back_is_greeted_again(pair: Pair) -> None:
    with Talk(pair) as talk:
        talk.ask("hello", protocol="search-v1")
        pair.second.close()
        assert talk.search()["status"] == "error"
        pair.second = pair.engine("b", B)
        assert len(talk.search()["items"]) == 6


def test_what_one_engine_refuses_is_refused(pair: Pair) -> None:
    pair.second.answer = lambda _: {"status": "error", "error": "internal", "message": "broken"}
    with Talk(pair) as talk:
        talk.ask("hello", protocol="search-v1")
        found = talk.search()
        assert (found["id"], found["error"], found["message"]) == (7, "internal", "broken")


def test_two_corpora_are_not_compared(pair: Pair) -> None:
    pair.second.hello = {**pair.second.hello, "corpus": "sha256:another"}
    with Talk(pair) as talk:
        assert "two corpora" in talk.ask("hello", protocol="search-v1")["message"]


def test_a_list_too_long_for_a_line_loses_details_only(pair: Pair) -> None:
    long = {"items": [item(doc_id, "Title", meaning="x" * 9000) for doc_id in A]}
    pair.first.answer = lambda _: long
    pair.second.answer = lambda _: {"items": [item(doc_id, "Title", meaning="x" * 9000) for doc_id in "tuvwyz"]}
    with Talk(pair) as talk:
        talk.ask("hello", protocol="search-v1")
        items = talk.search()["items"]
        assert len(items) == 9
        assert all(item.keys() == {"doc_id", "title", "routes", "draft"} for item in items)
