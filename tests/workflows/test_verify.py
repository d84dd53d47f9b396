"""A sealed result verifies; whatever is done to it afterwards, or signed though it did not happen, is found."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runner.adapters.keys import KeyFile
from runner.adapters.progress import SilentProgress
from runner.adapters.store import FinishedResult
from runner.documents import digest
from runner.errors import BenchError, CannotDecide, Findings
from runner.ports import ResultFolder
from runner.provenance.card import Standing
from runner.provenance.inputs import Inputs
from runner.provenance.journal import RunLog
from runner.provenance.sealed import Retirement
from runner.provenance.statement import Card
from runner.provenance.trust import Role, Signer
from runner.shell import ROOT
from runner.workflows.verify import Against, Here, Verified, unofficial, verify
from tests.provenance.signing import CARD, STRANGER, trust
from tests.workflows.kept import ENVIRONMENT, LOCK, PLAN, RAW, REPORT, Kept, altered, chained, edited, fields


def verified(
    folder: ResultFolder, kept: Kept, now: str | None = None, here: Here | None = None, log: RunLog | None = None
) -> Verified:
    """Without the log, which knows no statement but the one that was signed first, and so none of those made here."""
    commit = json.loads(kept.files[LOCK])["code_commit"]
    here = here or Here(kept.load, commit, lambda _commit: False)
    against = Against(kept.trust, now or kept.statement.predicate.signed_at, log)
    return verify(folder, against, here, SilentProgress())


def test_a_run_s_own_result_verifies(kept: Kept, made: Path) -> None:
    found = verified(FinishedResult(made), kept, log=kept.log)
    assert (found.run_id, found.card) == (made.name, kept.statement.predicate.card)
    assert [signer.role for signer in found.signers] == [Role.STEWARD]
    assert not found.official
    assert found.reasons == ("the card is provisional", "1 signature as witness needed, 0 found")


@pytest.mark.parametrize(
    ("card", "roles", "reasons"),
    [
        (CARD, "steward witness", []),
        (CARD, "steward", ["1 signature as witness needed, 0 found"]),
        (CARD.model_copy(update={"standing": Standing.PROVISIONAL}), "steward witness", ["the card is provisional"]),
    ],
)
def test_official_is_an_eligible_card_with_both_signatures(card: Card, roles: str, reasons: list[str]) -> None:
    """D31."""
    signers = [Signer(key_id="0" * 64, role=Role(role), person=role) for role in roles.split()]
    assert list(unofficial(card, signers, trust())) == reasons


def append(name: str, data: bytes) -> Callable[[Path], object]:
    return lambda path: (path / name).write_bytes((path / name).read_bytes() + data)


@pytest.mark.parametrize(
    ("tamper", "why"),
    [
        (append("scorecard.json", b" "), "scorecard.json: expected sha256:"),
        (append(f"{RAW}/block-001.jsonl", b"\n"), f"{RAW}/block-001.jsonl: expected sha256:"),
        (lambda path: (path / "observations.jsonl").unlink(), "observations.jsonl: was signed, but is missing"),
        (lambda path: (path / "extra.txt").write_text("x"), "extra.txt: was not signed"),
        (lambda path: (path / "raw/.hidden").write_text("x"), "raw/.hidden: was not signed"),
        (lambda path: (path / "link").symlink_to("scorecard.json"), "link: was not signed"),
    ],
)
def test_tampering_is_found_and_the_file_named(
    kept: Kept, made: Path, tamper: Callable[[Path], object], why: str, tmp_path: Path
) -> None:
    path = shutil.copytree(made, tmp_path / made.name)
    tamper(path)
    with pytest.raises(Findings) as error:
        verified(FinishedResult(path), kept)
    assert why in str(error.value)


def test_a_file_replaced_by_a_link_to_its_copy_is_found(kept: Kept, made: Path, tmp_path: Path) -> None:
    path = shutil.copytree(made, tmp_path / made.name)
    (path / "scorecard.json").rename(tmp_path / "elsewhere.json")
    (path / "scorecard.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(Findings, match=r"scorecard.json: is not a plain file"):
        verified(FinishedResult(path), kept)


@pytest.mark.parametrize("name", ["manifest.json", LOCK, ENVIRONMENT, PLAN, REPORT, "scorecard.json"])
def test_a_steward_cannot_sign_an_altered_file(kept: Kept, name: str) -> None:
    """Each first field; `test_examine` takes every one."""
    path = fields(json.loads(kept.files[name]))[0]
    files = edited(kept.files, name, lambda value: altered(value, path))
    with pytest.raises(Findings, match=name):
        verified(kept.sealed(files), kept)


@pytest.mark.parametrize(
    ("name", "data"),
    [("scorecard.md", b"# A fine score\n"), ("casts/bm25/block-009.cast", b"{}\n"), (f"{RAW}/notes.txt", b"\n")],
)
def test_a_steward_cannot_sign_a_file_that_the_records_do_not_give(kept: Kept, name: str, data: bytes) -> None:
    with pytest.raises(Findings, match=name):
        verified(kept.sealed({**kept.files, name: data}), kept)


def test_a_steward_cannot_sign_another_run(kept: Kept) -> None:
    with pytest.raises(Findings, match=r"statement.dsse.json: runId: says '2020"):
        verified(kept.sealed(kept.files, run_id="20200101T000000Z-quick-development"), kept)


def test_a_run_cannot_be_signed_before_it_started(kept: Kept) -> None:
    started = json.loads(kept.files[LOCK])["started_at"]
    earlier = started[:11] + "00:00:00Z"
    with pytest.raises(Findings, match=f"signedAt: {earlier} is before the run started, {started}"):
        verified(kept.sealed(kept.files, signed_at=earlier), kept)


@pytest.mark.parametrize(
    "change",
    [
        {"standing": Standing.ELIGIBLE},
        *({"rows": field} for field in ("system", "status", "score_millionths", "p95_ns", "requests")),
    ],
)
def test_a_steward_cannot_sign_another_card_than_the_one_kept(kept: Kept, change: dict[str, Any]) -> None:
    """The reviewer's own: an eligible 99.0 over a provisional card."""
    card = kept.statement.predicate.card
    if "rows" in change:
        (row,) = card.rows
        lies = {"system": "best", "status": "PASS", "score_millionths": 99_000_000, "p95_ns": 1, "requests": 1}
        change = {"rows": (row.model_copy(update={change["rows"]: lies[change["rows"]]}),)}
    with pytest.raises(Findings, match=r"statement.dsse.json: card: says"):
        verified(kept.sealed(kept.files, card=card.model_copy(update=change)), kept)


