"""The release contract, held by systems that share nothing with the bundled one."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.second_system.any_system import AnySystem, Connection
from tests.system.release_folders import is_whole, release_id, sha256, snapshot

PAGE = Path(__file__).parents[2] / "docs/score-your-system.md"


@pytest.fixture(params=["tiny", "second"])
def system(request: pytest.FixtureRequest, tmp_path: Path) -> AnySystem:
    folder = request.getfixturevalue("second") if request.param == "second" else tiny(tmp_path / "tiny")
    return AnySystem(folder, tmp_path, '{"least":0.0}')


def tiny(folder: Path) -> Path:
    """The system of the page for authors."""
    folder.mkdir()
    for name, text in re.findall(
        r"^`systems/tiny/(\S+)`\n```(?:json|python)\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL
    ):
        (folder / name).write_text(text)
    return folder


def test_a_release_is_whole_and_served_as_it_says(system: AnySystem) -> None:
    folder = system.build("a", 6)
    card = json.loads((folder / "release.json").read_bytes())
    assert card.keys() == {"format", "corpus", "index", "model", "files"}
    assert (card["format"], card["corpus"]) == ("mambo-release/v1", sha256(system.place / "corpus-a/items.jsonl"))
    assert is_whole(folder)
    assert system.current() == ""
    assert system.release("publish", folder).returncode == 0
    assert system.current() == release_id(folder)
    with system.engine() as path:
        connection = Connection(path)
        assert connection.versions() == (card["corpus"], card["index"], card["model"])
        connection.close()


def test_each_connection_keeps_what_was_current_at_its_hello(system: AnySystem) -> None:
    a, b = system.build("a", 6), system.build("b", 4)
    steps = [(), ("publish", a), ("publish", b), ("rollback",), ("publish", b)]
    with system.engine() as path:
        seen = []
        for words in steps:
            assert not words or system.release(*words).returncode == 0
            connection = Connection(path)
            seen.append((connection, connection.versions(), connection.count()))
            assert all((one.versions(), one.count()) == (versions, count) for one, versions, count in seen)
        assert [count for _, _, count in seen] == [3, 6, 4, 6, 4]
        for connection, *_ in seen:
            connection.close()


def test_a_rollback_gives_back_every_bit(system: AnySystem) -> None:
    a = system.build("a", 6)
    system.release("publish", a)
    before = snapshot(system.published)
    system.release("publish", system.build("b", 4))
    assert system.release("rollback").returncode == 0
    assert system.current() == release_id(a)
    after = snapshot(system.published)
    assert {name: data for name, data in after.items() if name in before} == before
    refused = system.release("rollback")
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (65, "", 1)


def edit(folder: Path, **changes: object) -> None:
    """Alters keys of `release.json`."""
    card = json.loads((folder / "release.json").read_bytes())
    (folder / "release.json").write_text(json.dumps(card | changes, separators=(",", ":"), sort_keys=True))


SPOILERS: dict[str, Callable[[Path], object]] = {
    "a bit": lambda folder: (folder / "items.jsonl").write_bytes((folder / "items.jsonl").read_bytes()[:-1] + b" "),
    "a file is missing": lambda folder: (folder / "items.jsonl").unlink(),
    "a file too many": lambda folder: (folder / "more").touch(),
    "a link": lambda folder: [
        shutil.move(folder / "items.jsonl", folder.parent / "aside"),
        (folder / "items.jsonl").symlink_to(folder.parent / "aside"),
    ],
    "another model": lambda folder: edit(folder, model="sha256:" + "0" * 64),
    "another index": lambda folder: edit(folder, index="sha256:" + "0" * 64),
    "a file outside": lambda folder: edit(folder, files={"../b/items.jsonl": sha256(folder / "items.jsonl")}),
    "no JSON": lambda folder: (folder / "release.json").write_text("{"),
    "no folder": shutil.rmtree,
}


@pytest.mark.parametrize("spoil", SPOILERS.values(), ids=SPOILERS)
def test_what_is_not_whole_is_refused(system: AnySystem, spoil: Callable[[Path], object]) -> None:
    a, b = system.build("a", 6), system.build("b", 4)
    system.release("publish", a)
    before = snapshot(system.published)
    spoil(b)
    refused = system.release("publish", b)
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (65, "", 1)
    assert system.current() == release_id(a)
    assert snapshot(system.published) == before


def test_a_damaged_release_is_never_served(system: AnySystem) -> None:
    a, b = system.build("a", 6), system.build("b", 4)
    system.release("publish", a)
    system.release("publish", b)
    copies = [path.parent for path in system.published.rglob("release.json")]
    (damaged,) = [copy for copy in copies if release_id(copy) == release_id(b)]
    with (damaged / "items.jsonl").open("ab") as file:
        file.write(b"\n")
    with system.engine() as path:
        connection = Connection(path)
        assert connection.count() == 6
        connection.close()
