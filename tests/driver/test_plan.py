"""A plan is refused with one line that says where it is wrong."""

import copy
import hashlib
import json

import pytest

from runner.driver.plan import Isolation, PlanError, Query, parse
from tests.hostile import toy


def line(plan):
    """A plan as it is handed over."""
    return json.dumps(plan).encode()


def test_a_plan_is_read_whole():
    given = line(toy.plan("/b", blocks=[[{"query_id": "q1", "text": "frog", "held": True}]], isolation="users"))
    plan = parse(given)
    assert plan.digest == hashlib.sha256(given).hexdigest()
    assert plan.blocks == ((Query("q1", "frog", held=True),),)
    assert plan.isolation is Isolation.USERS
    assert (plan.limits.time_limit_ms, plan.limits.restarts) == (2000, 3)
    assert plan.system.engine == ("python3", "engine.py")
    assert plan.paths.run == "/b/run"


def test_the_configuration_is_canonical():
    given = toy.plan("/b", system=toy.system(b=1, a={"d": "é", "c": None}))
    assert parse(line(given)).system.configuration == '{"a":{"c":null,"d":"é"},"b":1}'


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["limits", "time_limit_ms"], 0, "plan.limits.time_limit_ms: must be at least 1."),
        (["limits", "restarts"], True, "plan.limits.restarts: must be an integer."),
        (["limits", "late_ms"], 1.5, "plan.limits.late_ms: must be an integer."),
        (["engine_path"], 1, "plan.engine_path: must be true or false."),
        (["system", "tui"], [], "plan.system.tui: must be a command, as a list of non-empty strings."),
        (["system", "engine"], "sh", "plan.system.engine: must be a list."),
        (["blocks"], [{}], "plan.blocks[0]: must be a list."),
        (["warmup"], [{"query_id": "q"}], "plan.warmup[0]: missing key 'text'."),
        (["warmup"], [{"query_id": "q", "text": ""}], "plan.warmup[0].text: must be 1 to 4000 bytes long."),
        (
            ["blocks"],
            [[{"query_id": "q", "text": "a\rb", "held": False}]],
            "plan.blocks[0][0].text: holds a control character, which would be a key.",
        ),
        (["paths", "run"], "run", "plan.paths.run: must be an absolute path."),
        (
            ["paths", "run"],
            "/" + "r" * 90,
            "plan.paths.run: is too long for the sockets below it; choose a shorter folder.",
        ),
        (["floors"], None, "plan.floors: must be an object."),
        (["lock"], "sha256:12", "plan.lock: must be 'sha256:' and 64 hexadecimal digits, not 'sha256:12'."),
        (["more"], 1, "plan: unknown key 'more'."),
    ],
)
def test_a_wrong_value_is_named(path, value, message):
    plan = copy.deepcopy(toy.plan("/b"))
    *folders, last = path
    table = plan
    for key in folders:
        table = table[key]
    table[last] = value
    with pytest.raises(PlanError) as refused:
        parse(line(plan))
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (b"", "plan: not JSON"),
        (b"[]", "plan: must be an object."),
        (b"\xff", "plan: byte 0 is not UTF-8."),
        (b'{"a":1,"a":2}', "plan: a key stands twice in one object."),
        (b'{"a":NaN}', "plan: NaN is not a number."),
        (b"[" * 100_000, "plan: not JSON"),
        (b'{"a":"\\ud800"}', "plan: a string holds half of a surrogate pair."),
    ],
)
def test_what_is_no_plan_is_refused(given, message):
    with pytest.raises(PlanError, match=f"^{message.replace('[', '.')}"):
        parse(given)
