"""Copies of the checkout to be spoilt, one good run, and the engine with what is labelled as ours in it."""

import os
import shutil
from typing import NamedTuple

import docker
import pytest

from runner import shell
from tests.faults.hostile import Run
from tests.faults.own_engine import OwnEngine
from tests.faults.project import CACHE, PARTITION, Project, read_lines, write_lines

LABEL = "mambomeme"
#: The corpus has titles with an escape sequence and with a change of direction.
HOSTILE = ("\x1b", "\u202e")


class Hidden(NamedTuple):
    """A query that finds an item with a hostile title."""

    query_id: str
    doc_id: str
    title: str


@pytest.fixture
def project(tmp_path):
    """A checkout of this test's own."""
    return Project.copy(tmp_path / "checkout")


@pytest.fixture
def runs(bench, monkeypatch):
    """Runs a verb of a project's command line in this process: what no start of another one adds to."""

    def run(project, *words):
        monkeypatch.chdir(project.root)
        monkeypatch.setattr(shell, "ROOT", project.root)
        monkeypatch.setenv("MAMBO_CACHE", CACHE)
        return bench(*words)

    return run


@pytest.fixture(scope="session")
def engine():
    """The Docker engine, for looking at what a command left in it."""
    client = docker.from_env(timeout=120)
    yield client
    client.close()


@pytest.fixture
def own_engine(monkeypatch):
    """An engine that may be killed."""
    if os.getuid() != 0 or not shutil.which("dockerd"):
        pytest.skip("only root can start a Docker daemon of the tests' own")
    with OwnEngine() as engine:
        monkeypatch.setenv("DOCKER_HOST", engine.address)
        yield engine


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
    project.shrink()
    project.hidden = ask_for_hostile_titles(project)
    said = project.bench("official", project.small("fault-steady", floors={"echo": 10, "null_ui": 10}, suites=True))
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


def ask_for_hostile_titles(project):
    """Let the first queries of slice `concept` ask for the titles of HOSTILE; what was found for each, by character."""
    path = project.path(f"{PARTITION}/queries.jsonl")
    items, topics = read_lines(project.path("images/corpus/items.jsonl")), read_lines(path)
    asking = iter([topic for topic in topics if topic["slice"] == "concept"])
    found = {}
    for character in HOSTILE:
        item, topic = next(item for item in items if character in item["title"]), next(asking)
        topic["text"] = "".join(filter(str.isprintable, item["title"]))[:76]
        found[character] = Hidden(topic["query_id"], item["doc_id"], item["title"])
    write_lines(path, topics)
    project.repin_partition()
    return found
