"""A result is what its records give; whichever field of whichever file is altered, the file is named."""

from __future__ import annotations

import json

import pytest

from tests.workflows.kept import (
    CARD,
    ENVIRONMENT,
    GATES,
    LOCK,
    PLAN,
    RAW,
    REPORT,
    SUITES_LOG,
    SUITES_PLAN,
    SUITES_REPORT,
    Kept,
    altered,
    chained,
    dump,
    edited,
    fields,
    on,
)

#: Words of the driver that decide nothing where no container was asked for, and so cannot be held against anything.
FREE = {("stderr",), ("found", "started_ns"), ("found", "ended_ns")} | {
    ("found", key) for key in ("driver", "engine", "ui", "limits", "processors", "nofile", "mounts", "interfaces")
}
KINDS = ("file", "folder", "link", "socket", "other", "closed", "more")
NO_IMAGE = "sha256:" + "0" * 64
NOTES = "interaction event written without opt-in"
#: What no input can confirm: who ran which code on what, beside what the driver saw of it, as which entry of the log.
WORD = ("code_commit", "code_clean", "code_changed", "platform.distribution", "packages", "log", "nonce")


def test_the_records_give_every_other_file_and_there_is_no_other(kept: Kept) -> None:
    found = kept.examined()
    assert {name: kept.files[name] for name in found.products} == found.products
    assert found.recorded | found.products.keys() == kept.files.keys()
    assert not found.recorded & found.products.keys()


def test_a_run_s_own_card_says_what_a_plain_process_lacks(kept: Kept) -> None:
    """The conditions of D15 and D31 by hand: 120 queries in one block, 20 warm-ups, no container."""
    assert {
        "not containerised",
        "120 measured searches, fewer than 1000",
        "1 shuffled block, fewer than 5",
        "limits: warmup_searches is 20, not 100",
    } <= set(json.loads(kept.files[CARD])["reasons"])


@pytest.mark.parametrize(
    "name",
    ["manifest.json", LOCK, ENVIRONMENT, PLAN, REPORT, CARD, SUITES_PLAN, SUITES_REPORT, GATES],
    ids=lambda name: name.rpartition("/")[2],
)
def test_each_altered_field_of_a_file_is_found_and_the_file_named(kept: Kept, name: str) -> None:
    for path in fields(json.loads(kept.files[name])):
        if name in {REPORT, SUITES_REPORT} and (path[:1] in FREE or path[:2] in FREE):
            continue
        status, words = kept.faults(edited(kept.files, name, lambda value, path=path: altered(value, path)))
        assert (status, name in words) == (1, True), (path, words)


@pytest.mark.parametrize(
    "name",
    [f"block-00{n}.jsonl" for n in (0, 1)]
    + [f"{name}.jsonl" for name in ("repeat", "engine", "floors", "instrument", "after", "suites")],
)
def test_each_altered_field_of_each_kind_of_event_is_found(kept: Kept, name: str) -> None:
    lines = kept.files[f"{RAW}/{name}"].splitlines()
    for kind in {json.loads(line)["e"] for line in lines}:
        number, event = next((n, json.loads(line)) for n, line in enumerate(lines) if json.loads(line)["e"] == kind)
        # Of the suites, with kinds of their own, two fields each will do: all are in one chain.
        for path in fields(event)[: 2 if name == "suites.jsonl" else None]:
            changed = json.loads(lines[number])
            altered(changed, path)
            data = b"".join(line + b"\n" for line in [*lines[:number], dump(changed), *lines[number + 1 :]])
            status, words = kept.faults({**kept.files, f"{RAW}/{name}": data})
            assert (status, f"{RAW}/{name}" in words) == (1, True), (path, words)


def test_each_altered_field_of_an_observation_is_found(kept: Kept) -> None:
    first, *others = kept.files["observations.jsonl"].splitlines()
    for path in fields(json.loads(first)):
        changed = json.loads(first)
        altered(changed, path)
        data = b"".join(line + b"\n" for line in [dump(changed), *others])
        status, words = kept.faults({**kept.files, "observations.jsonl": data})
        assert status == 1
        assert words.startswith(f"observations.jsonl:1: {path[0]}"), words


def test_each_file_is_missed(kept: Kept) -> None:
    for name in kept.files:
        status, words = kept.faults({other: data for other, data in kept.files.items() if other != name})
        assert (status, name in words) == (1, True), (name, words)


@pytest.mark.parametrize(
    "name",
    ["notes.txt", "casts/bm25/block-007.cast", "raw/other/plan.json", f"{RAW}/notes.txt", f"{RAW}/block-002.jsonl"],
)
def test_each_added_file_is_found(kept: Kept, name: str) -> None:
    status, words = kept.faults({**kept.files, name: b"{}\n"})
    assert (status, name in words) == (1, True), words


@pytest.mark.parametrize(
    "name", ["scorecard.md", "scorecard.html", "casts/bm25/block-000.cast", "casts/bm25/block-001.cast"]
)
def test_another_text_in_place_of_a_product_is_found(kept: Kept, name: str) -> None:
    status, words = kept.faults({**kept.files, name: kept.files[name].replace(b"bm25", b"best") + b" "})
    assert (status, words) == (1, f"{name}: is not what its records give.")


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff", b'{"a":1,"a":2}', b"NaN", b"null"])
@pytest.mark.parametrize(
    "name",
    [
        *(LOCK, ENVIRONMENT, PLAN, REPORT, CARD, "observations.jsonl", f"{RAW}/after.jsonl"),
        *(SUITES_PLAN, SUITES_LOG, SUITES_REPORT, GATES),
    ],
)
def test_a_file_that_is_something_else_is_a_finding(kept: Kept, name: str, data: bytes) -> None:
    """Never a traceback, whatever stands there."""
    status, words = kept.faults({**kept.files, name: data})
    assert (status, name in words) == (1, True), words


