"""Copies of the checkout to be spoilt, and the engine with what is labelled as ours in it."""

import docker
import pytest

from tests.faults.project import Project


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
