"""Seals bytes with age (age-encryption.org/v1), so that any other age tool opens them with the same key."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyrage
from pyrage import passphrase, x25519

from runner.adapters.keys import Ask, keep_encrypted, read_private
from runner.errors import BadInput, Unavailable

_HEADER, _ARMOUR = b"age-encryption.org/v1\n", b"-----BEGIN AGE ENCRYPTED FILE-----"
_SECRET = "AGE-SECRET-KEY-1"
#: How pyrage says that none of the keys fits; whatever else it says, the file is damaged.
_NO_KEY = "No matching keys found"
#: How it says that a passphrase does not fit.
_NO_WORDS = "Decryption failed"
#: How it says that this machine would take too long. It measures that anew each time, and a busy machine seems slow.
_TOO_MUCH = "Excessive work parameter for passphrase."
_ESTIMATES = 50
#: Of scrypt, as a power of two; `age` takes 18.
_LEAST_WORK = 16
_MAKE = "Make one with `./bench run keys age`."
_REFUSED = {
    _TOO_MUCH: ("takes too long to open on this machine", "Try again when it is less busy, or on a faster one."),
    _NO_WORDS: ("does not open with this passphrase", "Try again, or restore the file from a copy."),
    _NO_KEY: ("is sealed for a key, not by a passphrase", _MAKE),
}


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


def new_identity(path: Path, ask: Ask) -> Identity:
    """A new key in the new file `path`, encrypted as `age --passphrase` does."""
    if path.suffix == ".pub":
        raise BadInput(f"{path}: is the name of a public key.", advice="Name another file; this one is secret.")
    key = x25519.Identity.generate()
    text = f"# public key: {key.to_public()}\n{key}\n".encode()
    keep_encrypted(path, ask, lambda words: _encrypted(path, text, _text(path, words)))
    return Identity(key)


def load_identity(path: Path, ask: Ask) -> Identity:
    """The key in a file that only its owner may read: as `age-keygen` writes it, or that encrypted by a passphrase."""
    data = read_private(path, "Name the file of the key with --identity.")
    plain = _opened(path, data, ask) if data.startswith((_HEADER, _ARMOUR)) else data
    secrets = [line.strip() for line in plain.decode(errors="replace").splitlines() if line.startswith(_SECRET)]
    try:
        (secret,) = secrets
        return Identity(x25519.Identity.from_str(secret))
    except (ValueError, pyrage.IdentityError):
        raise BadInput(f"{path}: does not hold one age key.", advice=_MAKE) from None


def checkout_identity(path: Path, ask: Ask, new: Ask) -> Identity:
    """The key at `path`; the first call makes it, encrypted by the passphrase that `new` gives."""
    return load_identity(path, ask) if path.exists() else new_identity(path, new)


def _encrypted(path: Path, text: bytes, words: str) -> bytes:
    """By a work factor that is worth it; the library chooses it by how fast the machine seems."""
    for _ in range(_ESTIMATES):
        made: bytes = passphrase.encrypt(text, words)
        stanza = made.split(b"\n", 2)[1]
        if int(stanza.rpartition(b" ")[2]) >= _LEAST_WORK:
            return made
    what = f"{path}: this machine is too busy to make a key whose passphrase is hard to guess."
    raise Unavailable(what, advice="Try again when it is less busy.")


def _opened(path: Path, data: bytes, ask: Ask) -> bytes:
    words, said = _text(path, ask(path)), ""
    for _ in range(_ESTIMATES):
        try:
            found: bytes = passphrase.decrypt(data, words)
        except pyrage.DecryptError as error:
            said = str(error).partition("\n")[0]
            if said != _TOO_MUCH:
                break
        else:
            return found
    what, advice = _REFUSED.get(said, ("is damaged or cut short", "Restore it from a copy."))
    raise BadInput(f"{path}: {what}.", advice=advice)


def _text(path: Path, words: bytes) -> str:
    try:
        return words.decode()
    except UnicodeDecodeError:
        raise BadInput(f"{path}: its passphrase is not UTF-8.", advice="Save the file that holds it as such.") from None


def _recipient(text: str) -> x25519.Recipient:
    try:
        return x25519.Recipient.from_str(text)
    except pyrage.RecipientError:
        raise BadInput(f"{text}: is no age recipient.", advice="Give the public key, `age1...`.") from None
