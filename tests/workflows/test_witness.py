"""A second person signs what verifies and stands in a log that only grew, and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from runner.adapters.keys import KeyFile
from runner.adapters.progress import SilentProgress
from runner.adapters.store import LARGEST_BYTES, FinishedResult
from runner.documents import Source, digest
from runner.errors import BadInput, Findings
from runner.ports import ResultFolder
from runner.provenance.chain import seal as chain_seal
from runner.provenance.journal import FIRST_HEAD, Attempt, Entry, Outcome, RunLog, read_log
from runner.provenance.run_lock import RunLock
from runner.provenance.statement import Given, payload
from runner.provenance.trust import GivenNonce, Memory, Role, Trust, remember
from runner.workflows.nonce import give, spend
from runner.workflows.verify import Against, Here, Verified, verify
from runner.workflows.witness import Desk, Witnessed, joined, witness
from tests.provenance.signing import STEWARD, STRANGER, WITNESS, entry, signed, witnessed
from tests.workflows.kept import CARD, LOCK, NONCE, PLAN, RAW, Folder, Kept, chained, edited

NOTHING = Memory(format="mambomeme/seen/v1", roots={})
GIVEN = "2020-01-01T00:00:00Z"


class Scene(NamedTuple):
    """A sealed result, the people who are trusted, the log it stands in."""

    kept: Kept
    trust: Trust
    now: str

    def desk(self, **changes: Any) -> Desk:
        """That of the witness, who gave the run's nonce out."""
        return Desk(KeyFile(WITNESS), self.trust, self.kept.log, self.memory)._replace(**changes)

    @property
    def memory(self) -> Memory:
        """The witness's, just before the run."""
        return give(remember(NOTHING, self.trust), NONCE, GIVEN)

    def witness(self, folder: ResultFolder | None = None, **changes: Any) -> Witnessed:
        """What comes of it."""
        return witness(folder or self.folder(), self.desk(**changes), self.now, self.here, SilentProgress())

    def verify(self, folder: ResultFolder, log: RunLog | None = None, trust: Trust | None = None) -> Verified:
        """As a stranger does, with the log of the steward where it is at hand."""
        return verify(folder, Against(trust or self.trust, self.now, log), self.here, SilentProgress())

    def folder(self, **more: bytes) -> Folder:
        """The result as it was sealed, with more files."""
        named = {name.replace("_", "."): data for name, data in more.items()}
        return Folder({**self.kept.sealed(self.kept.files).files, **named})

    @property
    def here(self) -> Here:
        """The checkout that made the result."""
        return Here(self.kept.load, self.kept.whole.lock.code_commit, lambda _commit: False)


@pytest.fixture(scope="module")
def scene(kept: Kept) -> Scene:
    """The steward of `kept`, and a witness."""
    now = kept.statement.predicate.signed_at
    keys = {**kept.trust.keys, WITNESS.public_key.keyid: entry(WITNESS, Role.WITNESS, "person-2")}
    return Scene(kept, kept.trust.model_copy(update={"keys": keys}), now)


@pytest.fixture(scope="module")
def signature(scene: Scene) -> bytes:
    """The witness's file."""
    return scene.witness().envelope


def test_with_both_signatures_only_the_card_keeps_it_from_being_official(scene: Scene, signature: bytes) -> None:
    found = scene.verify(scene.folder(witness_dsse_json=signature), scene.kept.log)
    assert [signer.role for signer in found.signers] == [Role.STEWARD, Role.WITNESS]
    begun = f"begun after the witness gave its nonce, {GIVEN}, and over before it signed, {scene.now}"
    assert (found.reasons, found.notes) == (("the card is provisional",), (begun,))


def test_without_the_witness_s_file_it_is_one_signature_again(scene: Scene) -> None:
    """Stripped: nothing of the result says that there was one."""
    assert "1 signature as witness needed, 0 found" in scene.verify(scene.folder()).reasons


