"""The steward's key of this checkout: made on first use, kept for its owner alone, with a trust file beside it."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from securesystemslib.signer import CryptoSigner  # type: ignore[attr-defined]

from runner.errors import BadInput
from runner.provenance.trust import (
    PublicKey,
    Role,
    Trust,
    TrustedKey,
    envelope_bytes,
    pre_authentication_encoding,
)

VALID_DAYS = 730


class KeyFile:
    """A private key in a file."""

    def __init__(self, signer: CryptoSigner) -> None:
        self._signer = signer

    @property
    def public_key(self) -> PublicKey:
        """The key that verifies what this one signs."""
        fields = self._signer.public_key.to_dict()
        return PublicKey.model_validate(fields)

    def sign(self, payload: bytes) -> bytes:
        """The DSSE envelope of `payload`, with this key's signature."""
        signature = self._signer.sign(pre_authentication_encoding(payload))
        return envelope_bytes(payload, [(signature.keyid, bytes.fromhex(signature.signature))])


def checkout_key(folder: Path, role: Role = Role.STEWARD) -> KeyFile:
    """The key of this checkout for `role`; the first call makes it, and its trust file `trust.json`."""
    path = folder / f"{role}.pem"
    if not path.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _create(path, CryptoSigner.generate_ed25519().private_bytes)
    key = load_key(path)
    trust = folder / "trust.json"
    if role is Role.STEWARD and not trust.exists():
        _create(trust, checkout_trust(key.public_key, path).pretty())
    return key


def load_key(path: Path) -> KeyFile:
    """The Ed25519 key in a PEM file that only its owner may read."""
    try:
        if path.stat().st_mode & 0o077:
            raise BadInput(f"{path}: others may read this key.", advice=f"chmod 600 {path}, or make a new one.")
        private = load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}.") from None
    except (ValueError, TypeError):
        raise BadInput(f"{path}: is no unencrypted PEM private key.", advice="Restore it, or move it away.") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise BadInput(f"{path}: is not an Ed25519 key.", advice="Make one with `./bench run keys new`.")
    return KeyFile(CryptoSigner(private))


def checkout_trust(key: PublicKey, path: Path) -> Trust:
    """Trust in this checkout's own key. It asks for a witness too: alone, the key makes no result official.

    Valid from the day before, so that a run that was under way when its key was made can be signed.
    """
    made = datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
    until = _stamp(made + timedelta(days=VALID_DAYS))
    entry = TrustedKey(
        key=key,
        role=Role.STEWARD,
        person="whoever holds this checkout",
        valid_from=_stamp(made - timedelta(days=1)),
        valid_until=until,
        revoked_from=None,
    )
    return Trust(version=1, expires=until, policy={Role.STEWARD: 1, Role.WITNESS: 1}, keys={key.key_id: entry})


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _create(path: Path, data: bytes) -> None:
    """Write a new file for its owner alone; where another process was first, its file stands."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
