"""The suites under three users in a container of the pinned hardware."""

import docker
import pytest

from runner.cli import tools
from tests.suites.playing import Play

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def client():
    """The engine."""
    engine = docker.from_env(timeout=120)
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def image():
    """The image of this checkout, with its own driver."""
    return tools().build().image.tag


@pytest.fixture
def play(client, image, tmp_path):
    """Play the suites on the small system as it breaks one rule."""
    return lambda broken="", **changes: Play(tmp_path / "p", broken, **changes).in_container(client, image)


def test_a_system_that_keeps_the_contract_passes_every_rule(play):
    played = play()
    assert (played.status, played.talk) == (0, "")
    assert played.failing == set()


@pytest.mark.parametrize(
    ("part", "rule"),
    [
        ("protocol", "not-json"),
        ("publication", "kill"),
        ("publication", "kill-cleared"),
        ("publication", "refuses-changed-files"),
        ("restoration", "mouse"),
        ("restoration", "exit-sigkill"),
    ],
)
def test_a_broken_rule_is_found_there_too(play, part, rule):
    found = play(rule, parts=[part]).failing
    assert {rule} <= found <= ({rule, "one-at-work"} if rule == "kill" else {rule})
