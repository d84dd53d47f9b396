"""A command `release` cannot end the driver, nor keep it waiting, whatever it leaves: its own rules say so."""

import pytest

from runner.retrieval.gates import Suite, Verdict
from tests.suites.system.hostile import CARDS, LEAVINGS, TEXTS


@pytest.fixture
def hostile(play):
    """Play the suite about releases with a command `release` of one kind."""
    return lambda kind: play(system={"release": ["python3", "hostile.py", kind]}, parts=["publication"])


@pytest.mark.parametrize("kind", ["nothing", "a process that stays", *CARDS, *TEXTS, *LEAVINGS])
def test_a_build_that_leaves_no_release_fails_for_itself_alone(hostile, kind):
    played = hostile(kind)
    assert (played.status, played.talk) == (0, "")
    rows = {row.rule: row for row in played.report.rules if row.suite is Suite.ROLLBACK}
    assert rows.pop("build").verdict is Verdict.FAIL
    assert {row.verdict for row in rows.values()} == {Verdict.NOT_RUN}
    (why,) = {row.found for row in rows.values()}
    assert not (played.base / "run/engine/suites").exists()
    assert why.startswith(("`build` left", "a holds more than"))


@pytest.mark.parametrize("kind", ["publishers that take the release away", "publishers that do nothing"])
def test_what_cannot_be_tried_is_not_run(hostile, kind):
    played = hostile(kind)
    assert (played.status, played.talk) == (0, "")
    rows = {row.rule: row for row in played.report.rules if row.suite is Suite.ROLLBACK}
    assert rows["two-at-once"].verdict is Verdict.NOT_RUN
    assert Verdict.FAIL in {row.verdict for row in rows.values()}
