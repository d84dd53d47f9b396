"""Private keys in files of their own: made, kept encrypted under a passphrase, and read again."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from securesystemslib.signer import CryptoSigner  # type: ignore[attr-defined]

from runner.errors import BadInput
from runner.provenance.dsse import envelope_bytes, pre_authentication_encoding
from runner.provenance.public_key import PublicKey
from runner.provenance.statement import PAYLOAD_TYPE

#: Gives the passphrase of the key in a file.
Ask = Callable[[Path], bytes]
LEAST = 12
_ENCRYPTED = b"-----BEGIN ENCRYPTED PRIVATE KEY-----"


class KeyFile:
    """A private key in a file."""

    def __init__(self, signer: CryptoSigner) -> None:
        self._signer = signer

    @property
    def public_key(self) -> PublicKey:
        """The key that verifies what this one signs."""
        fields = self._signer.public_key.to_dict()
        return PublicKey.model_validate(fields)

    def sign(self, payload: bytes, kind: str = PAYLOAD_TYPE) -> bytes:
        """The DSSE envelope of `payload`, with this key's signature."""
        signature = self._signer.sign(pre_authentication_encoding(payload, kind))
        return envelope_bytes(payload, kind, [(signature.keyid, bytes.fromhex(signature.signature))])


def new_key(path: Path, ask: Ask) -> KeyFile:
    """A new key in the new file `path`, `<name>.pem`, encrypted; its public half beside it, in `<name>.pub`."""
    if path.suffix != ".pem":
        raise BadInput(f"{path}: a private key's file ends in .pem.", advice=f"Name it {path.stem}.pem.")
    public, made = path.with_suffix(".pub"), Ed25519PrivateKey.generate()
    if public.exists():
        raise _taken(public)
    keep_encrypted(
        path, ask, lambda words: made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(words))
    )
    key = KeyFile(CryptoSigner(made))
    if not create(public, key.public_key.pretty()):
        path.unlink()
        raise _taken(public)
    public.chmod(0o644)
    return key


def new_throw_away(path: Path) -> None:
    """A new key for its owner alone, not encrypted: for results that can be provisional only."""
    made = Ed25519PrivateKey.generate()
    create(path, made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def load_key(path: Path, ask: Ask) -> KeyFile:
    """The key in an encrypted file."""
    data = read_private(path)
    if not data.startswith(_ENCRYPTED):
        raise BadInput(f"{path}: is no encrypted PEM private key.", advice="Make one with `./bench run keys new`.")
    return _key(path, data, ask(path))


def load_own_key(path: Path, ask: Ask) -> KeyFile:
    """The key of this checkout: encrypted, or a throw-away one that is not."""
    data = read_private(path)
    return _key(path, data, ask(path) if data.startswith(_ENCRYPTED) else None)


def keep_encrypted(path: Path, ask: Ask, encrypted: Callable[[bytes], bytes]) -> None:
    """Write a new file for its owner alone: what `encrypted` makes of the passphrase that is asked for."""
    if path.exists():
        raise _taken(path)
    passphrase = ask(path)
    if len(passphrase.strip()) < LEAST:
        raise BadInput(f"{path}: the passphrase has fewer than {LEAST} characters.", advice="Take some words.")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not create(path, encrypted(passphrase)):
        raise _taken(path)


def create(path: Path, data: bytes) -> bool:
    """Write a new file for its owner alone; false where another process was first, whose file stands."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
    return True


def read_private(path: Path, advice: str = "") -> bytes:
    """The bytes of a file that only its owner may read; `advice` is for one that is not there."""
    try:
        if path.stat().st_mode & 0o077:
            raise BadInput(f"{path}: others may read this key.", advice=f"chmod 600 {path}, or make a new one.")
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}.", advice=advice) from None


def _taken(path: Path) -> BadInput:
    return BadInput(f"{path}: exists already.", advice="Keys are never overwritten; name another file.")


def _key(path: Path, data: bytes, passphrase: bytes | None) -> KeyFile:
    try:
        private = load_pem_private_key(data, passphrase)
    except (ValueError, TypeError):
        what = "is no PEM private key" if passphrase is None else "does not open with this passphrase"
        raise BadInput(f"{path}: {what}.", advice="Restore it, or move it away.") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise BadInput(f"{path}: is not an Ed25519 key.", advice="Make one with `./bench run keys new`.")
    return KeyFile(CryptoSigner(private))
