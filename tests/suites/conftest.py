"""Plays of the suites on the small system, whole or one suite alone."""

import pytest

from tests.suites.playing import Play


@pytest.fixture
def play(tmp_path):
    """Play the suites on the small system as it breaks one rule."""

    def on(broken="", **changes):
        return Play(tmp_path / "p", broken, **changes).as_process()

    return on