def test_a_result_without_a_statement_proves_nothing(kept: Kept, made: Path, tmp_path: Path) -> None:
    path = shutil.copytree(made, tmp_path / made.name)
    (path / "statement.dsse.json").unlink()
    with pytest.raises(CannotDecide, match=r"statement.dsse.json: missing"):
        verified(FinishedResult(path), kept)


def test_a_stranger_s_result_cannot_be_decided(kept: Kept) -> None:
    with pytest.raises(CannotDecide, match="is not in the trust file"):
        verified(kept._replace(key=KeyFile(STRANGER)).sealed(kept.files), kept)


def test_the_three_answers_have_three_exit_statuses(kept: Kept) -> None:
    wrong = kept.sealed({**kept.files, "scorecard.md": b""})
    statuses: list[int] = []
    for now in (None, "2040-01-01T00:00:00Z"):
        with pytest.raises(BenchError) as error:
            verified(wrong, kept, now)
        statuses.append(error.value.exit_status)
    assert statuses == [1, 2]


def test_other_code_that_makes_the_same_of_the_records_says_so(kept: Kept, made: Path) -> None:
    commit = json.loads(kept.files[LOCK])["code_commit"]
    here = Here(kept.load, "e" * 40, lambda name: name == commit)
    found = verified(FinishedResult(made), kept, here=here, log=kept.log)
    assert found.notes == (f"checked by the code of commit eeeeeeeeeeee; the run used {commit[:12]}",)


def test_a_run_by_a_commit_that_nobody_knows_cannot_be_decided(kept: Kept, made: Path) -> None:
    """The reviewer's own: a lock that names commit ffff… verified."""
    with pytest.raises(CannotDecide, match=r"run.lock.json: code_commit: this checkout does not know commit"):
        verified(FinishedResult(made), kept, here=Here(kept.load, "e" * 40, lambda _name: False))


