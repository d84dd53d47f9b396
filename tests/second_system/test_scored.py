"""A system that shares no line with the bundled one is scored like it: as a plain process, and in the container."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.faults.project import Project

MANIFEST = "manifests/systems/second.json"
ROW = {"name": "second", "title": "Second", "folder": "systems/second", "files": "", "configuration": {"least": 0.5}}


@pytest.fixture(scope="module")
def project(second, tmp_path_factory):
    """A checkout with the second system in it."""
    project = Project.copy(tmp_path_factory.mktemp("second") / "checkout")
    shutil.copytree(second, project.path("systems/second"))
    project.path(MANIFEST).write_text(json.dumps(ROW))
    project.shrink()
    project.small("second", systems=[MANIFEST], suites=True)
    said = project.bench("pin", "manifests/second.json")
    assert said.status == 0, said
    return project


def run(project, verb):
    """The folder of a run, once it is scored, sealed, and computed again from its raw records."""
    before = set(project.finished())
    said = project.bench(verb, "manifests/second.json")
    assert said.status == 0, said
    (folder,) = set(project.finished()) - before
    checked = project.bench("score", folder)
    assert checked.status == 0, checked
    return folder


def require_scored(folder):
    """Nothing went wrong, what was found is worth something, and every suite passes."""
    (row,) = json.loads((folder / "scorecard.json").read_bytes())["systems"]
    times = row["performance"]["ui"]
    assert (row["system"], row["violations"], times["errors"], times["timeouts"]) == ("second", [], 0, 0)
    assert row["components"]["E"]["value"] > 0.8
    assert row["uncapped"] > 50
    gates = json.loads((folder / "gates/second.json").read_bytes())
    assert [rule for rule in gates["rules"] if rule["verdict"] != "PASS"] == []
    assert [suite["verdict"] for suite in gates["suites"]] == ["PASS"] * 3


def test_as_a_plain_process(project) -> None:
    require_scored(run(project, "quick"))


@pytest.mark.docker
def test_in_the_container(built, project) -> None:
    require_scored(run(project, "official"))
