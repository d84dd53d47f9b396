"""A sealed result verifies; whatever is done to it afterwards is found, and named."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from runner.adapters.journal import Journal
from runner.adapters.signer import KeyFile
from runner.adapters.store import FinishedResult, ResultStore
from runner.documents import Document, digest, to_lines
from runner.errors import BenchError, CannotDecide, Findings
from runner.provenance.journal import read_journal
from runner.provenance.statement import Card, Label
from runner.provenance.trust import Role, open_envelopes
from runner.workflows.observe import Bounds, observe
from runner.workflows.seal import seal
from runner.workflows.verify import Check, Verified, check_raw_logs, screens_check, verify
from tests.provenance.signing import CARD, NOW, SIGNED_AT, STEWARD, STRANGER, WITNESS, trust
from tests.provenance.test_rawlog import PLAN_BYTES, open_raw_log, recorded
from tests.terminal.tape import TITLES

CHECKS: tuple[Check, ...] = (check_raw_logs, screens_check(TITLES))


def sealed(root: Path, *, key: object = STEWARD, card: Card = CARD, run_id: str = "run-1") -> Path:
    result = ResultStore(root).begin(run_id)
    files = recorded()
    result.keep("raw/bm25/plan.json", PLAN_BYTES)
    result.keep("raw/bm25/driver.json", b"{}")
    for name, data in files.items():
        result.keep(f"raw/bm25/{name}", data)
    log = open_raw_log(PLAN_BYTES, files, "raw/bm25")
    result.keep("observations.jsonl", to_lines(observe(log.searches, TITLES, Bounds(2000, 250))))
    result.keep("scorecard.json", b'{"score":71}')
    signer = KeyFile(key)  # type: ignore[arg-type]
    return seal(result, card, run_id=run_id, signer=signer, journal=Journal(root / "log.jsonl"), now=SIGNED_AT)


def verified(path: Path) -> Verified:
    return verify(FinishedResult(path), trust(), NOW, CHECKS)


def witness(path: Path) -> None:
    """The second signature, over the very payload."""
    envelope = json.loads((path / "statement.dsse.json").read_bytes())
    payload = base64.b64decode(envelope["payload"])
    (path / "witness.dsse.json").write_bytes(KeyFile(WITNESS).sign(payload))


def test_a_sealed_result_verifies_and_one_signature_is_not_official(tmp_path: Path) -> None:
    found = verified(sealed(tmp_path))
    assert (found.run_id, found.card, found.official) == ("run-1", CARD, False)
    assert found.reasons == ("1 signature as witness needed, 0 found",)


def test_an_eligible_card_with_both_signatures_is_official(tmp_path: Path) -> None:
    path = sealed(tmp_path)
    witness(path)
    found = verified(path)
    assert found.official
    assert [signer.role for signer in found.signers if signer.role is Role.WITNESS] == [Role.WITNESS]


def test_a_provisional_card_is_never_official(tmp_path: Path) -> None:
    path = sealed(tmp_path, card=CARD.model_copy(update={"label": Label.PROVISIONAL}))
    witness(path)
    assert verified(path).reasons == ("the card is provisional",)


def test_every_kept_file_is_signed(tmp_path: Path) -> None:
    path = sealed(tmp_path)
    files = {"statement.dsse.json": (path / "statement.dsse.json").read_bytes()}
    statement = open_envelopes(files, trust(), NOW, {Role.STEWARD: 1}).statement
    kept = {p.relative_to(path).as_posix(): digest(p.read_bytes()) for p in path.rglob("*") if p.is_file()}
    del kept["statement.dsse.json"]
    assert statement.digests == kept
    assert list(statement.digests) == sorted(kept)


def test_runs_follow_each_other_in_the_log(tmp_path: Path) -> None:
    for run_id in ("run-1", "run-2"):
        sealed(tmp_path, run_id=run_id)
    entries, place = read_journal((tmp_path / "log.jsonl").read_bytes(), "log")
    assert [(entry.index, entry.run_id) for entry in entries] == [(0, "run-1"), (1, "run-2")]
    assert place.index == 2


def test_an_altered_log_of_runs_stops_the_seal(tmp_path: Path) -> None:
    sealed(tmp_path, run_id="run-1")
    log = tmp_path / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b"run-1", b"run-0"))
    with pytest.raises(Findings, match="line 1: does not follow"):
        sealed(tmp_path, run_id="run-2")
    assert (tmp_path / "run-2.unfinished").is_dir()
    assert not (tmp_path / "run-2.unfinished/statement.dsse.json").exists()


def append(name: str, data: bytes) -> Callable[[Path], object]:
    return lambda path: (path / name).write_bytes((path / name).read_bytes() + data)


@pytest.mark.parametrize(
    ("tamper", "why"),
    [
        (append("scorecard.json", b" "), "scorecard.json: expected sha256:"),
        (append("raw/bm25/block-001.jsonl", b"\n"), "raw/bm25/block-001.jsonl: expected sha256:"),
        (lambda path: (path / "observations.jsonl").unlink(), "observations.jsonl: was signed, but is missing"),
        (lambda path: (path / "extra.txt").write_text("x"), "extra.txt: was not signed"),
        (lambda path: (path / "raw/.hidden").write_text("x"), "raw/.hidden: was not signed"),
        (lambda path: (path / "link").symlink_to("scorecard.json"), "link: was not signed"),
    ],
)
def test_tampering_is_found_and_the_file_named(tamper: Callable[[Path], object], why: str, tmp_path: Path) -> None:
    path = sealed(tmp_path)
    tamper(path)
    with pytest.raises(Findings) as error:
        verified(path)
    assert why in str(error.value)


def test_a_file_replaced_by_a_link_to_its_copy_is_found(tmp_path: Path) -> None:
    path = sealed(tmp_path)
    (path / "scorecard.json").rename(tmp_path / "elsewhere.json")
    (path / "scorecard.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(Findings, match=r"scorecard.json: is not a plain file"):
        verified(path)


def test_a_result_without_a_statement_proves_nothing(tmp_path: Path) -> None:
    path = sealed(tmp_path)
    (path / "statement.dsse.json").unlink()
    with pytest.raises(CannotDecide, match=r"statement.dsse.json: missing"):
        verified(path)


def test_a_stranger_s_result_cannot_be_decided(tmp_path: Path) -> None:
    with pytest.raises(CannotDecide, match="is not in the trust file"):
        verified(sealed(tmp_path, key=STRANGER))


def resealed(root: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """A result whose steward signed something else than what happened."""
    path = sealed(root)
    files = {p.relative_to(path).as_posix(): p.read_bytes() for p in path.rglob("*") if p.is_file()}
    del files["statement.dsse.json"]
    change(files)
    result = ResultStore(root).begin("run-9")
    for name, data in files.items():
        result.keep(name, data)
    journal = Journal(root / "log.jsonl")
    return seal(result, CARD, run_id="run-9", signer=KeyFile(STEWARD), journal=journal, now=SIGNED_AT)


def edited(name: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], None]:
    def change(files: dict[str, bytes]) -> None:
        assert old in files[name]
        files[name] = files[name].replace(old, new, 1)

    return change


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            edited("observations.jsonl", b'"latency_ns":2001500', b'"latency_ns":1001500'),
            "observations.jsonl:1: latency_ns",
        ),
        (edited("observations.jsonl", b'"drawn":["m001"]', b'"drawn":["m002"]'), "observations.jsonl:1: drawn"),
        (lambda files: files.update({"observations.jsonl": b""}), "holds 0 requests of bm25 where its raw log shows 4"),
        (edited("raw/bm25/block-001.jsonl", b'"late":false', b'"late":true'), "raw/bm25/block-001.jsonl: line"),
        (edited("raw/bm25/plan.json", b"600", b"900"), "raw/bm25/block-000.jsonl: line 1: does not follow"),
        (lambda files: files.pop("raw/bm25/plan.json"), "raw/bm25/plan.json: missing"),
        (lambda files: files.pop("raw/bm25/block-002.jsonl"), "1 blocks where 2 were planned"),
    ],
)
def test_a_steward_cannot_sign_what_the_raw_log_does_not_show(
    change: Callable[[dict[str, bytes]], None], why: str, tmp_path: Path
) -> None:
    with pytest.raises(Findings) as error:
        verified(resealed(tmp_path, change))
    assert why in str(error.value)


def test_further_checks_are_asked_only_of_what_was_signed(tmp_path: Path) -> None:
    path = sealed(tmp_path)
    asked: list[str] = []

    def numbers(folder: object, _statement: Document) -> list[str]:
        asked.append("numbers")
        return ["scorecard.json: score: says 71, recomputed 70."]

    with pytest.raises(Findings, match="score: says 71, recomputed 70"):
        verify(FinishedResult(path), trust(), NOW, [numbers])
    append("scorecard.json", b" ")(path)
    with pytest.raises(Findings, match=r"scorecard.json: expected"):
        verify(FinishedResult(path), trust(), NOW, [numbers])
    assert asked == ["numbers"]


def test_the_three_answers_have_three_exit_statuses(tmp_path: Path) -> None:
    path = sealed(tmp_path)
    append("scorecard.json", b" ")(path)
    statuses: list[int] = []
    for now in (NOW, "2030-01-01T00:00:00Z"):
        with pytest.raises(BenchError) as error:
            verify(FinishedResult(path), trust(), now, ())
        statuses.append(error.value.exit_status)
    assert statuses == [1, 2]
