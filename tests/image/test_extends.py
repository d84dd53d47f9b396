"""A system may stand on the bundled one, and bring locks of its own for its image."""

from __future__ import annotations

import json

import pytest

from runner.adapters.image.system import source_digest
from tests.image.tiny import WEIGHTS_LOCKED, make_project, workshop, write

CARD = {
    "name": "guest",
    "version": "1",
    "interface": "list-80x24-v1",
    "protocol": "search-v1",
    "engine": ["sh"],
    "tui": ["sh"],
    "release": None,
    "prepare": None,
}


@pytest.fixture
def places(tmp_path):
    """A project with a second system, which has one file that the bundled one has too."""
    found = make_project(tmp_path / "project")
    guest = found._replace(system=found.root / "systems/guest")
    write(guest.system / "system.json", CARD | {"extends": "mambomeme"})
    write(guest.bundled / "ui.py", "theirs")
    write(guest.bundled / "both.py", "theirs")
    write(guest.system / "both.py", "mine")
    return guest


def test_it_has_the_bundled_files_beside_its_own(places):
    folder = workshop(places).folder("system")
    found = {name: (folder / name).read_text() for name in ("ui.py", "both.py")}
    assert found == {"ui.py": "theirs", "both.py": "mine"}
    assert json.loads((folder / "system.json").read_text())["name"] == "guest"
    assert not (folder / "index").exists()


def test_its_layer_and_digest_follow_the_bundled_files(places):
    before = workshop(places).layer("system").diff_id, source_digest(places.system, places.bundled)
    write(places.bundled / "ui.py", "other")
    after = workshop(places).layer("system").diff_id, source_digest(places.system, places.bundled)
    assert before[0] == before[1] != after[0] == after[1]


def test_one_that_extends_nothing_has_its_own_files_alone(places):
    write(places.system / "system.json", CARD)
    assert sorted(path.name for path in workshop(places).folder("system").iterdir()) == ["both.py", "system.json"]


def test_its_locks_go_before_those_of_the_project(places):
    common = workshop(places)
    models = common.layer("models").diff_id, common.layer("site").diff_id
    lock = {"format": "mambomeme/model-lock/v1", "files": [WEIGHTS_LOCKED | {"name": "other/weights.bin"}]}
    write(places.own_locks / "models.json", lock)
    own = workshop(places)
    assert (own.folder("models") / "other/weights.bin").exists()
    assert own.layer("models").diff_id != models[0]
    assert own.layer("site").diff_id == models[1]
