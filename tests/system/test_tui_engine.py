"""What the UI does when the engine is late, wrong or gone, and what it tells of each submit."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from images.mambomeme.mambomeme.tui.alarms import Action, Alarms
from images.mambomeme.mambomeme.tui.client import Client
from images.mambomeme.mambomeme.tui.searches import Searches, Submit
from images.mambomeme.mambomeme.tui.session import Answer
from tests.system.tui_engine import HELLO, SmallEngine, item, ten_items
from tests.system.tui_terminal import Tui


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[SmallEngine]:
    with SmallEngine(tmp_path / "s") as engine:
        yield engine


@pytest.fixture
def tui(engine: SmallEngine) -> Iterator[Tui]:
    with Tui({"MAMBO_SOCKET": str(engine.path)}) as tui:
        tui.next_frame()
        yield tui


def assert_error(tui: Tui, submit: int, words: str) -> None:
    rows = tui.rows()
    assert rows[23].startswith(f"#{submit} error: ")
    assert words in rows[23]
    assert [row[:21].strip() for row in rows[2:12]] == [""] * 10
    assert any("Enter" in row for row in rows[2:12])


def test_an_engine_that_is_not_there_is_told_at_once_and_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with Tui({"MAMBO_SOCKET": str(path)}) as tui:
        assert tui.next_frame().state == "typing"
        assert any("cannot be reached" in row for row in tui.rows())
        tui.search("cat")
        assert_error(tui, 1, "cannot be reached")
        with SmallEngine(path):
            tui.search("cat")
            assert tui.rows()[23].startswith("#2 10 results")


def test_an_engine_that_goes_away_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with Tui({"MAMBO_SOCKET": str(path)}) as tui:
        with SmallEngine(path) as engine:
            tui.next_frame()
            tui.search("cat")
        tui.search("dog")
        assert_error(tui, 2, "cannot be reached")
        with SmallEngine(path) as engine:
            tui.search("cow")
            assert tui.rows()[23].startswith("#3 10 results")
            assert engine.asked == ["cow"]


def test_a_connection_cut_in_a_search_is_an_error_and_the_next_search_works(engine: SmallEngine, tui: Tui) -> None:
    def cut(_: dict[str, Any]) -> None:
        engine.drop()

    engine.answer = cut
    tui.search("cat")
    assert_error(tui, 1, "gone away")
    engine.answer = ten_items
    tui.search("cat")
    assert tui.rows()[23].startswith("#2 10 results")


WRONG: dict[str, tuple[dict[str, Any] | bytes, str]] = {
    "not json": (b"{nonsense\n", "not JSON"),
    "not utf-8": (b'{"id":2,"status":"ok","items":[{"doc_id":"a","title":"\xff"}]}\n', "not JSON"),
    "not an object": (b"[]\n", "not an object"),
    "deep": (b"[" * 60_000 + b"\n", "not JSON"),
    "no id": (b'{"status":"ok","items":[]}\n', "without status or id"),
    "eleven items": ({"items": [item(f"m{n}", "t") for n in range(11)]}, "11 items"),
    "items no list": ({"items": {}}, "not a list"),
    "item without title": ({"items": [{"doc_id": "a", "routes": ["lexical"]}]}, "without doc_id or title"),
    "item without id": ({"items": [{"title": "a"}]}, "without doc_id or title"),
    "endless line": (b"x" * 70_000, "65536 bytes"),
    "error without words": ({"status": "error"}, "unnamed"),
    "error in other types": ({"status": "error", "error": 7, "message": ["x"]}, "unnamed"),
    "error that would steer": ({"status": "error", "error": "internal", "message": "\x1b[2J\u202e"}, "␛[2J\ufffd"),
}


@pytest.mark.parametrize(("reply", "words"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_reply_is_an_error_that_names_it(
    engine: SmallEngine, tui: Tui, reply: dict[str, Any] | bytes, words: str
) -> None:
    engine.answer = lambda _: reply
    tui.search("cat")
    assert_error(tui, 1, words)
    engine.answer = ten_items
    tui.search("cat")
    assert tui.rows()[23].startswith("#2 10 results")


@pytest.mark.parametrize("key", ["protocol", "interface"])
def test_an_engine_of_another_version_is_refused_by_name(tmp_path: Path, key: str) -> None:
    with (
        SmallEngine(tmp_path / "s", hello={**HELLO, key: "other-v9"}) as engine,
        Tui({"MAMBO_SOCKET": str(engine.path)}) as tui,
    ):
        tui.next_frame()
        tui.search("cat")
        assert_error(tui, 1, f"{key} other-v9")


def test_a_refused_hello_is_an_error(tmp_path: Path) -> None:
    refusal = {"status": "error", "error": "protocol", "message": "speak search-v2"}
    with (
        SmallEngine(tmp_path / "s", hello=refusal) as engine,
        Tui({"MAMBO_SOCKET": str(engine.path)}) as tui,
    ):
        tui.next_frame()
        tui.search("cat")
        assert_error(tui, 1, "speak search-v2")


def test_a_reply_in_pieces_is_one_reply(engine: SmallEngine, tui: Tui) -> None:
    whole = json.dumps({"id": 2, "status": "ok", "items": [item("a", "Tïtle")]}, ensure_ascii=False).encode() + b"\n"

    def in_pieces(_: dict[str, Any]) -> None:
        for byte in whole:
            engine.send(bytes([byte]))

    engine.answer = in_pieces
    tui.search("cat")
    assert tui.rows()[2].endswith("Tïtle")


def test_replies_to_nothing_asked_are_left_alone(engine: SmallEngine, tui: Tui) -> None:
    tui.search("cat")
    engine.send(b'{"id":99,"status":"ok","items":[]}\n{"id":2,"status":"ok","items":[]}\n')
    tui.press("x")
    assert tui.rows()[2].endswith("cat 1")


def test_a_slow_search_shows_busy_frames_and_typing_goes_on(engine: SmallEngine, tui: Tui) -> None:
    release = threading.Event()

    def slow(request: dict[str, Any]) -> dict[str, Any]:
        release.wait()
        return ten_items(request)

    engine.answer = slow
    tui.write("cat\r")
    frame = tui.wait("busy")
    assert (frame.submit, frame.state) == (1, "busy")
    assert "searching" in tui.rows()[23]
    tui.write("x")
    while tui.rows()[0] != "> catx":
        assert tui.next_frame().state in {"typing", "busy"}
    release.set()
    assert tui.wait("done").submit == 1
    rows = tui.rows()
    assert rows[0] == "> catx"
    assert rows[2].endswith("cat 1")


def test_a_newer_submit_overtakes_and_what_lies_between_is_never_asked(engine: SmallEngine, tui: Tui) -> None:
    release = threading.Event()

    def slow(request: dict[str, Any]) -> dict[str, Any]:
        release.wait()
        return ten_items(request)

    engine.answer = slow
    tui.write("one\r")
    tui.wait("busy")
    tui.write("\x15two\r\x15three\r")
    while tui.rows()[0] != "> three":
        tui.next_frame()
    release.set()
    frame = tui.wait("done")
    assert frame.submit == 3
    assert tui.rows()[2].endswith("three 1")
    assert engine.asked == ["one", "three"]


def test_accept_and_drawn_are_told_with_monotonic_stamps_in_order(engine: SmallEngine, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as events:
        events.bind(str(tmp_path / "events"))
        events.settimeout(20)
        environment = {"MAMBO_SOCKET": str(engine.path), "MAMBO_EVENTS": str(tmp_path / "events")}
        with Tui(environment) as tui:
            tui.next_frame()
            for submit in (1, 2):
                before = time.monotonic_ns()
                tui.search("cat")
                accept, drawn = (json.loads(events.recv(1000)) for _ in range(2))
                after = time.monotonic_ns()
                assert (accept["event"], accept["submit"]) == ("accept", submit)
                assert (drawn["event"], drawn["submit"]) == ("drawn", submit)
                assert set(accept) == set(drawn) == {"event", "submit", "ns"}
                assert before < accept["ns"] < drawn["ns"] < after


def test_nobody_at_the_events_socket_changes_nothing(engine: SmallEngine, tmp_path: Path) -> None:
    with Tui({"MAMBO_SOCKET": str(engine.path), "MAMBO_EVENTS": str(tmp_path / "nobody")}) as tui:
        tui.next_frame()
        tui.search("cat")
        assert tui.rows()[23].startswith("#1 10 results")


def test_nothing_is_asked_before_the_submit_key(engine: SmallEngine, tui: Tui) -> None:
    tui.press("cat")
    assert engine.asked == []


class HandAlarms(Alarms):
    """Alarms that a test lets go off."""

    def __init__(self) -> None:
        self.set_for: dict[Action, float] = {}

    def set(self, action: Action, seconds: float) -> None:
        self.set_for[action] = seconds

    def cancel(self, action: Action) -> None:
        self.set_for.pop(action, None)


def test_a_search_without_an_answer_for_ten_seconds_is_an_error(engine: SmallEngine) -> None:
    engine.answer = lambda _: None
    alarms, answers = HandAlarms(), list[Answer]()
    client = Client(str(engine.path))
    searches = Searches(client, alarms, finished=answers.append, greeted=lambda: None)
    searches.submit(Submit(1, "cat", time.monotonic_ns()))
    ((time_out, seconds),) = alarms.set_for.items()
    assert (seconds, answers) == (10, [])
    time_out()
    assert [(answer.submit, answer.trouble) for answer in answers] == [(1, "no answer from the engine after 10 s")]
    assert not client.connected
    assert alarms.set_for == {}