def test_other_code_that_makes_something_else_of_the_records_cannot_decide(kept: Kept) -> None:
    """A later release may draw a card otherwise; only the run's own code can call it wrong."""
    folder = kept.sealed({**kept.files, "scorecard.md": b"# as it was\n"})
    with pytest.raises(CannotDecide, match=r"scorecard.md: is not what its records give.*This is commit eeeeeeeeeeee"):
        verified(folder, kept, here=Here(kept.load, "e" * 40, lambda _name: True))


@pytest.mark.parametrize("name", ["certificate.json", PLAN, REPORT, f"{RAW}/block-001.jsonl", "manifest.json"])
def test_a_record_that_other_code_reads_otherwise_cannot_be_decided(kept: Kept, name: str) -> None:
    """A later release may have another certificate, plan or account of the driver; its lock is that of the run."""
    folder = kept.sealed({**kept.files, name: kept.files[name].replace(b"{", b'{"more": 1, ', 1)})
    with pytest.raises(CannotDecide, match=rf"{name}(.|\n)*This is commit eeeeeeeeeeee: check out"):
        verified(folder, kept, here=Here(kept.load, "e" * 40, lambda _name: True))
    with pytest.raises(Findings, match=name):
        verified(folder, kept)


def test_a_lock_of_another_version_cannot_be_decided_by_other_code(kept: Kept) -> None:
    files = chained(edited(kept.files, LOCK, lambda lock: lock.update(format="mambomeme/run-lock/v2")))
    with pytest.raises(CannotDecide, match=rf"{LOCK}: format.*This is commit eeeeeeeeeeee"):
        verified(kept.sealed(files), kept, here=Here(kept.load, "e" * 40, lambda _name: True))
    with pytest.raises(Findings, match=rf"{LOCK}: format"):
        verified(kept.sealed(files), kept)


@pytest.mark.usefixtures("same_lots")
def test_of_a_run_by_changed_code_nobody_else_can_be_sure(kept: Kept) -> None:
    files = chained(edited(kept.files, LOCK, lambda lock: lock.update(code_clean=False)))
    with pytest.raises(CannotDecide, match=r"scorecard(.|\n)*with changes: only whoever has those can tell"):
        verified(kept.sealed(files), kept)


@pytest.mark.parametrize("change", [{"code_clean": False}, {"code_commit": "e" * 40}])
def test_another_lock_than_the_raw_log_begins_with_is_no_excuse(kept: Kept, change: dict[str, Any]) -> None:
    files = edited(kept.files, LOCK, lambda lock: lock.update(change))
    with pytest.raises(Findings, match=rf"{LOCK}: expected sha256:\w+ by {PLAN}, found"):
        verified(kept.sealed(files), kept)


def test_the_log_is_held_before_anything_is_computed_again(kept: Kept, made: Path) -> None:
    def load(_manifest: bytes) -> Inputs:
        raise AssertionError("loaded")

    commit = kept.whole.lock.code_commit
    cut = kept.log._replace(entries=(), heads=kept.log.heads[:1])
    with pytest.raises(Findings, match="has 0 entries, and none 0, where the run begins"):
        verified(FinishedResult(made), kept, here=Here(load, commit, lambda _name: True), log=cut)


@pytest.mark.parametrize("partition", ["as it was", "sha256:" + "0" * 64])
def test_queries_that_were_retired_make_no_official_result_whatever_card_stands_beside_them(
    kept: Kept, made: Path, partition: str
) -> None:
    lock = json.loads(kept.files[LOCK])
    queries = (ROOT / "manifests/benchmarks/search-v1/development/queries.jsonl").read_bytes()
    gone = Retirement(
        partition=lock["partition"] if partition == "as it was" else partition,
        queries=digest(queries),
        judgement_set=lock["judgement_set"],
        name="the half",
        version="1",
        retired_at="2026-12-01T00:00:00Z",
        reason="shown in a talk",
        rerun=(),
    )
    here = Here(kept.load, lock["code_commit"], lambda _commit: False)
    found = verified(FinishedResult(made), kept, here=here._replace(retired=(gone,)))
    assert "its partition the half 1 was retired at 2026-12-01T00:00:00Z: shown in a talk" in found.reasons
    other = gone.model_copy(update={"queries": "sha256:" + "1" * 64})
    assert not [why for why in verified(FinishedResult(made), kept, here=here._replace(retired=(other,))).reasons
                if "retired" in why]  # fmt: skip