def test_without_the_log_it_says_so(scene: Scene, signature: bytes) -> None:
    found = scene.verify(scene.folder(witness_dsse_json=signature))
    assert found.notes[0] == (
        "the steward's log was not given (--log results/log.jsonl): how many tries there were is the signers' word"
    )


def verified_beside(scene: Scene, log: RunLog) -> Verified:
    """As a stranger does who was given no log, where this one lies beside the result."""
    return verify(scene.folder(), Against(scene.trust, scene.now, None, log), scene.here, SilentProgress())


def test_a_log_beside_the_result_is_held_against_it_where_it_names_the_run(scene: Scene) -> None:
    """That of the run, and once it was cut; another checkout's is no evidence against anybody."""
    (note,) = verified_beside(scene, scene.kept.log).notes
    assert note.startswith("held against log.jsonl, which lies beside it: what was left out of that log only a witness")
    with pytest.raises(Findings, match="and none 1, where it was sealed: it was cut"):
        verified_beside(scene, log_of(list(scene.kept.log.entries[:1])))
    for other in (log_of([]), log_of([scene.kept.log.entries[0].model_copy(update={"run": other_run(scene)})])):
        (note,) = verified_beside(scene, other).notes
        assert note.startswith("the steward's log was not given")


def test_the_witness_keeps_the_head_of_the_log(scene: Scene) -> None:
    seen = scene.witness().memory.roots[scene.trust.root.key_id]
    assert (seen.log_entries, seen.log_head) == (2, scene.kept.log.heads[2])


def test_a_result_is_witnessed_once(scene: Scene, signature: bytes) -> None:
    with pytest.raises(BadInput, match=r"witness.dsse.json: exists already"):
        scene.witness(scene.folder(witness_dsse_json=signature))


@pytest.mark.parametrize(
    ("key", "why"),
    [
        (STRANGER, "is not in the trust file"),
        (STEWARD, "is not in the trust file"),
    ],
)
def test_a_key_that_would_not_count_signs_nothing(scene: Scene, key: Any, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        scene.witness(signer=KeyFile(key))


def with_witness(trust: Trust, **changes: Any) -> Trust:
    """The trust with another entry for the witness's key."""
    known = trust.keys[WITNESS.public_key.keyid].model_copy(update=changes)
    return trust.model_copy(update={"keys": {**trust.keys, WITNESS.public_key.keyid: known}})


def test_the_steward_s_own_key_cannot_be_the_second(scene: Scene) -> None:
    with pytest.raises(BadInput, match="is a steward's and cannot sign as witness"):
        scene.witness(signer=scene.kept.key)


def test_the_steward_with_another_key_cannot_be_the_second(scene: Scene) -> None:
    (steward,) = scene.kept.trust.keys.values()
    with pytest.raises(BadInput, match=f"is of {steward.person}, who signed as steward"):
        scene.witness(trust=with_witness(scene.trust, person=steward.person))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"revoked_from": 1}, "is revoked from entry 1 of the log on"),
        ({"valid_until": "2026-11-01T00:00:00Z"}, "was not valid at"),
    ],
)
def test_a_revoked_or_expired_key_signs_nothing_and_no_longer_counts(
    scene: Scene, signature: bytes, changes: dict[str, Any], why: str
) -> None:
    later = with_witness(scene.trust, **changes)
    with pytest.raises(BadInput, match=why):
        scene.witness(trust=later)
    found = scene.verify(scene.folder(witness_dsse_json=signature), scene.kept.log, later)
    assert why in found.notes[0]
    assert "1 signature as witness needed, 0 found" in found.reasons


def log_of(entries: list[Entry]) -> RunLog:
    """A log that is chained as it should be, whatever it says: the steward holds the pen."""
    data, head = b"", FIRST_HEAD
    for one in entries:
        line, head = chain_seal(head, one.model_dump(mode="json"))
        data += line
    return read_log(Source("log", data))


