"""What a steward could alter in a result to look better, chained anew and signed with the right key: what finds it."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from runner.adapters.progress import SilentProgress
from runner.documents import digest
from runner.errors import BenchError, CannotDecide
from runner.workflows.seal import short
from runner.workflows.verify import Against, Here, Verified, verify
from tests.workflows.kept import CARD, LOCK, PLAN, RAW, REPORT, Files, Kept, chained, edited

BLOCK, CAST, SEEN = f"{RAW}/block-001.jsonl", "casts/bm25/block-001.cast", "observations.jsonl"
Event = dict[str, Any]
#: How a file of the result is altered; each takes the files, and gives them altered.
Tamper = Callable[[Files], Files]


def signed_anew(kept: Kept, files: Files, **changes: Any) -> Verified:
    """What `verify` says of the altered files, in the checkout that made them, under the steward's signature."""
    here = Here(kept.load, kept.whole.lock.code_commit, lambda _commit: False)
    against = Against(kept.trust, kept.statement.predicate.signed_at, None)
    return verify(kept.sealed(files, **changes), against, here, SilentProgress())


def requests(files: Files) -> tuple[list[Event], list[list[Event]], list[Event]]:
    """The events of the measured block: before the first request, each request's, after the last."""
    events = [json.loads(line) for line in files[BLOCK].splitlines()]
    starts = [number for number, event in enumerate(events) if event["e"] == "begin"]
    ends = [number + 1 for number, event in enumerate(events) if event["e"] == "finish"]
    bounds = [*starts, ends[-1]]
    each = [events[one:other] for one, other in pairwise(bounds)]
    return events[: starts[0]], each, events[ends[-1] :]


def with_requests(files: Files, change: Callable[[list[list[Event]]], object]) -> Files:
    """The files with the measured requests changed in place, and all that the steward can make follow from it."""
    before, each, after = requests(files)
    change(each)
    lines = [json.dumps(event).encode() + b"\n" for event in (*before, *(e for one in each for e in one), *after)]
    return chained({**files, BLOCK: b"".join(lines)})


def slowest(each: list[list[Event]]) -> int:
    """Which request took longest, from its begin to its finish."""
    return max(range(len(each)), key=lambda number: each[number][-1]["t"] - each[number][0]["t"])


def fewer(files: Files) -> Files:
    """The slowest request is gone, and the driver's count of it."""
    files = with_requests(files, lambda each: each.pop(slowest(each)))
    return edited(files, REPORT, lambda report: report["requests"].update(done=report["requests"]["done"] - 1))


def swapped(files: Files) -> Files:
    """Two neighbours have changed places, each with its own times."""

    def swap(each: list[list[Event]]) -> None:
        each[3], each[4] = each[4], each[3]

    return with_requests(files, swap)


def swapped_in_time(files: Files) -> Files:
    """As `swapped`, with the times of the places, so that the log runs forward."""

    def swap(each: list[list[Event]]) -> None:
        times = sorted(event["t"] for event in (*each[3], *each[4]))
        each[3], each[4] = each[4], each[3]
        for event, moment in zip((*each[3], *each[4]), times, strict=True):
            event["t"] = moment

    return with_requests(files, swap)


def without_query(files: Files) -> Files:
    """The last query of the block is gone from plan and log."""
    files = edited(files, PLAN, lambda plan: plan["blocks"][0].pop())
    return with_requests(files, lambda each: each.pop())


def earlier(files: Files) -> Files:
    """What the slowest request's UI wrote comes before its key."""

    def lower(each: list[list[Event]]) -> None:
        one = each[slowest(each)]
        done = next(event for event in one if event["e"] == "finish")
        done["t"] = one[0]["t"] - 1

    return with_requests(files, lower)


def lines_of(name: str, change: Callable[[list[Any]], object]) -> Tamper:
    """Alter a file of JSON lines that nothing is chained to."""

    def alter(files: Files) -> Files:
        rows = [json.loads(line) for line in files[name].splitlines()]
        change(rows)
        write = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False}
        return {**files, name: b"".join(json.dumps(row, **write).encode() + b"\n" for row in rows)}

    return alter


def another_letter(files: Files) -> Files:
    """In the cast a title is another by one letter, in the first frame that has ten results."""
    data = files[CAST].decode()
    assert "10 results" in data
    place = data.index("10 results")
    return {**files, CAST: (data[:place] + "11" + data[place + 2 :]).encode()}


def on_card(change: Callable[[Any], object]) -> Tamper:
    return lambda files: edited(files, CARD, change)


def graded_up(card: Any) -> None:
    """The first query whose list is short of the best one gets what a better grade would give."""
    row = next(row for row in card["systems"][0]["queries"] if (row["dcg"] or 0) < (row["ideal_dcg"] or 0))
    row["dcg"] = row["ideal_dcg"]


@pytest.mark.parametrize(
    ("tamper", "where"),
    [
        pytest.param(earlier, BLOCK, id="a latency lowered below what can be"),
        pytest.param(lines_of(SEEN, lambda rows: rows[0].update(latency_ns=1)), SEEN, id="a latency of an observation"),
        pytest.param(fewer, BLOCK, id="the slowest request deleted"),
        pytest.param(lines_of(SEEN, lambda rows: rows.pop()), SEEN, id="an observation deleted"),
        pytest.param(swapped, BLOCK, id="two requests swapped"),
        pytest.param(swapped_in_time, BLOCK, id="two requests swapped, in time"),
        pytest.param(lines_of(SEEN, lambda rows: rows.insert(0, rows.pop(1))), SEEN, id="two observations swapped"),
        pytest.param(another_letter, CAST, id="a frame of a cast"),
        pytest.param(without_query, PLAN, id="a query dropped"),
        pytest.param(on_card(graded_up), CARD, id="a grade raised"),
        pytest.param(on_card(lambda card: card["systems"][0].update(score=99.0)), CARD, id="a figure of the card"),
    ],
)
def test_it_is_found_though_all_is_chained_and_signed_anew(kept: Kept, tamper: Tamper, where: str) -> None:
    files = tamper(dict(kept.files))
    assert files != kept.files
    with pytest.raises(BenchError) as error:
        signed_anew(kept, files)
    assert error.value.exit_status == 1
    assert where in str(error.value)


def test_labels_with_a_grade_raised_are_not_those_of_the_checkout(kept: Kept) -> None:
    """No grade stands in a result: whoever raises one has another partition, by its digest."""
    files = edited(kept.files, "manifest.json", lambda manifest: manifest["partition"].update(digest=digest(b"raised")))
    files = edited(files, LOCK, lambda lock: lock.update(manifest=digest(files["manifest.json"])))
    with pytest.raises(CannotDecide, match=r"partition\.json: expected sha256:\w+, found"):
        signed_anew(kept, chained(files))


def test_a_time_that_is_lowered_everywhere_is_the_steward_s_word(kept: Kept) -> None:
    """What nothing here finds, as docs/threat-model.md says: the slowest request took half as long, and all that
    follows from it was made anew."""

    def hurry(each: list[list[Event]]) -> None:
        one = each[slowest(each)]
        for event in one[1:]:
            event["t"] = one[0]["t"] + (event["t"] - one[0]["t"]) // 2

    files = with_requests(dict(kept.files), hurry)
    made = kept.examined(files)
    assert made.products[SEEN] != kept.files[SEEN]
    assert signed_anew(kept, {**files, **made.products}, card=short(made.card)).recomputed
