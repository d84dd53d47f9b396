"""A suite that was cut short blames nobody: what was not seen to its end is not run, wherever the cut falls."""

import pytest

from runner.provenance.suites.protocol import Expected
from runner.provenance.suites.report import protocol_rows, publication_rows, restoration_rows, stretch
from runner.retrieval.gates import Verdict
from runner.terminal.suite_log import Ended, Part
from tests.suites.playing import Play

#: Each event of the suite with the most to know of earlier cases, some of the others.
STEPS = {Part.PROTOCOL: 11, Part.PUBLICATION: 1, Part.RESTORATION: 5}


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A whole play of the system that keeps the contract."""
    return Play(tmp_path_factory.mktemp("good") / "p").as_process()


def rows_of(part, events, versions):
    """The rows of one suite."""
    found = stretch(events, part)
    if part is Part.PROTOCOL:
        return protocol_rows(found, Expected("cat", versions))
    return publication_rows(found) if part is Part.PUBLICATION else restoration_rows(found)[0]


@pytest.mark.parametrize("part", Part)
def test_a_log_that_ends_after_any_event(good, part):
    events = good.log.events
    last = next(number for number, event in enumerate(events) if isinstance(event, Ended) and event.part is part)
    for end in range(0, last, STEPS[part]):
        assert {row.verdict for row in rows_of(part, events[:end], good.versions)} == {Verdict.NOT_RUN}
    assert {row.verdict for row in rows_of(part, events, good.versions)} == {Verdict.PASS}


@pytest.mark.parametrize("part", ["publication", "restoration"])
def test_a_wall_limit_that_passes_in_a_suite(play, part):
    """Both start more processes than a second has room for."""
    played = play(parts=[part], wall_limit_s=1)
    assert (played.status, played.talk) == (3, "")
    assert Verdict.FAIL not in {row.verdict for row in played.report.rules}
