"""Search systems that crash, hang, cheat and pry, scored by the command line in the real container."""

import base64
import json

import pytest

from tests.faults.conftest import HOSTILE
from tests.faults.hostile import Run, make_row, make_system
from tests.faults.project import SMALL, Project

pytestmark = pytest.mark.docker
SHORT = SMALL["limits"] | {"time_limit_ms": 1000, "late_ms": 300}
DIFFERS, CHANGED = "drawn list differs from the returned list", "drawn list changed after done"
EARLY, NETWORK = "engine asked before the submit key", "attempt to reach the network"
NOTES, DOOR = "interaction event written without opt-in", "engine reached past the driver"
CHEATS = {
    "ui_wrong_list": {DIFFERS},
    "ui_false_id": {DIFFERS},
    "ui_half_frame": {DIFFERS},
    "ui_changes": {CHANGED},
    "ui_early": {EARLY},
    "ui_calls_home": {NETWORK},
    "ui_keeps_notes": {NOTES},
    "ui_side_door": {DOOR},
}
OTHERS = ("good_ui", "ui_prefetches", "ui_spies", "ui_hangs", "ui_exits")


def name_of(ui):
    """A row's name."""
    return ui.replace("_", "-")


@pytest.fixture(scope="module")
def arena(built, tmp_path_factory):
    """A checkout with the hostile system."""
    project = Project.copy(tmp_path_factory.mktemp("arena") / "checkout")
    project.queries = project.shrink()
    make_system(project)
    return project


@pytest.fixture(scope="module")
def run(arena):
    """One run with a row for each UI that does not void it."""
    rows = [make_row(arena, name_of(ui), ui, exits_at=5) for ui in (*CHEATS, *OTHERS)]
    said = arena.bench("official", arena.small("fault-hostile", rows, limits=SHORT))
    assert (said.status, said.err) == (0, ""), said
    (folder,) = arena.finished()
    return Run(folder)


def test_the_honest_one_among_them_is_scored_as_if_alone(run):
    """Nothing that a row does reaches another."""
    row = run.row("good-ui")
    assert row["score"] > 0
    assert run.violations("good-ui") == set()
    assert run.outcomes("good-ui").keys() == {"answered", "empty"}


def test_what_hostile_systems_did_verifies(arena, run):
    """Whatever was restarted, charged or caught: the card follows from the records."""
    said = arena.bench("verify", run.folder, "--trust", arena.path(".keys/trust.json"))
    assert (said.status, said.err) == (0, "")


@pytest.mark.parametrize("ui", CHEATS)
def test_a_cheat_scores_nothing(run, ui):
    """D24: its kind of violation, and no other, whatever the figures would have been."""
    row = run.row(name_of(ui))
    assert (row["status"], row["score"]) == ("FAIL", 0.0)
    assert run.violations(name_of(ui)) == CHEATS[ui]


def test_who_asks_again_when_done_scores_nothing(run):
    """Where the terminal delivers the frame after the second reply, that reply is what it is held against (D12)."""
    row = run.row("ui-prefetches")
    assert (row["status"], row["score"]) == ("FAIL", 0.0)
    assert set() < run.violations("ui-prefetches") <= {EARLY, DIFFERS}


def test_the_network_was_tried_over_both_protocols(run):
    (found,) = [violation["detail"] for violation in run.row("ui-calls-home")["violations"]]
    assert "Ip.OutNoRoutes +" in found
    assert "Ip6OutNoRoutes +" in found


def test_a_wrong_list_earns_only_what_the_user_saw(run):
    """D20: a true title beside a false id is the false item."""
    assert run.row("ui-false-id")["components"]["Q"]["value"] == 0.0
    assert 0 < run.row("ui-wrong-list")["components"]["Q"]["value"] < run.row("good-ui")["components"]["Q"]["value"]


def test_a_hang_is_charged_and_the_run_goes_on(run, arena):
    """D14: two warm-ups pass in each process, the third search hangs; three restarts, then the rest is charged."""
    assert run.outcomes("ui-hangs") == {"timeout": 4, "error": arena.queries - 4}
    assert run.report("ui-hangs")["restarts"] == 3
    row = run.row("ui-hangs")
    assert (row["status"], row["score"]) == ("FAIL", 0.0)
    assert row["performance"]["ui"]["p50_ns"] == SHORT["time_limit_ms"] * 10**6


