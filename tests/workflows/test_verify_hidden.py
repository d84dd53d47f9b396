"""No result escapes being computed again by names of files in it, or by what a steward signs that it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from runner.adapters.keys import KeyFile
from runner.adapters.progress import SilentProgress
from runner.documents import digest
from runner.errors import CannotDecide, Findings
from runner.provenance.card import Scorecard
from runner.provenance.public_card import publish
from runner.provenance.trust import Role, remember
from runner.retrieval.partitions import Kind
from runner.workflows.products import public_products
from runner.workflows.seal import short
from runner.workflows.verify import Against, Here, Verified, rescore, verify
from runner.workflows.witness import Desk, witness
from tests.provenance.signing import WITNESS, entry
from tests.workflows.kept import CARD, LOCK, Files, Folder, Kept, edited
from tests.workflows.test_witness import NOTHING, log_of

JUNK = b"age-encryption.org/v1\njunk"
#: What the run of `kept` leaves in the open, were it one on a sealed partition.
OPEN = ("manifest.json", LOCK, "environment.json")
Change = Callable[[Any], object]


def nothing(_value: Any) -> None:
    pass


def looked_at(kept: Kept, folder: Folder) -> Verified:
    here = Here(kept.load, kept.whole.lock.code_commit, lambda _commit: False)
    against = Against(kept.trust, kept.statement.predicate.signed_at, kept.log)
    return verify(folder, against._replace(log=None), here, SilentProgress())


@pytest.mark.parametrize(
    "name", ["sealed/x.age", "sealed/raw/bm25/plan.json.age", "sealed/x", "partition/queries.jsonl"]
)
def test_a_sealed_file_beside_an_open_run_is_one_too_many(kept: Kept, name: str) -> None:
    with pytest.raises(Findings, match=f"{name}: is no part of a result"):
        looked_at(kept, kept.sealed({**kept.files, name: JUNK}))


def test_a_sealed_file_hides_no_forged_card(kept: Kept) -> None:
    """The reader's own: a development run with 99 points, eligible, of an image and a machine that never were."""

    def forge(card: Any) -> None:
        card["systems"][0]["score"] = 99.0
        card.update(standing="eligible", reasons=[], format="mambomeme/public-scorecard/v1")
        card["versions"][0].update(image_id="sha256:" + "1" * 64, hardware_profile="sha256:" + "2" * 64)

    files = edited({**kept.files, "sealed/x.age": JUNK}, CARD, forge)
    card = short(Scorecard.parse(files[CARD], CARD))
    with pytest.raises(Findings, match=r"scorecard\.json: standing says 'eligible'"):
        looked_at(kept, kept.sealed(files, card=card))


def disguised(kept: Kept, *, manifest: Change = nothing, lock: Change = nothing, card: Change = nothing) -> Folder:
    """The run of `kept` as its steward would have it pass for one on a sealed partition; each file is changed after it
    was made to fit the others."""
    files: Files = {**{name: kept.files[name] for name in OPEN}, "sealed/raw/bm25/plan.json.age": JUNK}
    partition = json.loads(files[LOCK])["partition"]
    files = edited(
        files, "manifest.json", lambda value: value.update(partition={"path": "sealed:x", "digest": partition})
    )
    files = edited(files, "manifest.json", manifest)
    files = edited(files, LOCK, lambda value: value.update(manifest=digest(files["manifest.json"])))
    files = edited(files, LOCK, lock)
    made = publish(kept.whole.card)
    version = made.versions[0].model_copy(update={"manifest": json.loads(files[LOCK])["manifest"]})
    line = made.partition.model_copy(update={"kind": Kind.HIDDEN})
    made = made.model_copy(update={"versions": (version,), "partition": line})
    files = edited({**files, **public_products(made)}, CARD, card)
    made = Scorecard.parse(files[CARD], CARD)
    return kept.sealed({**files, **public_products(made), CARD: files[CARD]}, card=short(made))