# A steward who lies consistently: whatever follows from what was altered is made to follow.


def test_what_is_chained_anew_without_a_change_is_the_same_result(kept: Kept) -> None:
    assert chained(kept.files) == kept.files


@pytest.mark.usefixtures("same_lots")
def test_each_field_of_the_lock_that_an_input_decides_is_found_though_all_follows_from_it(kept: Kept) -> None:
    for path in fields(json.loads(kept.files[LOCK])):
        where = ".".join(map(str, path))
        if where.startswith(WORD) or path[0] == "locks" or path[-1] == "files":
            continue
        status, words = kept.faults(chained(edited(kept.files, LOCK, lambda value, path=path: altered(value, path))))
        assert (status, LOCK in words or CARD in words) == (1, True), (path, words)


def test_each_other_field_of_the_lock_is_found_by_the_orders_that_it_draws(kept: Kept) -> None:
    """So that records fit the one lock that was written before them, whatever of it nothing else confirms; a few of
    its fields contradict the lock itself before.

    Of a clean checkout no changed file is named, so that there is none to alter.
    """
    for path in fields(json.loads(kept.files[LOCK])):
        if ".".join(map(str, path)).startswith(WORD) and path != ("code_changed",):
            lied = edited(kept.files, LOCK, lambda value, path=path: altered(value, path))
            status, words = kept.faults(chained(lied))
            told = any(where in words for where in (f"{PLAN}: blocks[0]", f"{LOCK}: "))
            assert (status, told) == (1, True), (path, words)


@pytest.mark.parametrize("path", [("locks", "pins.json"), ("locks", "Dockerfile"), ("systems", 0, "files")])
def test_a_run_of_other_images_or_files_cannot_be_decided_here(kept: Kept, path: tuple[str | int, ...]) -> None:
    """Exit 2, and how to go on: the numbers cannot be computed from what this checkout has."""
    status, words = kept.faults(chained(edited(kept.files, LOCK, lambda value: altered(value, path))))
    assert status == 2
    assert "this checkout lacks what the run was made from" in words
    assert "Check out the commit in its run.lock.json." in words


def test_each_field_of_the_plan_is_found_though_all_follows_from_it(kept: Kept) -> None:
    """But for the folders of a plain process, which are the machine's own."""
    for path in fields(json.loads(kept.files[PLAN])):
        if path[0] not in {"paths", "lock"}:
            status, words = kept.faults(chained(edited(kept.files, PLAN, lambda plan, path=path: altered(plan, path))))
            assert (status, PLAN in words) == (1, True), (path, words)


def test_a_raw_log_that_contradicts_itself_is_a_finding_that_names_it(kept: Kept) -> None:
    """Chained anew, so only what it says can tell."""
    status, words = kept.faults(chained(kept.files, on("done", e="shown")))
    assert (status, words.startswith(f"{RAW}/")) == (1, True), words


# A steward who lies consistently about the suites.


def test_the_suites_of_the_bundled_system_all_pass(kept: Kept) -> None:
    gates = json.loads(kept.files[GATES])
    assert [row for row in gates["rules"] if row["verdict"] != "PASS"] == []
    assert json.loads(kept.files[CARD])["gates"] == [gates]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (on("ran", status=1), "build"),
        (on("lines", termios="[]"), ""),
        (on("silent", conn=1), ""),
        (lambda _name, event: event["e"] == "exit" and event["role"] == "ui" and event.update(status=7), "exit-quit"),
        (lambda _name, event: event["e"] == "tree" and event.update(entries=event["entries"] ** 2), "kill-cleared"),
    ],
)
def test_the_verdicts_follow_from_the_log_chained_anew(kept: Kept, change, rule: str) -> None:
    """The signed verdicts are those of the signed log, so who alters the log alters the verdicts too."""
    rows = json.loads(kept.examined(chained(kept.files, change)).products[GATES])["rules"]
    broken = {row["rule"] for row in rows if row["verdict"] == "FAIL"}
    assert (rule in broken) if rule else not broken


def test_what_was_sent_is_held_against_the_script(kept: Kept) -> None:
    """A steward cannot ask an engine easier questions and call it the suite."""
    status, words = kept.faults(chained(kept.files, on("sent", b64="e30K")))
    assert (status, "something else was sent" in words) == (1, True), words


def test_a_suite_whose_end_is_not_on_record_was_not_run(kept: Kept) -> None:
    def unended(_name: str, event: dict[str, object]) -> None:
        if event["e"] == "ended" and event["part"] == "restoration":
            event.update(reason="the UI was not ready")

    gates = json.loads(kept.examined(chained(kept.files, unended)).products[GATES])
    assert [suite["verdict"] for suite in gates["suites"]] == ["PASS", "PASS", "NOT RUN"]
    assert {row["found"] for row in gates["rules"][-19:]} == {"the UI was not ready"}


def test_a_trace_of_the_ui_left_by_the_suites_is_a_violation(kept: Kept) -> None:
    def leave(_name: str, event: dict[str, object]) -> None:
        if event["e"] == "tree":
            entries = event.pop("entries")
            event.update(e="left", role="ui", path="notes", kind="file", size=entries, sha256=None)

    card = json.loads(kept.examined(chained(kept.files, leave)).products[CARD])
    found = [seen["detail"] for seen in card["systems"][0]["violations"] if seen["kind"] == NOTES]
    assert found
    assert all(detail.startswith("suites: file 'notes'") for detail in found)
