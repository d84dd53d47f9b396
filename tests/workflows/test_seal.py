"""A seal names every kept file, and the steward's log tells each run its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.adapters.journal import Journal
from runner.adapters.signer import KeyFile
from runner.adapters.store import ResultStore
from runner.documents import digest
from runner.errors import Findings
from runner.provenance.card import Scorecard
from runner.provenance.journal import read_journal
from runner.provenance.trust import Role, open_envelopes
from runner.workflows.seal import seal
from tests.provenance.signing import NOW, SIGNED_AT, STEWARD, trust
from tests.workflows.kept import CARD, Kept


def sealed(kept: Kept, root: Path, run_id: str = "run-1") -> Path:
    result = ResultStore(root).begin(run_id)
    result.keep("deep/er/file.txt", b"text")
    result.keep("scorecard.json", kept.files[CARD])
    card = Scorecard.parse(kept.files[CARD], CARD).model_copy(update={"run_id": run_id})
    return seal(result, card, signer=KeyFile(STEWARD), journal=Journal(root / "log.jsonl"), now=SIGNED_AT)


def test_every_kept_file_is_signed(kept: Kept, tmp_path: Path) -> None:
    path = sealed(kept, tmp_path)
    files = {"statement.dsse.json": (path / "statement.dsse.json").read_bytes()}
    statement = open_envelopes(files, trust(), NOW, {Role.STEWARD: 1}).statement
    assert statement.digests == {"deep/er/file.txt": digest(b"text"), "scorecard.json": digest(kept.files[CARD])}


def test_the_card_is_signed_in_integers(kept: Kept, tmp_path: Path) -> None:
    path = sealed(kept, tmp_path)
    files = {"statement.dsse.json": (path / "statement.dsse.json").read_bytes()}
    run = open_envelopes(files, trust(), NOW, {Role.STEWARD: 1}).statement.predicate
    (row,) = run.card.rows
    whole = Scorecard.parse(kept.files[CARD], CARD).systems[0]
    assert (run.run_id, row.system, row.requests) == ("run-1", "bm25", 120)
    assert row.score_millionths == pytest.approx(whole.score * 1e6, abs=0.5)
    assert row.p95_ns == whole.performance.ui.p95_ns


def test_runs_follow_each_other_in_the_log(kept: Kept, tmp_path: Path) -> None:
    for run_id in ("run-1", "run-2"):
        sealed(kept, tmp_path, run_id)
    entries, place = read_journal((tmp_path / "log.jsonl").read_bytes(), "log")
    assert [(entry.index, entry.run_id) for entry in entries] == [(0, "run-1"), (1, "run-2")]
    assert place.index == 2


def test_an_altered_log_of_runs_stops_the_seal(kept: Kept, tmp_path: Path) -> None:
    sealed(kept, tmp_path)
    log = tmp_path / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b"run-1", b"run-0"))
    with pytest.raises(Findings, match="line 1: does not follow"):
        sealed(kept, tmp_path, "run-2")
    assert (tmp_path / "run-2.unfinished").is_dir()
    assert not (tmp_path / "run-2.unfinished/statement.dsse.json").exists()
