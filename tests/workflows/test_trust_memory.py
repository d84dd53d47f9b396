"""A checkout that has seen a newer trust file no longer takes an older one, whatever became of what it looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from runner.adapters.keys import load_own_key
from runner.cli import app
from runner.errors import CannotDecide
from runner.workflows.trust import begin, renew, sign_trust
from tests.provenance.signing import no_passphrase


def test_a_newer_trust_file_is_remembered_though_the_result_is_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / "root.pem"
    secret = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    key.write_bytes(secret)
    key.chmod(0o600)
    signer = load_own_key(key, no_passphrase)
    first = begin(signer.public_key, "2026-01-01T00:00:00Z", 3650)
    for name, trust in (("old", first), ("new", renew(first, "2026-01-02T00:00:00Z", 3650))):
        (tmp_path / f"{name}.json").write_bytes(sign_trust(trust, signer))
    (tmp_path / "result").mkdir()
    monkeypatch.setattr("runner.shell.ROOT", tmp_path)

    def verify(name: str) -> None:
        words = ["verify", str(tmp_path / "result"), "--trust", str(tmp_path / f"{name}.json")]
        app(words, standalone_mode=False)

    with pytest.raises(CannotDecide, match="never sealed"):
        verify("new")
    with pytest.raises(CannotDecide, match=r"is version 1, but version 2 of root .{8} was seen before"):
        verify("old")