def grown(log: RunLog, many: int = 1) -> RunLog:
    """The log with more void runs at its end."""
    entries = list(log.entries)
    for _ in range(many):
        run = log.entries[0].run.model_copy(update={"run_id": f"later-{len(entries)}"})
        for outcome in (Outcome.BEGUN, Outcome.VOID):
            entries.append(Entry(index=len(entries), outcome=outcome, at=log.entries[0].at, run=run, statement=None))
    return log_of(entries)


def before(log: RunLog, run: Attempt) -> RunLog:
    """The log with a void run slipped in at its beginning."""
    first = [
        Entry(index=number, outcome=outcome, at=log.entries[0].at, run=run, statement=None)
        for number, outcome in enumerate((Outcome.BEGUN, Outcome.VOID))
    ]
    return log_of([*first, *(one.model_copy(update={"index": one.index + 2}) for one in log.entries)])


def test_a_log_that_grew_is_the_same_log(scene: Scene, signature: bytes) -> None:
    later = grown(scene.kept.log)
    (note,) = scene.verify(scene.folder(witness_dsse_json=signature), later).notes
    assert "nonce" in note
    memory = scene.witness().memory
    assert scene.witness(log=later, memory=memory).memory.roots[scene.trust.root.key_id].log_entries == 4


def other_run(scene: Scene) -> Attempt:
    return scene.kept.log.entries[0].run.model_copy(update={"run_id": "earlier"})


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda scene: log_of([]), "log: has 0 entries, and none 0, where the run begins: it was cut"),
        (lambda scene: log_of(list(scene.kept.log.entries[:1])), "and none 1, where it was sealed: it was cut"),
        (lambda scene: before(scene.kept.log, other_run(scene)), "log:1: is not the start of"),
    ],
)
def test_a_log_that_does_not_hold_the_run_is_not_signed_for(
    scene: Scene, signature: bytes, spoil: Callable[[Scene], RunLog], why: str
) -> None:
    """Cut, or with a try that was hidden before: not by the witness, nor believed by a stranger."""
    log = spoil(scene)
    for attempt in (
        lambda: scene.witness(log=log),
        lambda: scene.verify(scene.folder(witness_dsse_json=signature), log),
    ):
        with pytest.raises(Findings, match=why):
            attempt()


@pytest.mark.usefixtures("same_lots")
def test_tries_that_are_left_out_are_found(scene: Scene) -> None:
    """A lock that calls itself the first, in a log that has it third, all of it chained and signed by the steward."""
    kept, run = scene.kept, other_run(scene)
    log = before(kept.log, run)
    lock = kept.whole.lock.log.model_copy(update={"index": 2, "head": log.heads[2]})
    files = edited(kept.files, LOCK, lambda value: value.update(log=lock.model_dump(mode="json")))
    name = kept.whole.lock.run_id.rpartition("-")[0] + "-2"
    files = chained(edited(files, LOCK, lambda value: value.update(run_id=name)))
    attempt = run.model_copy(update={"run_id": name, "lock": digest(files[LOCK])})
    entries = [*log.entries[:2], *(one.model_copy(update={"run": attempt}) for one in log.entries[2:])]
    made = kept.examined(files)
    folder = kept.sealed({**files, **made.products}, run_id=name, log_index=3, log_head=log_of(entries[:3]).head)
    entries[3] = entries[3].model_copy(update={"statement": digest(kept.signed_by(folder))})
    with pytest.raises(Findings, match=r"log:3: .*partition=2.* is what comes before, locked is .*partition=1"):
        scene.verify(folder, log_of(entries))


def test_a_log_of_another_statement_is_not_the_one(scene: Scene) -> None:
    entries = list(scene.kept.log.entries)
    entries[1] = entries[1].model_copy(update={"statement": "sha256:" + "0" * 64})
    with pytest.raises(Findings, match=r"log:2: is not the end of .* with the statement that was signed"):
        scene.verify(scene.folder(), log_of(entries))


