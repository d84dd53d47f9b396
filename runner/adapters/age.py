"""Seals bytes with age (age-encryption.org/v1), so that any other age tool opens them with the same key."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyrage
from pyrage import x25519

from runner.adapters.keys import create, read_private
from runner.errors import BadInput

_HEADER = b"age-encryption.org/v1\n"
_SECRET = "AGE-SECRET-KEY-1"
#: How pyrage says that none of the keys fits; whatever else it says, the file is damaged.
_NO_KEY = "No matching keys found"


class Identity:
    """A private key; `recipient` is its public half, `age1...`."""

    def __init__(self, key: x25519.Identity) -> None:
        self._key = key
        self.recipient = str(key.to_public())

    def unseal(self, data: bytes, where: str) -> bytes:
        """What `data` holds; BadInput where it is sealed for another key, or is not as it was sealed."""
        if not data.startswith(_HEADER):
            raise BadInput(f"{where}: is not sealed with age, or its beginning is missing.", advice="Restore it.")
        try:
            found: bytes = pyrage.decrypt(data, [self._key])
        except pyrage.DecryptError as error:
            if str(error) == _NO_KEY:
                what = f"{where}: is sealed for another key than {self.recipient}."
                raise BadInput(what, advice="Name the file of the right key with --identity.") from None
            raise BadInput(f"{where}: is damaged or cut short.", advice="Restore it from a copy.") from None
        return found


def seal(data: bytes, recipients: Sequence[str]) -> bytes:
    """`data` for whoever holds the key of one of `recipients`; other bytes each time."""
    sealed: bytes = pyrage.encrypt(data, [_recipient(each) for each in recipients])
    return sealed


def load_identity(path: Path) -> Identity:
    """The key in a file as `age-keygen` writes it, which only its owner may read."""
    lines = read_private(path, "Name the file of the key with --identity.").decode(errors="replace").splitlines()
    secrets = [line.strip() for line in lines if line.startswith(_SECRET)]
    try:
        (secret,) = secrets
        return Identity(x25519.Identity.from_str(secret))
    except (ValueError, pyrage.IdentityError):
        raise BadInput(f"{path}: does not hold one age key.", advice="Make one with `age-keygen`.") from None


def checkout_identity(path: Path) -> Identity:
    """The key at `path`; the first call makes it."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        key = x25519.Identity.generate()
        create(path, f"# public key: {key.to_public()}\n{key}\n".encode())
    return load_identity(path)


def _recipient(text: str) -> x25519.Recipient:
    try:
        return x25519.Recipient.from_str(text)
    except pyrage.RecipientError:
        raise BadInput(f"{text}: is no age recipient.", advice="Give the public key, `age1...`.") from None
