"""The second system shows the same lists whatever its terminal answers; it asks where the cursor is before it draws."""

import json

import pytest

from runner.terminal.profile import Profile
from runner.workflows.plan import plan_for
from tests.driver.conftest import Drive
from tests.driver.test_rough_terminal import LIMITS, LOCK, Bundled


@pytest.fixture(scope="module")
def lists(second, tmp_path_factory):
    """The lists by terminal."""
    return {profile: _lists(second, tmp_path_factory.mktemp("t"), profile) for profile in Profile}


def _lists(second, base, profile):
    bundled = Bundled(base)
    inputs = bundled._inputs.only(["bm25"])
    seat = bundled._kit.plain_seat(inputs.systems[0].manifest.folder, base / "run")
    plan = json.loads(plan_for(inputs.systems[0], inputs, seat.places, LOCK))
    card = json.loads((second / "system.json").read_bytes())
    plan["system"] |= {"engine": card["engine"], "tui": card["tui"], "configuration": {"least": 0.5}}
    plan["paths"]["system"] = str(second)
    topics = inputs.partition.topics[::12]
    block = [{"query_id": topic.query_id, "text": topic.text, "held": False} for topic in topics]
    plan |= {"warmup": [], "blocks": [block], "limits": LIMITS, "engine_path": False, "terminal": profile}
    plan["floors"] = {"echo": 0, "null_ui": 0}
    driver = Drive(base, plan)
    assert driver.finish()[::2] == (0, "")
    return bundled.lists(driver.evidence())


def test_no_list_depends_on_what_the_terminal_answers(lists):
    full = lists[Profile.FULL]
    assert [str(outcome) for outcome, *_ in full].count("answered") >= 5
    assert lists == dict.fromkeys(Profile, full)
