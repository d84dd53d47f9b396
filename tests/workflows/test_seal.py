"""A seal names every kept file, and the steward's log tells each run its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.adapters.host import SystemClock
from runner.adapters.journal import Journal
from runner.adapters.keys import KeyFile
from runner.adapters.store import ResultStore
from runner.documents import Source, digest
from runner.errors import Findings, Interrupted, VoidRun
from runner.provenance.card import Scorecard
from runner.provenance.journal import place_of, read_log
from runner.provenance.signatures import open_envelopes
from runner.provenance.tries import LogPlace, Tries
from runner.provenance.trust import Role
from runner.retrieval.runs import Observation
from runner.workflows.lock import launch_of, name_run
from runner.workflows.seal import Notary, attempt, begun, seal
from tests.provenance.signing import NOW, SIGNED_AT, STEWARD, trust
from tests.workflows.kept import CARD, LOCK, Kept


def sealed(kept: Kept, root: Path, run_id: str = "run-1") -> Path:
    result = ResultStore(root).begin(run_id)
    result.keep("deep/er/file.txt", b"text")
    result.keep("scorecard.json", kept.files[CARD])
    card = Scorecard.parse(kept.files[CARD], CARD).model_copy(update={"run_id": run_id})
    lock = kept.whole.lock.model_copy(update={"run_id": run_id})
    journal = Journal(root / "log.jsonl")
    with journal.turn() as turn:
        turn.append(begun(lock, turn.log.size))
    return seal(result, lock, card, Notary(KeyFile(STEWARD), journal, SIGNED_AT))


def entered(root: Path) -> list[tuple[str, str]]:
    """What the log says: outcomes and runs."""
    log = read_log(Source("log", (root / "log.jsonl").read_bytes()))
    return [(entry.outcome.value, entry.run.run_id) for entry in log.entries]


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
    took = sorted(one.latency_ns for one in Observation.parse_lines(kept.files["observations.jsonl"], ""))
    assert len(took) == 120
    assert row.p95_ns == took[113]  # nearest rank: 95 % of 120 is the 114th


def test_runs_follow_each_other_in_the_log(kept: Kept, tmp_path: Path) -> None:
    for run_id in ("run-1", "run-2"):
        sealed(kept, tmp_path, run_id)
    assert entered(tmp_path) == [("begun", "run-1"), ("sealed", "run-1"), ("begun", "run-2"), ("sealed", "run-2")]


def test_an_altered_log_of_runs_stops_the_seal(kept: Kept, tmp_path: Path) -> None:
    sealed(kept, tmp_path)
    log = tmp_path / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b"run-1", b"run-0"))
    with pytest.raises(Findings, match="line 1: does not follow"):
        sealed(kept, tmp_path, "run-2")
    assert (tmp_path / "run-2.unfinished").is_dir()
    assert not (tmp_path / "run-2.unfinished/statement.dsse.json").exists()


@pytest.mark.parametrize("end", [VoidRun("no frame"), Interrupted("stopped"), KeyboardInterrupt(), OSError(28, "full")])
def test_a_run_that_ends_otherwise_is_entered_as_void(kept: Kept, tmp_path: Path, end: BaseException) -> None:
    journal, lock = Journal(tmp_path / "log.jsonl"), kept.whole.lock
    with journal.turn() as turn:
        turn.append(begun(lock, 0))
    with pytest.raises(type(end)), attempt(lock, journal, SystemClock()):
        raise end
    assert entered(tmp_path) == [("begun", lock.run_id), ("void", lock.run_id)]


def test_what_goes_wrong_after_the_seal_does_not_unsay_it(kept: Kept, tmp_path: Path) -> None:
    journal, lock = Journal(tmp_path / "log.jsonl"), kept.whole.lock
    sealed(kept, tmp_path, lock.run_id)
    with pytest.raises(OSError, match="full"), attempt(lock, journal, SystemClock()):
        raise OSError(28, "full")
    assert entered(tmp_path) == [("begun", lock.run_id), ("sealed", lock.run_id)]


def test_a_run_is_entered_before_its_first_search_and_again_when_it_is_sealed(kept: Kept, made: Path) -> None:
    lock = kept.whole.lock
    assert entered(made.parent) == [("begun", made.name), ("sealed", made.name)]
    assert kept.log.entries[0].run.lock == digest(kept.files[LOCK])
    assert lock.log == LogPlace(index=0, head="0" * 64, tries=Tries(partition=1, manifest=1, unsealed=0))
    assert "Run 1 of this partition" in kept.files["scorecard.md"].decode()


def test_two_runs_of_one_second_have_names_of_their_own(kept: Kept) -> None:
    first, lock = launch_of(kept.whole.lock), kept.whole.lock
    second = first._replace(log=place_of(kept.log, lock.partition, lock.manifest))
    assert second.started_at == first.started_at
    names = [name_run(launch, "quick") for launch in (first, second)]
    assert [name.rpartition("Z-")[2] for name in names] == ["quick-0", "quick-2"]
    assert second.log.tries == Tries(partition=2, manifest=2, unsealed=0)
