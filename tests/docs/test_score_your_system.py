"""The system that docs/score-your-system.md builds up is one: taken from the page, it runs and keeps the contract."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys

import pytest

from tests.faults.project import ROOT, Project

PAGE = (ROOT / "docs/score-your-system.md").read_text()
BLOCK = re.compile(r"^`(\S+)`[^\n]*\n```(?:json|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES = dict(BLOCK.findall(PAGE))
SHELL = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
HELLO = b'{"op":"hello","id":7,"protocol":"search-v1"}'


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A checkout with the page's files in it, where its commands find this environment."""
    project = Project.copy(tmp_path_factory.mktemp("author") / "checkout")
    for name, text in FILES.items():
        path = project.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    project.lend_environment()
    return project


@pytest.fixture(scope="module")
def result(project):
    """What the page's quick run leaves, with the page's own commands before it."""
    for command in (SHELL[0], *SHELL[1].splitlines()[:2]):
        environment = project.environment()
        done = subprocess.run(
            ["sh", "-ec", command], cwd=project.root, env=environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
    (folder,) = project.finished()
    return folder


@pytest.fixture(scope="module")
def card(result):
    """Its card."""
    return json.loads((result / "scorecard.json").read_bytes())


@pytest.fixture
def ask(project, tmp_path):
    """One line to the page's engine, and its reply, on one connection."""
    path = str(tmp_path / "e.sock")
    environment = project.environment(
        MAMBO_CORPUS=str(project.path("images/corpus")), MAMBO_CONFIGURATION='{"least":0.5}', MAMBO_ENGINE_SOCKET=path
    )
    folder = project.path("systems/tiny")
    with (
        subprocess.Popen([sys.executable, "engine.py"], cwd=folder, env=environment, stderr=subprocess.PIPE) as engine,
        socket.socket(socket.AF_UNIX) as connection,
    ):
        while connection.connect_ex(path):
            assert engine.poll() is None, engine.stderr.read()
        stream = connection.makefile("rwb", buffering=0)

        def exchange(line):
            stream.write(line + b"\n")
            return json.loads(stream.readline())

        yield exchange
        stream.close()
        engine.terminate()


def test_the_page_holds_all_files_of_a_system() -> None:
    programs = {f"systems/tiny/{name}.py" for name in ("search", "engine", "release", "ui")}
    assert set(FILES) == {"systems/tiny/system.json", "manifests/systems/tiny.json", *programs}
    code = "".join(FILES[name] for name in programs)
    assert sum(bool(line.strip()) for line in code.splitlines()) < 280


def test_it_is_scored_without_an_error_or_a_violation(card) -> None:
    (row,) = card["systems"]
    times = row["performance"]["ui"]
    assert (row["system"], row["violations"], times["errors"], times["timeouts"]) == ("tiny", [], 0, 0)
    assert row["components"]["E"]["value"] > 0.9
    assert row["uncapped"] > 60


def test_it_passes_every_suite(result) -> None:
    gates = json.loads((result / "gates/tiny.json").read_bytes())
    assert [rule for rule in gates["rules"] if rule["verdict"] != "PASS"] == []
    assert [suite["verdict"] for suite in gates["suites"]] == ["PASS"] * 3


def test_its_handshake_and_pins_leave_no_reason(card) -> None:
    assert not [reason for reason in card["reasons"] if "handshake" in reason or "pins it" in reason]


def test_a_card_ends_with_pages_that_are_there(result, project) -> None:
    *_, legend = (result / "scorecard.md").read_text().splitlines()
    named = re.findall(r"docs/\S+\.md", legend)
    assert named == ["docs/score.md", "docs/decisions.md"]
    assert all(project.path(name).is_file() for name in named)


@pytest.mark.parametrize(
    ("line", "number", "error"),
    [
        (b"nonsense", None, "bad_request"),
        (b"[1]", None, "bad_request"),
        (b"\xef\xbb\xbf" + HELLO, None, "bad_request"),
        (b'{"op":"hello","id":1,"protocol":"search-v1","x":NaN}', None, "bad_request"),
        (b'{"op":"hello","id":1,"protocol":1}', 1, "bad_request"),
        (b'{"op":"hello","id":"7","protocol":"search-v1"}', None, "bad_request"),
        (b'{"op":"search","id":3,"text":"cat","limit":3}', 3, "out_of_order"),
        (b'{"op":"hello","id":4,"protocol":"search-v2"}', 4, "protocol"),
        (b'{"op":"dance","id":5}', 5, "unknown_op"),
        (b'{"op":"hello","id":6,"protocol":"' + b"x" * 65_536 + b'"}', None, "too_large"),
    ],
    ids=[
        "not JSON",
        "no object",
        "BOM",
        "NaN",
        "protocol no string",
        "id no integer",
        "no hello yet",
        "other version",
        "unknown",
        "too long",
    ],
)
def test_its_engine_refuses_and_lives_on(ask, line, number, error) -> None:
    refused = ask(line)
    assert (refused["id"], refused["status"], refused["error"]) == (number, "error", error)
    assert ask(HELLO)["status"] == "ok"


@pytest.mark.parametrize(("text", "limit"), [(" ", 3), (7, 3), ("cat", 0), ("cat", 11), ("cat", True)])
def test_its_engine_refuses_a_search_that_is_none(ask, text, limit) -> None:
    assert ask(HELLO)["status"] == "ok"
    refused = ask(json.dumps({"op": "search", "id": 8, "text": text, "limit": limit}).encode())
    assert (refused["id"], refused["error"]) == (8, "bad_request")