def test_a_head_that_is_not_the_witnessed_one_is_found(scene: Scene, signature: bytes) -> None:
    """The witness read three entries more than the steward shows now, or others."""
    steward = scene.folder().read("statement.dsse.json")
    said = witnessed(steward, run_id=scene.kept.whole.lock.run_id, signed_at=scene.now, log_entries=4)
    forked = scene.folder(witness_dsse_json=signed(WITNESS, body=payload(said)))
    for log in (scene.kept.log, grown(scene.kept.log)):
        with pytest.raises(Findings, match=r"it is not the log that was witnessed"):
            scene.verify(forked, log)


@pytest.mark.parametrize(
    ("then", "now", "why"),
    [
        (4, 1, "has 2 entries, but had 4 when it was witnessed: it was cut"),
        (4, 3, "another head after entry 4 was witnessed: it was forked"),
    ],
)
def test_the_witness_remembers_and_does_not_sign(scene: Scene, then: int, now: int, why: str) -> None:
    """What no chain can tell: an end that was cut, and two logs with one beginning."""
    memory = scene.witness(log=grown(scene.kept.log)).memory
    log = scene.kept.log if now == 1 else grown(log_of(list(scene.kept.log.entries)), 1)
    if now == 3:
        later = log.entries[2].run.model_copy(update={"run_id": "instead"})
        log = log_of([*log.entries[:2], *(one.model_copy(update={"run": later}) for one in log.entries[2:])])
    with pytest.raises(Findings, match=why):
        scene.witness(log=log, memory=memory)


def test_the_witness_verifies_before_it_signs(scene: Scene) -> None:
    folder = scene.kept.sealed({**scene.kept.files, "scorecard.md": b"# fine\n"})
    begun, end = scene.kept.log.entries
    end = end.model_copy(update={"statement": digest(scene.kept.signed_by(folder))})
    with pytest.raises(Findings, match=r"scorecard.md"):
        scene.witness(folder, log=log_of([begun, end]))


@pytest.mark.usefixtures("same_lots")
def test_a_folder_mixed_from_two_runs_is_found(scene: Scene) -> None:
    """The other run is whole in itself: another start, all that follows from it, the steward's own signature."""
    kept = scene.kept
    started = kept.whole.lock.started_at[:-3] + ("01Z" if kept.whole.lock.started_at[-3:] != "01Z" else "02Z")
    name = started.replace("-", "").replace(":", "") + "-" + kept.whole.lock.run_id.partition("-")[2]
    files = chained(edited(kept.files, LOCK, lambda value: value.update(started_at=started, run_id=name)))
    other = {**files, **kept.examined(files).products}
    assert kept.faults(other) == (0, "")
    first = kept.sealed(kept.files).read("statement.dsse.json")
    for taken in (LOCK, f"{RAW}/block-001.jsonl", CARD):
        mixed = {**kept.files, taken: other[taken]}
        with pytest.raises(Findings, match=rf"{taken}: expected sha256:\w+, found sha256:\w+: changed after"):
            scene.verify(Folder({**mixed, "statement.dsse.json": first}))
        with pytest.raises(Findings, match=taken):
            scene.verify(kept.sealed(mixed))


def test_the_witness_says_that_the_run_is_not_older_than_its_nonce(scene: Scene) -> None:
    made = scene.witness()
    assert made.said.nonce == Given(value=NONCE, given_at=GIVEN)
    assert made.memory.nonces[NONCE] == GivenNonce(at=GIVEN, lock=digest(scene.kept.files[LOCK]))


def locked(scene: Scene, **changes: Any) -> RunLock:
    return scene.kept.whole.lock.model_copy(update=changes)


def test_a_nonce_is_spent_once(scene: Scene) -> None:
    """Anew on the same run, whose signature was moved away, but on no other."""
    memory = scene.witness().memory
    assert spend(memory, scene.kept.whole.lock)[0] == memory
    with pytest.raises(Findings, match=rf"nonce: {NONCE} was signed for with another run\. Sign nothing"):
        spend(memory, locked(scene, started_at="2027-01-01T00:00:00Z"))


