"""Preparing runs outside the container, where the labels are: only the checkout's own system may (D8)."""

from __future__ import annotations

import json
import shutil

import pytest

from runner.adapters.image.system import Surroundings, system_tree
from runner.errors import BadInput
from tests.image.tiny import make_project, workshop, write

PRY = """import pathlib
pathlib.Path('stolen').write_text(pathlib.Path({labels!r}).read_text())
"""


def surroundings(places):
    return Surroundings(places.corpus, places.root, places.cache / "prepared")


@pytest.fixture
def places(tmp_path):
    """A project whose labels lie beside it, and another system that asks to be prepared."""
    found = make_project(tmp_path / "project")
    write(found.root / "labels.jsonl", "the right answers")
    shutil.copytree(found.bundled, found.root / "systems/other")
    write(found.root / "systems/other/tiny/index.py", PRY.format(labels=str(found.root / "labels.jsonl")))
    return found


def test_another_system_is_not_prepared(places):
    other = places._replace(system=places.root / "systems/other")
    with pytest.raises(BadInput) as refused:
        workshop(other).layer("system")
    assert str(refused.value).startswith(f"{other.system}/system.json: prepare: only the bundled system's is run")
    assert "ready-made" in refused.value.advice


def test_nor_is_one_that_bears_the_bundled_one_s_name(places):
    folder = places.root / "elsewhere/images/mambomeme"
    shutil.copytree(places.root / "systems/other", folder)
    with pytest.raises(BadInput, match="only the bundled"):
        system_tree(folder, surroundings(places), places.bundled)


def test_the_bundled_one_is_by_whatever_path_it_is_named(places):
    tree = system_tree(places.root / "systems/../images/mambomeme", surroundings(places), places.bundled)
    assert "opt/system/index/count.txt" in tree.nodes()


def test_another_system_without_preparation_is_taken_as_it_is(places):
    other = places._replace(system=places.root / "systems/other")
    card = json.loads((other.system / "system.json").read_text())
    write(other.system / "system.json", card | {"prepare": None})
    assert not (workshop(other).folder("system") / "stolen").exists()
