"""Copies of the checkout to be spoilt, one good run, and the engine with what is labelled as ours in it."""

import json

import docker
import pytest

from tests.faults.hostile import Run
from tests.faults.project import PARTITION, Project

LABEL = "mambomeme"
#: Words of two titles that hold an escape sequence and a change of direction.
ESCAPES, DIRECTION = "ERROR 404 Grumpy Cat's joy not found", "Scumbag Steve sends, opens as something else"


@pytest.fixture
def project(tmp_path):
    """A checkout of this test's own."""
    return Project.copy(tmp_path / "checkout")


@pytest.fixture(scope="session")
def engine():
    """The Docker engine, for looking at what a command left in it."""
    client = docker.from_env(timeout=120)
    yield client
    client.close()


@pytest.fixture(scope="session")
def containers(engine):
    """The containers, running or not, of a project's runs."""

    def of(project):
        found = engine.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True)
        return [each for each in found if each.labels.get(f"{LABEL}.result", "").startswith(f"{project.root}/")]

    return of


@pytest.fixture(scope="session")
def built():
    """The image of this checkout is in the engine, and its layers in the cache that all copies share."""
    said = Project.here().bench("build")
    assert (said.status, said.err) == (0, ""), said


@pytest.fixture(scope="session")
def steady(built, tmp_path_factory):
    """A checkout with one sealed run of the bundled system, two of whose queries find hostile titles."""
    project = Project.copy(tmp_path_factory.mktemp("steady") / "checkout")
    project.spoil(f"{PARTITION}/queries.jsonl", ask_for_hostile_titles)
    project.repin_partition()
    said = project.bench("official", project.small("fault-steady", floors={"echo": 10, "null_ui": 10}))
    assert (said.status, said.err) == (0, ""), said
    return project


@pytest.fixture(scope="session")
def sealed(steady):
    """The folder of that run."""
    (folder,) = steady.finished()
    return folder


@pytest.fixture(scope="session")
def good(sealed):
    """That run, read."""
    return Run(sealed)


def ask_for_hostile_titles(data):
    """The queries with the text of the first two of slice `concept` replaced."""
    topics = [json.loads(line) for line in data.splitlines()]
    for topic, text in zip([t for t in topics if t["slice"] == "concept"], (ESCAPES, DIRECTION), strict=False):
        topic["text"] = text
    return b"".join(json.dumps(topic).encode() + b"\n" for topic in topics)
