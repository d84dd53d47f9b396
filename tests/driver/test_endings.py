"""How a run can end before its end: status, reason, and a log that is whole as far as it goes."""

import signal

import pytest

from runner.provenance.chain import follow
from tests.hostile import toy

LONG = {"blocks": [toy.queries(20, held=True)]}


def test_lifeline_cut(start):
    driver = start(**LONG)
    driver.progress("block")
    driver.process.stdin.close()
    assert driver.process.wait(10) == 4
    evidence = driver.evidence()
    assert (evidence.report["how"], evidence.report["reason"]) == (
        "lifeline",
        "Standard input was closed: the runner is gone.",
    )
    assert evidence.check_chain() == evidence.report["chain"]
    assert evidence.events()[-1]["e"] == "close"
    assert list(evidence.files) == ["after.jsonl", "block-000.jsonl", "block-001.jsonl"]
    assert driver.left_running() == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_told_to_end(start, number):
    driver = start(**LONG)
    driver.progress("block")
    driver.process.send_signal(number)
    assert driver.finish()[0] == 4
    evidence = driver.evidence()
    assert evidence.report["how"] == "terminated"
    assert evidence.check_chain() == evidence.report["chain"]
    assert driver.left_running() == []


def test_killed_without_warning(start):
    """No time to write anything: the finished requests are in the files, the children do not live on."""
    driver = start(**LONG)
    driver.progress("block")
    driver.process.kill()
    assert driver.finish()[0] == -signal.SIGKILL
    assert not (driver.out / "driver.json").exists()
    head = follow(toy.digest(driver.line), (driver.out / "block-000.jsonl").read_bytes().splitlines(True))
    kept = (driver.out / "block-001.jsonl").read_bytes()
    assert follow(head, kept.splitlines(True))
    assert b'"finish"' in kept
    assert driver.gone()


def test_wall_limit(start):
    driver = start(**LONG, limits=toy.LIMITS | {"wall_limit_s": 2})
    status, _, _ = driver.finish()
    report = driver.evidence().report
    assert (status, report["how"]) == (3, "void")
    assert report["reason"] == "The wall limit of the manifest has passed."
    assert 3 < report["requests"]["done"] < 23


@pytest.mark.parametrize(
    ("system", "reason"),
    [
        (toy.system(engine="engine_fails"), "The engine ended at its start. no index here"),
        (toy.system("ui_crashes"), "The UI was not ready for keys: it ended before its first typing frame."),
        (
            toy.system() | {"engine": ["no-such-engine"]},
            "The engine cannot be started: no program 'no-such-engine' to run.",
        ),
        (toy.system() | {"tui": ["./no-such-ui"]}, "The UI cannot be started: no program './no-such-ui' to run."),
    ],
)
def test_a_system_that_does_not_start(start, system, reason):
    driver = start(system=system)
    status, _, talk = driver.finish()
    evidence = driver.evidence()
    assert (status, talk) == (3, "")
    assert (evidence.report["how"], evidence.report["reason"]) == ("void", reason)
    assert evidence.check_chain() == evidence.report["chain"]
    assert driver.left_running() == []


@pytest.mark.slow
def test_a_ui_that_is_never_ready(start):
    driver = start(system=toy.system("ui_mute"))
    assert driver.finish()[0] == 3
    assert driver.evidence().report["reason"].endswith("no typing frame with submit=1 within 10 s.")


def test_an_unreadable_plan(start, base):
    driver = start(isolation="root")
    status, out, talk = driver.finish()
    assert (status, out) == (65, b"")
    assert talk == "driver: plan.isolation: must be 'users' or 'none', not 'root'.\n"
    assert not (base / "out").exists()


def test_a_folder_that_holds_a_log_already(start, base):
    (base / "out").mkdir()
    (base / "out/engine.jsonl").touch()
    status, _, talk = start().finish()
    assert status == 65
    assert talk == f"driver: {base}/out/engine.jsonl: File exists; the driver needs a new, writable folder.\n"
    assert [path.name for path in (base / "out").iterdir()] == ["engine.jsonl"]


def test_a_folder_that_is_a_file(start, base):
    (base / "out").touch()
    status, _, talk = start().finish()
    assert (status, talk) == (65, f"driver: {base}/out: File exists; the driver needs a new, writable folder.\n")


def test_other_files_in_the_folder_do_no_harm(start, base):
    (base / "out").mkdir()
    (base / "out/plan.json").write_text("{}")
    assert start().finish()[0] == 0
    assert (base / "out/plan.json").read_text() == "{}"
