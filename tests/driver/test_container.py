"""The driver under three users in a container of the pinned hardware."""

import json

import docker
import pytest

from runner.cli import tools
from tests.driver.conftest import Evidence
from tests.driver.containers import PROFILE, ContainerDrive, plan
from tests.hostile import toy

pytestmark = pytest.mark.docker
ONE = {"warmup": toy.queries(1), "blocks": [toy.queries(2, held=False)]}
SET_ID_AND_KILL = "00000000000000e0"
NOTHING = "0000000000000000"


@pytest.fixture(scope="module")
def client():
    """The engine."""
    engine = docker.from_env(timeout=120)
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def image():
    """The image of this checkout, with its own driver."""
    return tools().build().image.tag


@pytest.fixture
def start(client, image, base):
    """Start a driver in a container; removed at the end of the test."""
    drives = []

    def begin(**changes):
        drives.append(ContainerDrive(client, image, base, plan(**ONE | changes)))
        return drives[-1]

    yield begin
    for drive in drives:
        drive.remove()


@pytest.fixture
def drive(start, tmp_path):
    """Run a plan that must come to its end; the evidence."""

    def run(**changes):
        driver = start(**changes)
        assert driver.finish() == (0, "")
        evidence = Evidence(driver.fetch(tmp_path), driver.line)
        assert evidence.check_chain() == evidence.report["chain"]
        return evidence

    return run


def test_everything_is_as_the_profile_says(drive):
    evidence = drive(engine_path=True, floors={"echo": 10, "null_ui": 10})
    assert evidence.results() == ["done", "done"]
    assert evidence.results("check") == ["done", "done", "done", "late", "done"]
    found = evidence.report["found"]
    for role, uid, capabilities in (
        ("driver", 0, SET_ID_AND_KILL),
        ("engine", 10001, NOTHING),
        ("ui", 10002, NOTHING),
    ):
        rights = found[role]
        assert (rights["Uid"], rights["Gid"]) == (f"{uid} {uid} {uid} {uid}",) * 2
        assert (rights["CapEff"], rights["CapBnd"]) == (capabilities, SET_ID_AND_KILL)
        assert (rights["NoNewPrivs"], rights["Seccomp"]) == ("1", "2")
        assert rights["Cpus_allowed_list"] == PROFILE.cpuset
    assert found["engine"]["Groups"] == found["ui"]["Groups"] == ""
    limits = found["limits"]
    assert PROFILE.memory_bytes in {int(limits.get(name, 0)) for name in ("memory.limit_in_bytes", "memory.max")}
    assert (limits["pids.max"], found["nofile"]) == (str(PROFILE.pids_limit), PROFILE.nofile)
    root = next(mount for mount in found["mounts"] if mount["target"] == "/")
    assert root["options"].split(",")[0] == "ro"
    assert found["interfaces"] == ["lo"]
    assert evidence.events("left") == evidence.events("socket") == []


def test_an_honest_run_leaves_the_network_counters_at_nothing(drive):
    evidence = drive(engine_path=True)
    assert {value for e in evidence.events("net") for value in e["counters"].values()} == {0}


def test_attempts_to_reach_the_network_are_counted(drive):
    """Over IPv4 and IPv6, to names, to this machine; two or more for each of five searches (the block comes twice)."""
    first, *_, last = drive(system=toy.system("ui_calls_home")).events("net")
    moved = {name: last["counters"][name] - value for name, value in first["counters"].items()}
    assert moved["Ip.OutNoRoutes"] == 5 * 2
    assert moved["Ip6OutNoRoutes"] == 5
    assert moved["Ip.OutRequests"] == 5 * 2
    assert moved["Tcp.ActiveOpens"] == 5


def test_a_hostile_ui_gets_at_nothing(drive):
    """Plan, coming queries, driver's memory, engine, raw log, other users, kernel doors (D8)."""
    evidence = drive(system=toy.system("ui_spies"))
    reports = [json.loads(e["data"]) for e in evidence.events("req") if b"REPORT" in e["data"]]
    assert len(reports) == 5
    report = json.loads(reports[0]["text"].removeprefix("REPORT "))
    assert [name for name, outcome in report["found"].items() if not outcome.startswith("denied")] == []
    told = report["told"]
    assert told["uid"] == [10002] * 3
    assert told["groups"] == []
    assert (told["terminal"], told["umask"]) == ([80, 24], "0o77")
    assert told["descriptors"] == ["0", "1", "2", "3", "4"]  # its terminal, its connection, the listing
    assert not any("q0" in value or "dog" in value for value in told["environment"].values())
    assert set(told["names"]) == {"python3"}  # what the kernel tells of every process stays open (images/README.md)


def test_a_hostile_engine_gets_at_nothing_of_the_ui(drive):
    evidence = drive(system=toy.system(engine="engine_spies"))
    items = json.loads(evidence.events("rep", "block-001.jsonl")[0]["data"])["items"]
    assert len(items) == 6
    assert [item for item in items if not item["title"].startswith("denied")] == []
    assert evidence.report["found"]["refused"] == {"connection": 0, "event": 0}


def test_a_side_door_is_reported(drive):
    (door,) = drive(system=toy.system("ui_side_door")).events("socket", "after.jsonl")
    assert door["name"] == "@side-door"


def test_a_door_that_stands_open_between_two_searches_alone_is_reported(drive):
    evidence = drive(system=toy.system("ui_knocks"))
    assert [e["name"] for e in evidence.events("socket")] == [f"@knock-{search}" for search in range(1, 6)]


def test_files_left_are_listed_though_they_are_the_users_own(drive):
    (left,) = drive(system=toy.system("ui_keeps_notes")).events("left", "after.jsonl")
    assert (left["role"], left["path"]) == ("ui", "interactions.jsonl")


def test_a_hung_ui_of_another_user_is_killed_and_restarted(drive):
    short = toy.LIMITS | {"time_limit_ms": 300, "late_ms": 300}
    evidence = drive(system=toy.system("ui_hangs"), warmup=toy.queries(2), limits=short)
    assert evidence.results() == ["timeout", "timeout"]
    assert evidence.report["restarts"] == 2
    # Twice in the block, once when that is asked again; at last the null UI, at the injected timeout.
    assert [e["signal"] for e in evidence.events("exit") if e["role"] == "ui"] == [9, 9, 9, 9]


@pytest.mark.parametrize(("how", "reason"), [("lifeline", "Standard input"), ("terminated", "The driver was told")])
def test_the_end_comes_from_outside(start, tmp_path, how, reason):
    driver = start(blocks=[toy.queries(30, held=True)])
    driver.wait_for(b'"block"')
    if how == "lifeline":
        driver.cut()
    else:
        driver.kill("SIGTERM")
    assert driver.finish() == (4, "")
    evidence = Evidence(driver.fetch(tmp_path), driver.line)
    assert evidence.report["how"] == how
    assert evidence.report["reason"].startswith(reason)
    assert evidence.check_chain() == evidence.report["chain"]
    assert evidence.report["requests"]["done"] < 31
