"""The suites pass on a small system that keeps the contract, and each rule fails on one that breaks it."""

import pytest

from runner.provenance.suites.report import ALL_RULES
from runner.retrieval.gates import Suite, Verdict
from tests.suites.playing import SYSTEM

#: What breaks along with a rule, since it cannot be kept without it. All other rules fail alone.
COMPANIONS = {
    "lives-on-beside": {"lives-on"},
    "connections": {"lives-on-beside"},
    "out-of-order": {"other-protocol"},
    "alternate-screen": {"earlier-screen"},
    "unpublished": {"rollback-none"},
}
#: Other ways to break a rule, by what the small system is told.
OTHER_WAYS = {
    "publish-again": "publish",
    "one-at-work-lost": "one-at-work",
    "rollback-none-prints": "rollback-none",
}
#: Rules that no single fault breaks alone: they have tests of their own below.
OF_THEIR_OWN = {"one-at-work", "engine-lives"}
PROTOCOL, PUBLICATION, RESTORATION = (
    [rule.id for rule in ALL_RULES if rule.suite is suite and rule.id not in OF_THEIR_OWN] for suite in Suite
)


def test_a_system_that_keeps_the_contract_passes_every_rule(play):
    played = play()
    assert (played.status, played.talk) == (0, "")
    report = played.report
    assert played.failing == set()
    assert [result.verdict for result in report.suites] == [Verdict.PASS] * 3
    assert len(report.rules) == len(ALL_RULES)


def test_every_rule_has_a_variant_that_breaks_it():
    words = "".join(path.read_text() for path in SYSTEM.glob("*.py"))
    exits = {rule.id for rule in ALL_RULES if rule.id in {"exit-sigint", "exit-sigterm", "exit-sighup"}}
    assert {rule.id for rule in ALL_RULES if f'"{rule.id}"' not in words} == exits


@pytest.mark.parametrize("rule", PROTOCOL)
def test_a_broken_protocol_fails_its_rule_alone(play, rule):
    assert play(rule, parts=["protocol"]).failing == {rule} | COMPANIONS.get(rule, set())


@pytest.mark.parametrize("rule", PUBLICATION)
def test_a_broken_publication_fails_its_rule_alone(play, rule):
    found = play(rule, parts=["publication"]).failing
    wanted = {rule} | COMPANIONS.get(rule, set())
    # One that switches before it copies is also met at work with nothing whole to serve, if it is stopped there.
    assert wanted <= found <= (wanted | {"one-at-work"} if rule == "kill" else wanted)


@pytest.mark.parametrize("way", OTHER_WAYS)
def test_another_way_to_break_a_rule_fails_it_alone(play, way):
    assert play(way, parts=["publication"]).failing == {OTHER_WAYS[way]}


def test_where_no_stored_copy_can_be_spoilt_nothing_is_said_of_it(play):
    """A store that keeps its files packed is none that breaks the rule, and none that was seen to keep it."""
    (row,) = (row for row in play("packed", parts=["publication"]).report.rules if row.rule == "no-spoilt-release")
    assert row.verdict is Verdict.NOT_RUN


@pytest.mark.parametrize("way", ["one-at-work", "one-at-work-switches"])
def test_publishers_that_heed_no_lock(play, way):
    """Whether two that are started at once also come to harm is a matter of luck."""
    found = play(way, parts=["publication"]).failing
    assert "one-at-work" in found
    assert found <= {"one-at-work", "two-at-once"}


def test_an_engine_that_ends_when_releases_change(play):
    assert "engine-lives" in play("engine-lives", parts=["publication"]).failing


@pytest.mark.parametrize("rule", RESTORATION)
def test_a_broken_restoration_fails_its_rule_alone(play, rule):
    assert play(rule, parts=["restoration"]).failing == {rule} | COMPANIONS.get(rule, set())


def test_without_a_supervisor_nothing_is_repaired_after_sigkill(play):
    played = play("no-supervisor", parts=["restoration"])
    assert {"exit-sigkill", "line-discipline", "alternate-screen", "earlier-screen"} <= played.failing
    for row in played.report.endings:
        left = {mode for mode, verdict in row.modes.items() if verdict is not Verdict.PASS}
        assert bool(left) == (row.ending == "SIGKILL")


def test_a_system_without_the_command_release_was_not_tried_on_releases(play):
    report = play(system={"release": []}, parts=["publication"]).report
    rows = [row for row in report.rules if row.suite is Suite.ROLLBACK]
    assert {(row.verdict, row.found) for row in rows} == {(Verdict.NOT_RUN, "system.json names no command `release`.")}


def test_an_engine_that_does_not_start_leaves_reasons(play):
    played = play(system={"engine": ["python3", "no-such.py"]})
    assert played.status == 0
    found = {row.verdict for row in played.report.rules}
    assert found == {Verdict.NOT_RUN}
    assert any("The engine ended at its start" in row.found for row in played.report.rules)