def test_of_a_hidden_run_without_its_key_no_number_is_said_to_hold(kept: Kept) -> None:
    found = looked_at(kept, disguised(kept))
    assert found.held == "signatures, files and the form of what is public"
    assert any("the evidence is sealed" in note for note in found.notes)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("image_id", "sha256:" + "1" * 64),
        ("hardware_profile", "sha256:" + "2" * 64),
        ("system_digest", "sha256:" + "3" * 64),
        ("system_version", "9"),
        ("configuration", "sha256:" + "4" * 64),
        ("policy", "sha256:" + "5" * 64),
        ("cpu_model", "another"),
        ("runtime", {}),
        ("index", "sha256:" + "6" * 64),
        ("code_clean", None),
    ],
)
def test_what_a_public_card_says_it_rests_on_is_in_lock_and_manifest(kept: Kept, field: str, value: Any) -> None:
    def change(card: Any) -> None:
        (version,) = card["versions"]
        version[field] = not version[field] if value is None else value

    with pytest.raises(Findings, match=rf"scorecard\.json: (versions\[0\]\.{field}|says more than)"):
        looked_at(kept, disguised(kept, card=change))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"card": lambda card: card["partition"].update(kind="development")}, "partition: is a development one"),
        ({"card": lambda card: card.update(format="mambomeme/scorecard/v1")}, "format: says 'mambomeme/scorecard/v1'"),
        ({"card": lambda card: card.update(run_id="other")}, "run_id says 'other'"),
        ({"card": lambda card: card["tries"].update(partition=7)}, "tries.partition says 7"),
        ({"card": lambda card: card["systems"][0].update(system="other")}, "systems: are not those of run.lock.json"),
        ({"lock": lambda lock: lock.update(manifest="sha256:" + "0" * 64)}, "manifest.json: expected sha256:0000"),
        (
            {"manifest": lambda value: value["partition"].update(digest="sha256:" + "0" * 64)},
            "manifest.json: partition: expected sha256:",
        ),
    ],
)
def test_a_forged_kind_of_run_is_named(kept: Kept, changes: dict[str, Change], why: str) -> None:
    with pytest.raises(Findings, match=why):
        looked_at(kept, disguised(kept, **changes))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("sealed/manifest.json.age", "is never sealed"),
        ("sealed/sbom.cdx.json.age", "is never sealed"),
        ("raw/bm25/block-000.jsonl", "is no part of what a hidden run publishes"),
        ("sealed/notes.txt", "is no part of what a hidden run publishes"),
    ],
)
def test_what_a_hidden_run_leaves_stands_where_it_must(kept: Kept, name: str, why: str) -> None:
    files = {key: data for key, data in disguised(kept).files.items() if key != "statement.dsse.json"}
    card = short(Scorecard.parse(files[CARD], CARD))
    with pytest.raises(Findings, match=f"{name}: {why}"):
        looked_at(kept, kept.sealed({**files, name: JUNK}, card=card))


def test_nothing_is_computed_again_from_what_is_sealed(kept: Kept) -> None:
    here = Here(kept.load, kept.whole.lock.code_commit, lambda _commit: False)
    with pytest.raises(CannotDecide, match=r"The evidence of this hidden run is sealed\. Give its age key"):
        rescore(disguised(kept), here, SilentProgress())


def test_no_witness_signs_for_what_was_not_computed_again(kept: Kept) -> None:
    files = dict(disguised(kept).files)
    del files["statement.dsse.json"]
    begun, end = kept.log.entries
    about = {"lock": digest(files[LOCK]), "manifest": digest(files["manifest.json"])}
    run = begun.run.model_copy(update=about)
    begun = begun.model_copy(update={"run": run})
    card = short(Scorecard.parse(files[CARD], CARD))
    folder = kept.sealed(files, card=card, log_head=log_of([begun]).head)
    end = end.model_copy(update={"run": run, "statement": digest(kept.signed_by(folder))})
    log = log_of([begun, end])
    keys = {**kept.trust.keys, WITNESS.public_key.keyid: entry(WITNESS, Role.WITNESS, "person-2")}
    known = kept.trust.model_copy(update={"keys": keys})
    desk = Desk(KeyFile(WITNESS), known, log, remember(NOTHING, known))
    here = Here(kept.load, kept.whole.lock.code_commit, lambda _commit: False)
    with pytest.raises(CannotDecide, match=r"none of its numbers was computed again\. Give your own age key"):
        witness(folder, desk, kept.statement.predicate.signed_at, here, SilentProgress())
