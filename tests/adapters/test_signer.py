"""The checkout's key is made once, is its owner's alone, and its trust file verifies what it signs."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from securesystemslib.dsse import Envelope
from securesystemslib.signer import Key

from runner.adapters.keys import KeyFile, new_key
from runner.adapters.signer import checkout_key, key_place
from runner.documents import Source
from runner.errors import BadInput
from runner.provenance.trust import Role, Trust, open_trust
from tests.provenance.signing import no_passphrase


def own_key(folder: Path) -> KeyFile:
    return checkout_key(folder, no_passphrase)


def trust_of(folder: Path) -> Trust:
    return open_trust(Source("trust.json", (folder / "trust.json").read_bytes()))


def test_the_first_use_makes_a_key_that_only_its_owner_reads(tmp_path: Path) -> None:
    own_key(tmp_path / ".keys")
    assert stat.S_IMODE((tmp_path / ".keys").stat().st_mode) == 0o700
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / ".keys").iterdir()} == {
        "root.pem": 0o600,
        "steward.pem": 0o600,
        "trust.json": 0o600,
    }


def test_the_key_stays_the_same(tmp_path: Path) -> None:
    first, trust = own_key(tmp_path).public_key, (tmp_path / "trust.json").read_bytes()
    assert own_key(tmp_path).public_key == first
    assert (tmp_path / "trust.json").read_bytes() == trust


def test_a_lost_trust_file_is_made_again_alike(tmp_path: Path) -> None:
    own_key(tmp_path)
    trust = (tmp_path / "trust.json").read_bytes()
    (tmp_path / "trust.json").unlink()
    own_key(tmp_path)
    assert (tmp_path / "trust.json").read_bytes() == trust


def test_the_library_verifies_what_it_signs_with_the_key_of_the_trust_file(tmp_path: Path) -> None:
    key = own_key(tmp_path)
    envelope = Envelope.from_dict(json.loads(key.sign(b"payload")))
    trust = trust_of(tmp_path)
    ((key_id, entry),) = trust.keys.items()
    assert envelope.payload == b"payload"
    assert envelope.verify([Key.from_dict(key_id, entry.key.model_dump(mode="json"))], 1)


def test_the_trust_file_asks_for_a_witness_that_it_does_not_name(tmp_path: Path) -> None:
    own_key(tmp_path)
    trust = trust_of(tmp_path)
    assert trust.policy == {Role.STEWARD: 1, Role.WITNESS: 1}
    assert [entry.role for entry in trust.keys.values()] == [Role.STEWARD]


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    own_key(tmp_path)
    (tmp_path / "steward.pem").chmod(0o640)
    with pytest.raises(BadInput, match=r"steward.pem: others may read this key. chmod 600"):
        own_key(tmp_path)


def test_the_trust_file_is_signed_by_a_root_of_the_checkout_s_own(tmp_path: Path) -> None:
    key = own_key(tmp_path)
    assert trust_of(tmp_path).root != key.public_key


def test_an_encrypted_key_is_the_checkout_s_and_no_trust_is_made_up_for_it(tmp_path: Path) -> None:
    made = new_key(tmp_path / "steward.pem", lambda _path: b"correct horse battery")
    assert checkout_key(tmp_path, lambda _path: b"correct horse battery").public_key == made.public_key
    assert {path.name for path in tmp_path.iterdir()} == {"steward.pem", "steward.pub"}


@pytest.mark.parametrize("place", ["results/RUN/witness.pem", "images/mambomeme/key.pem", "key.pem"])
def test_a_key_within_a_checkout_lies_among_its_keys_only(tmp_path: Path, place: str) -> None:
    """So that no image is built of it, no result holds it, and git never sees it."""
    (tmp_path / "checkout").mkdir()
    with pytest.raises(BadInput, match="lies in the checkout"):
        key_place(tmp_path / "checkout" / place, tmp_path / "checkout")
    for good in (tmp_path / "checkout/.keys/witness.pem", tmp_path / "witness.pem"):
        assert key_place(good, tmp_path / "checkout") == good
