"""A private key lies encrypted in a file of its own, is made once, and opens to its passphrase alone."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from securesystemslib.dsse import Envelope
from securesystemslib.signer import Key

from runner.adapters.keys import load_key, load_own_key, new_key, new_throw_away
from runner.errors import BadInput
from runner.provenance.public_key import PublicKey
from runner.shell import ROOT
from tests.adapters.at_terminal import typed
from tests.provenance.signing import no_passphrase

WORDS = b"correct horse battery"


def words(_path: Path) -> bytes:
    return WORDS


def test_a_new_key_is_encrypted_and_its_owner_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys/witness.pem"
    made = new_key(path, words)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path.read_bytes().startswith(b"-----BEGIN ENCRYPTED PRIVATE KEY-----")
    with pytest.raises(TypeError, match="encrypted"):
        load_pem_private_key(path.read_bytes(), None)
    assert PublicKey.parse(path.with_suffix(".pub").read_bytes(), "pub") == made.public_key
    assert load_key(path, words).public_key == made.public_key


def test_another_program_opens_it_too(tmp_path: Path) -> None:
    """What the keys page says of a lost program: OpenSSL reads it."""
    made = new_key(tmp_path / "k.pem", words)
    command = ["openssl", "pkey", "-in", str(tmp_path / "k.pem"), "-passin", "stdin", "-pubout", "-outform", "DER"]
    shown = subprocess.run(command, input=WORDS + b"\n", capture_output=True, check=True).stdout
    assert shown[-32:].hex() == made.public_key.keyval.public


def test_the_library_verifies_what_it_signs(tmp_path: Path) -> None:
    key = new_key(tmp_path / "k.pem", words)
    envelope = Envelope.from_dict(json.loads(key.sign(b"payload", "text/plain")))
    public = Key.from_dict(key.public_key.key_id, key.public_key.model_dump(mode="json"))
    assert (envelope.payload, envelope.payload_type) == (b"payload", "text/plain")
    assert envelope.verify([public], 1)


@pytest.mark.parametrize("name", ["k.pem", "k.pub"])
def test_nothing_is_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(BadInput, match=f"{name}: exists already"):
        new_key(tmp_path / "k.pem", words)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("name", ["witness.pub", "witness", "witness.key", ".pem", "witness.pem.txt"])
def test_a_private_key_is_never_in_a_file_that_is_taken_for_something_else(tmp_path: Path, name: str) -> None:
    """`.pub` files are handed out."""
    with pytest.raises(BadInput, match=r"a private key's file ends in \.pem"):
        new_key(tmp_path / name, words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["k.pem", "k.pub"])
def test_where_another_process_is_faster_its_files_stand_and_no_key_is_told(tmp_path: Path, name: str) -> None:
    """It comes while the passphrase is typed."""

    def meanwhile(_path: Path) -> bytes:
        (tmp_path / name).write_text("theirs")
        return WORDS

    with pytest.raises(BadInput, match=f"{name}: exists already"):
        new_key(tmp_path / "k.pem", meanwhile)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["theirs"]


def test_a_short_passphrase_makes_no_key(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="fewer than 12 characters"):
        new_key(tmp_path / "k.pem", lambda _path: b"elevenchars")
    assert list(tmp_path.iterdir()) == []


def test_another_passphrase_does_not_open_it(tmp_path: Path) -> None:
    new_key(tmp_path / "k.pem", words)
    with pytest.raises(BadInput, match=r"k.pem: does not open with this passphrase"):
        load_key(tmp_path / "k.pem", lambda _path: b"incorrect horse battery")


def test_a_key_that_is_not_encrypted_is_for_the_checkout_only(tmp_path: Path) -> None:
    path = tmp_path / "steward.pem"
    new_throw_away(path)
    assert load_own_key(path, no_passphrase).public_key
    with pytest.raises(BadInput, match=r"steward.pem: is no encrypted PEM private key. Make one with"):
        load_key(path, words)


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "k.pem"
    new_key(path, words)
    path.chmod(0o640)
    with pytest.raises(BadInput, match=r"k.pem: others may read this key. chmod 600"):
        load_key(path, words)


@pytest.mark.parametrize("text", ["", "nonsense", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_what_is_no_key_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "k.pem"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(BadInput, match=r"k.pem: is no PEM private key"):
        load_own_key(path, no_passphrase)


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "k.pem"
    rsa = generate_private_key(65537, 2048)
    path.write_bytes(rsa.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(WORDS)))
    path.chmod(0o600)
    with pytest.raises(BadInput, match="is not an Ed25519 key"):
        load_key(path, words)


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"witness.pem: cannot be read: No such file"):
        load_key(tmp_path / "witness.pem", words)


def test_it_is_asked_for_at_a_terminal_twice_and_not_shown(tmp_path: Path) -> None:
    status, shown = typed(["keys", "new", tmp_path / "k.pem"], ("New passphrase of", "Once more of"), WORDS.decode())
    assert status == 0
    assert WORDS.decode() not in shown
    assert load_key(tmp_path / "k.pem", words).public_key.key_id in shown


def test_without_a_terminal_it_says_where_a_passphrase_may_stand(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "runner", "keys", "new", str(tmp_path / "k.pem")],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (64, "")
    assert "needs its passphrase. Type it at a terminal, or set MAMBO_PASSPHRASE_FILE" in done.stderr


@pytest.mark.parametrize("where", ["MAMBO_PASSPHRASE", "MAMBO_PASSPHRASE_FILE"])
def test_a_passphrase_may_come_from_the_environment(tmp_path: Path, where: str) -> None:
    (tmp_path / "words").write_bytes(WORDS + b"\n")
    value = WORDS.decode() if where == "MAMBO_PASSPHRASE" else str(tmp_path / "words")
    command = [sys.executable, "-m", "runner", "keys", "new", str(tmp_path / "k.pem")]
    subprocess.run(command, cwd=ROOT, env={**os.environ, where: value}, capture_output=True, check=True)
    assert load_key(tmp_path / "k.pem", words).public_key
