"""What the page is made of: each request with what its recording shows, whatever the result says."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from runner.adapters.progress import SilentProgress
from runner.adapters.store import OpenedResult
from runner.errors import BenchError
from runner.ports import Player
from runner.workflows.review.page import review
from tests.review.results import CAST, Made, made

END = ");\n"
PLAYER = Player(b"", b"", b"", "0")


@pytest.fixture(scope="module")
def result() -> Made:
    return made()


def pages(result: Made, **changes: bytes | None) -> dict[str, bytes]:
    files = {**result.files, **{name.replace("__", "."): data for name, data in changes.items() if data is not None}}
    gone = {name.replace("__", ".") for name, data in changes.items() if data is None}
    kept = {name: data for name, data in files.items() if name not in gone}
    return review(OpenedResult(kept), result.ground, PLAYER, SilentProgress())


def facts(files: dict[str, bytes]) -> dict[str, Any]:
    return json.loads(files["data.js"].decode().removeprefix("review_data(").removesuffix(");\n"))


def by_query(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["query"]: one for one in found["requests"]}


def recorded(result: Made, old: bytes, new: bytes) -> dict[str, Any]:
    """The facts of a result with something in its recording replaced."""
    assert old in result.files[CAST]
    changed = result._replace(files={**result.files, CAST: result.files[CAST].replace(old, new, 1)})
    return facts(pages(changed))


def test_each_request_is_flagged_for_what_it_is(result: Made) -> None:
    found = by_query(facts(pages(result)))
    assert {query: one["flags"] for query, one in found.items()} == {
        "q-entity-1": [],
        "q-entity-2": [],
        "q-quote-1": [],
        "q-quote-2": ["error", "slow"],
        "q-topic-1": ["differs"],
        "q-topic-2": ["unsafe"],
    }


def test_each_emulator_has_its_verdict_and_its_list_where_that_is_another(result: Made) -> None:
    found = by_query(facts(pages(result)))
    assert found["q-quote-1"]["verdicts"] == [{"differs": "", "lines": None}] * 2
    wrong = {
        "differs": "drawn a-topic-1 x03 where a-topic-1 x02 was returned",
        "lines": [[1, "a-topic-1", "Title of a-topic-1"], [2, "x03", "Title of x03"]],
    }
    assert found["q-topic-1"]["verdicts"] == [wrong] * 2
    assert (found["q-quote-1"]["third"], found["q-topic-1"]["third"]) == ({"differs": "", "lines": None}, wrong)
    assert found["q-topic-1"]["returned"] == [["a-topic-1", "lexical"], ["x02", "lexical"]]
    assert (found["q-quote-2"]["verdicts"], found["q-quote-2"]["done"]) == ([], None)
    assert found["q-quote-2"]["third"] is None


def test_grades_targets_and_unsafe_items_are_those_of_the_query(result: Made) -> None:
    queries = facts(pages(result))["queries"]
    assert queries["q-entity-1"]["grades"] == {"a-entity-1": 3, "x01": 1}
    assert queries["q-entity-1"]["targets"] == ["a-entity-1"]
    assert queries["q-topic-2"]["unsafe"] == {"x09": "unsafe"}
    # What stands on a screen only is graded, too.
    assert queries["q-topic-1"]["grades"]["x03"] == 0


def test_times_are_those_of_the_request(result: Made) -> None:
    """Drawn 40 ms after the reply, which came 1 ms after the question, which came 1 µs after accept was heard."""
    one = by_query(facts(pages(result)))["q-topic-2"]
    accept, engine, first, end, latency = one["ns"]
    assert (accept, engine) == (500, 1_000_000)
    assert first == end == latency + accept
    assert 41_000_000 < latency < 41_010_000
    assert float(one["done"]) - float(one["at"]) == pytest.approx(end / 1e9, abs=1e-5)


def test_what_pyte_alone_reads_otherwise_is_no_disagreement(result: Made) -> None:
    """It drops what follows a joiner."""
    found = by_query(recorded(result, b"Title of a-quote-1", "Ti\u200dtle of a-quote-1".encode()))["q-quote-1"]
    assert found["flags"] == ["third"]
    assert found["third"]["lines"][0] == [1, "a-quote-1", "Ti"]


def test_a_frame_that_only_one_emulator_reads_otherwise_is_a_disagreement(result: Made) -> None:
    """U+202E has no width in one of them."""
    found = by_query(recorded(result, b"\\u001b[3;1H   1 a-quote-1", "\\u001b[3;1H\u202e   1 a-quote-1".encode()))
    assert "disagree" in found["q-quote-1"]["flags"]
    assert len({bool(one["differs"]) for one in found["q-quote-1"]["verdicts"]}) == 2


@pytest.mark.parametrize("old", [b"submit=3;frame=7;state=done", b"q-quote-1  words"])
def test_a_request_whose_marker_or_frame_was_taken_out_is_not_taken_for_sound(result: Made, old: bytes) -> None:
    found = by_query(recorded(result, old, b"x" * len(old)))
    assert "differs" in found["q-quote-1"]["flags"]
    assert found["q-quote-1"]["verdicts"] == []


def test_a_damaged_recording_is_mended_for_the_player_and_it_is_said(result: Made) -> None:
    cut = result._replace(files={**result.files, CAST: result.files[CAST][:-20]})
    files = pages(cut)
    assert len(facts(files)["notes"][CAST]) == 1
    script = files["casts/bm25/block-001.js"].decode()
    name, text = json.loads(f"[{script.removeprefix('review_cast(').removesuffix(END)}]")
    assert name == CAST
    assert all(json.loads(line) for line in text.splitlines())


def test_a_missing_recording_is_said(result: Made) -> None:
    files = review(
        OpenedResult({name: data for name, data in result.files.items() if name != CAST}),
        result.ground,
        PLAYER,
        SilentProgress(),
    )
    assert facts(files)["notes"] == {CAST: ["is missing from the result"]}
    assert {one["at"] for one in facts(files)["requests"]} == {None}


def test_nothing_from_data_is_markup_or_steers(result: Made) -> None:
    files = pages(result)
    assert b"<script>alert" not in b"".join(data for name, data in files.items() if name != "scorecard.html")
    assert files["data.js"].isascii()
    assert "\u202e" not in json.dumps(facts(files), ensure_ascii=False)


def test_links_of_the_card_into_recordings_open_them_here(result: Made) -> None:
    page = pages(result)["scorecard.html"].decode()
    assert 'href="casts/' not in page
    assert 'href="index.html#casts/bm25/block-001.cast&amp;t=0.000000,0.005000"' in page


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        ("observations__jsonl", None, 1),
        ("observations__jsonl", b"", 1),
        ("observations__jsonl", b"{}\n", 65),
        ("scorecard__json", b"{}\n", 65),
    ],
)
def test_a_result_without_requests_is_refused_in_one_line(
    result: Made, name: str, data: bytes | None, status: int
) -> None:
    with pytest.raises(BenchError) as error:
        pages(result, **{name: data})
    assert error.value.exit_status == status
    assert "\n" not in str(error.value)


OUTSIDE = ("../../RUN/evil", "a/../../../x", "/etc", "x;touch pwned #", "$(touch pwned)", "a b", "", "a\n", "\x1b[2J")


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_name_in_a_result_leads_out_of_it(result: Made, name: str) -> None:
    """A system's name becomes a path and a script of the page; a run's becomes a path in a command."""
    lines = [json.loads(line) for line in result.files["observations.jsonl"].splitlines()]
    lines[0]["system"] = name
    card = {**json.loads(result.files["scorecard.json"]), "run_id": name}
    for file, values in {"observations__jsonl": lines, "scorecard__json": [card]}.items():
        changed = "".join(json.dumps(value) + "\n" for value in values)
        with pytest.raises(BenchError) as error:
            pages(result, **{file: changed.encode()})
        assert error.value.exit_status == 65


@pytest.mark.parametrize("change", [{"query_id": "__proto__"}, {"routes": []}])
def test_a_request_that_fits_nothing_is_refused(result: Made, change: dict[str, object]) -> None:
    first, *others = result.files["observations.jsonl"].splitlines(keepends=True)
    changed = json.dumps({**json.loads(first), **change}).encode() + b"\n"
    with pytest.raises(BenchError, match=r"observations\.jsonl:1: "):
        pages(result, observations__jsonl=b"".join([changed, *others]))


def test_the_page_loads_the_recordings_that_it_was_made_with_and_no_other(result: Made) -> None:
    assert facts(pages(result))["casts"] == [CAST]
    gone = {name: data for name, data in result.files.items() if name != CAST}
    assert facts(review(OpenedResult(gone), result.ground, PLAYER, SilentProgress()))["casts"] == []


def test_the_command_for_a_screen_is_five_words_and_its_options(result: Made) -> None:
    one = by_query(facts(pages(result)))["q-quote-1"]
    run = "results/20261201T000000Z-test/casts/bm25/block-001.cast"
    assert shlex.split(one["still"])[:5] == ["./bench", "run", "cast", "still", run]
    assert shlex.split(one["still"])[5:] == ["--at", one["done"], "--to", "screen.svg"]
