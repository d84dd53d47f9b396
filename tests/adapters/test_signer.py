"""The checkout's key is made once, is its owner's alone, and its trust file verifies what it signs."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from securesystemslib.dsse import Envelope
from securesystemslib.signer import Key

from runner.adapters.signer import checkout_key, load_key
from runner.errors import BadInput
from runner.provenance.trust import Role, Trust


def test_the_first_use_makes_a_key_that_only_its_owner_reads(tmp_path: Path) -> None:
    checkout_key(tmp_path / ".keys")
    assert stat.S_IMODE((tmp_path / ".keys").stat().st_mode) == 0o700
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / ".keys").iterdir()} == {
        "steward.pem": 0o600,
        "trust.json": 0o600,
    }


def test_the_key_stays_the_same(tmp_path: Path) -> None:
    first, trust = checkout_key(tmp_path).public_key, (tmp_path / "trust.json").read_bytes()
    assert checkout_key(tmp_path).public_key == first
    assert (tmp_path / "trust.json").read_bytes() == trust


def test_a_lost_trust_file_is_made_again_alike(tmp_path: Path) -> None:
    checkout_key(tmp_path)
    trust = (tmp_path / "trust.json").read_bytes()
    (tmp_path / "trust.json").unlink()
    checkout_key(tmp_path)
    assert (tmp_path / "trust.json").read_bytes() == trust


def test_the_library_verifies_what_it_signs_with_the_key_of_the_trust_file(tmp_path: Path) -> None:
    key = checkout_key(tmp_path)
    envelope = Envelope.from_dict(json.loads(key.sign(b"payload")))
    trust = Trust.parse((tmp_path / "trust.json").read_bytes(), "trust.json")
    ((key_id, entry),) = trust.keys.items()
    assert envelope.payload == b"payload"
    assert envelope.verify([Key.from_dict(key_id, entry.key.model_dump(mode="json"))], 1)


def test_the_trust_file_asks_for_a_witness_that_it_does_not_name(tmp_path: Path) -> None:
    checkout_key(tmp_path)
    trust = Trust.parse((tmp_path / "trust.json").read_bytes(), "trust.json")
    assert trust.policy == {Role.STEWARD: 1, Role.WITNESS: 1}
    assert [entry.role for entry in trust.keys.values()] == [Role.STEWARD]


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    checkout_key(tmp_path)
    (tmp_path / "steward.pem").chmod(0o640)
    with pytest.raises(BadInput, match=r"steward.pem: others may read this key. chmod 600"):
        checkout_key(tmp_path)


@pytest.mark.parametrize("text", ["", "nonsense", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_what_is_no_key_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "steward.pem"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(BadInput, match=r"steward.pem: is no unencrypted PEM private key"):
        load_key(path)


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "steward.pem"
    rsa = generate_private_key(65537, 2048)
    path.write_bytes(rsa.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    with pytest.raises(BadInput, match="is not an Ed25519 key"):
        load_key(path)


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"witness.pem: cannot be read: No such file"):
        load_key(tmp_path / "witness.pem")