def test_what_was_remembered_while_a_witness_verified_is_not_lost(scene: Scene) -> None:
    """A nonce that was given out then, and what was seen of another root."""
    made, root = scene.witness().memory, scene.trust.root.key_id
    meanwhile = give(scene.memory, "f" * 32, GIVEN)
    other = meanwhile.roots[root].model_copy(update={"version": 7})
    found = joined(made, meanwhile.model_copy(update={"roots": {**meanwhile.roots, "0" * 64: other}}), root)
    assert found.nonces == {**made.nonces, "f" * 32: GivenNonce(at=GIVEN, lock=None)}
    assert found.roots == {**made.roots, "0" * 64: other}


def test_a_nonce_of_somebody_else_is_not_signed_for(scene: Scene) -> None:
    with pytest.raises(Findings, match=rf"run.lock.json: nonce: {NONCE} was not given out here\. Sign nothing"):
        scene.witness(memory=remember(NOTHING, scene.trust))


def test_a_run_that_says_it_is_older_than_its_nonce_is_not_signed_for(scene: Scene) -> None:
    later = give(scene.memory, NONCE, "2099-01-01T00:00:00Z")
    with pytest.raises(Findings, match=r"nonce: was given out at 2099-01-01T00:00:00Z, after the run started"):
        scene.witness(memory=later)


def test_without_a_nonce_the_witness_s_file_says_so(scene: Scene) -> None:
    """The rest is as before: a run needs none."""
    memory, given = spend(scene.memory, locked(scene, nonce=None))
    assert (memory, given) == (scene.memory, None)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (None, f"nonce: says None, {LOCK} has {NONCE}"),
        (Given(value="f" * 32, given_at=GIVEN), f"nonce: says {'f' * 32}, {LOCK} has {NONCE}"),
        (Given(value=NONCE, given_at="2099-01-01T00:00:00Z"), "nonce: was given out at 2099-01-01T00:00:00Z, after"),
    ],
)
def test_a_witness_who_says_another_nonce_is_found(scene: Scene, said: Given | None, why: str) -> None:
    steward, run = scene.folder().read("statement.dsse.json"), scene.kept.whole.lock.run_id
    about = {"run_id": run, "signed_at": scene.now, "log_entries": 2, "log_head": scene.kept.log.head}
    letter = signed(WITNESS, body=payload(witnessed(steward, **about, nonce=said)))
    with pytest.raises(Findings, match=f"witness.dsse.json: {why}"):
        scene.verify(scene.folder(witness_dsse_json=letter))


def test_the_records_of_an_earlier_run_fit_no_later_nonce(scene: Scene) -> None:
    """The best of many runs under the lock of a new one, chained and signed anew: its queries come in another order."""
    later = chained(edited(scene.kept.files, LOCK, lambda value: value.update(nonce="f" * 32)))
    with pytest.raises(Findings, match=rf"{PLAN}: blocks\[0\]\[0\].query_id says"):
        scene.verify(scene.kept.sealed(later))


def test_a_huge_file_is_named_and_not_read(scene: Scene, made: Path, tmp_path: Path) -> None:
    """A terabyte of nothing, in place of a file that was signed, and beside them."""
    path = shutil.copytree(made, tmp_path / made.name)
    with (path / "scorecard.json").open("r+b") as file:
        file.truncate(10**12)
    with pytest.raises(Findings, match=f"scorecard.json: is larger than any file of a result, {LARGEST_BYTES} bytes"):
        scene.verify(FinishedResult(path))
    shutil.copy(made / "scorecard.json", path)
    with (path / "more").open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(Findings, match="more: was not signed"):
        scene.verify(FinishedResult(path))


def test_a_folder_behind_a_link_is_not_entered(scene: Scene, made: Path, tmp_path: Path) -> None:
    path = shutil.copytree(made, tmp_path / made.name)
    (path / "casts").rename(tmp_path / "casts")
    (path / "casts").symlink_to(tmp_path / "casts")
    with pytest.raises(Findings, match=r"casts/bm25/block-000.cast: was signed, but is missing(.|\n)*casts: was not"):
        scene.verify(FinishedResult(path))