def test_a_ui_that_exits_is_restarted_each_time(run, arena):
    """Two warm-ups and two searches pass in each process, the fifth search ends it: every third."""
    outcomes = run.outcomes("ui-exits")
    assert (outcomes["error"], sum(outcomes.values())) == (arena.queries // 3, arena.queries)
    assert run.report("ui-exits")["restarts"] == arena.queries // 3


def test_a_spy_learns_nothing_and_gains_nothing(run):
    report = next(text for text in asked(run.folder / "raw/ui-spies/block-001.jsonl") if text.startswith("REPORT "))
    found = json.loads(report.removeprefix("REPORT "))["found"]
    assert {"memory of the driver", "engine past the driver", "raw log", "VSOCK"} <= found.keys()
    assert [attempt for attempt, outcome in found.items() if not outcome.startswith("denied")] == []
    assert run.violations("ui-spies") == set()
    assert run.row("ui-spies")["components"]["Q"] == run.row("good-ui")["components"]["Q"]


def test_the_engine_holds_nothing_of_the_run_any_more(run, arena, containers):
    assert containers(arena) == []


@pytest.mark.parametrize(
    ("ui", "card", "limits", "why"),
    [
        ("ui_crashes", {}, {}, "The UI was not ready for keys: it ended before its first typing frame."),
        ("good_ui", {"tui": ["no-such-program"]}, {}, "The UI cannot be started: no program 'no-such-program' to run."),
        ("good_ui", {"engine": ["python3", "ui_crashes.py"]}, {}, "The engine ended at its start."),
        ("ui_hangs", {}, {"wall_limit_s": 1}, "wall limit"),
    ],
)
def test_a_void_run_has_no_score_and_keeps_its_evidence(arena, containers, ui, card, limits, why):
    """Exit 3; what was seen stands in the unfinished result, which cannot be taken for a whole one."""
    arena.edit("systems/hostile/system.json", lambda it: it.update(card))
    before = set(arena.unfinished())
    manifest = arena.small("fault-void", [make_row(arena, "broken", ui)], limits=SHORT | limits)
    said = arena.bench("official", manifest)
    restore(arena)
    assert (said.status, said.out) == (3, "")
    assert said.err.startswith("bench: broken: ")
    assert said.err.count("\n") == 1
    (kept,) = set(arena.unfinished()) - before
    assert str(kept) in said.err
    report = json.loads((kept / "raw/broken/driver.json").read_bytes())
    assert report["how"] == "void"
    assert why in report["reason"]
    assert why in said.err
    assert {"manifest.json", "run.lock.json", "raw"} <= {path.name for path in kept.iterdir()}
    assert not list(kept.glob("scorecard.*")) + list(kept.glob("*.dsse.json"))
    assert containers(arena) == []
    assert arena.bench("verify", kept, "--trust", arena.path(".keys/trust.json")).status == 2


def test_floods_and_forks_without_end_are_ended_and_charged(arena, containers):
    """Neither the memory nor the last free process of the container is theirs to keep: the honest row is as ever."""
    rows = [make_row(arena, name_of(ui), ui) for ui in ("ui_floods", "ui_bombs", "good_ui")]
    before = set(arena.finished())
    said = arena.bench("official", arena.small("fault-greedy", rows, limits=SHORT))
    assert (said.status, said.err) == (0, ""), said
    (folder,) = set(arena.finished()) - before
    run = Run(folder)
    for name in ("ui-floods", "ui-bombs"):
        assert run.outcomes(name) == {"error": arena.queries}
        assert (run.row(name)["status"], run.row(name)["score"]) == ("FAIL", 0.0)
        assert run.report(name)["restarts"] == SHORT["restarts"]
    assert run.outcomes("good-ui").keys() == {"answered", "empty"}
    assert containers(arena) == []


@pytest.mark.slow
def test_a_ui_that_exits_at_its_500th_search_costs_two_of_a_thousand(arena):
    """498 measured requests in the first process and in the second, the last of each crashes; a third does the rest."""
    row = make_row(arena, "late", "ui_exits", exits_at=500)
    before = set(arena.finished())
    said = arena.bench("official", arena.small("fault-late", [row], limits=SHORT | {"min_searches": 1000}))
    assert (said.status, said.err) == (0, ""), said
    (folder,) = set(arena.finished()) - before
    run = Run(folder)
    outcomes = run.outcomes("late")
    assert (outcomes["error"], sum(outcomes.values())) == (2, -(-1000 // arena.queries) * arena.queries)
    assert run.report("late")["restarts"] == 2
    assert run.violations("late") == set()


@pytest.mark.parametrize("character", HOSTILE)
def test_a_title_with_hostile_characters_is_drawn_and_read(steady, good, character):
    """The terminal is shown the characters, and obeys none of them."""
    hidden = steady.hidden[character]
    (seen,) = [one for one in good.observations if one["query_id"] == hidden.query_id]
    assert seen["outcome"] == "answered"
    assert hidden.doc_id in seen["drawn"]
    assert seen["drawn"] == seen["returned"]
    assert seen["violations"] == []


def test_no_hostile_character_reaches_the_terminal(steady, good):
    drawn = b"".join(chunks(good.folder / "raw/bm25/block-001.jsonl", "out")).decode()
    title = steady.hidden["\x1b"].title
    assert title[:12].translate({code: 0x2400 + code for code in range(32)}) in drawn
    assert title[:12] not in drawn
    assert "\u202e" not in drawn
    assert good.violations("bm25") == set()


def events(path):
    """The events of one file of a raw log."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def chunks(path, kind):
    """The bytes of all events of one kind."""
    return [base64.b64decode(event["b64"]) for event in events(path) if event["e"] == kind]


def asked(path):
    """The texts that the UI asked the engine for."""
    lines = b"".join(chunks(path, "req")).splitlines()
    return [request["text"] for request in map(json.loads, lines) if request["op"] == "search"]


def restore(arena):
    """The system card as the other rows need it."""
    card = {"engine": ["python3", "engine_bundled.py"], "tui": ["python3", "ui_chosen.py"]}
    arena.edit("systems/hostile/system.json", lambda it: it.update(card))
