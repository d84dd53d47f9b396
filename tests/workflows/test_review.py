"""A real result under review: nothing in it is flagged that should not be, and its recordings are clean."""

from __future__ import annotations

import json
from pathlib import Path
from unicodedata import category

from runner.adapters.progress import SilentProgress
from runner.adapters.store import FinishedResult
from runner.ports import Player
from runner.terminal.asciicast.deeds import lint, salvage
from runner.workflows.review.facts import Ground
from runner.workflows.review.page import review
from tests.workflows.kept import Kept


def test_every_request_has_its_done_frame_and_both_emulators_show_what_was_returned(kept: Kept, made: Path) -> None:
    ground = Ground.of(kept.whole.inputs.partition, kept.whole.inputs.corpus)
    files = review(FinishedResult(made), ground, Player(b"", b"", b"", "0"), SilentProgress())
    found = json.loads(files["data.js"].decode().removeprefix("review_data(").removesuffix(");\n"))
    assert len(found["requests"]) == kept.files["observations.jsonl"].count(b"\n")
    assert {name for one in found["requests"] for name in one["flags"]} <= {"slow", "unsafe", "third"}
    for one in found["requests"]:
        titles = "".join(found["titles"][doc_id] for doc_id, _ in one["returned"])
        assert ("third" in one["flags"]) is any(c == "\u200d" or category(c) == "Mc" for c in titles), one["query"]
    assert all(one["verdicts"] == [{"differs": "", "lines": None}] * 2 for one in found["requests"])
    for one in found["requests"]:
        key_to_frame_end = one["ns"][3] / 1e9
        assert float(one["done"]) - float(one["at"]) > key_to_frame_end
    assert found["notes"] == {}


def test_what_a_run_records_has_no_finding_and_is_saved_as_it_is(kept: Kept) -> None:
    recordings = {name: data for name, data in kept.files.items() if name.endswith(".cast")}
    assert recordings
    for name, data in recordings.items():
        assert [str(one) for one in lint(data)] == [], name
        assert salvage(data).data == data
