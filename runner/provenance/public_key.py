"""Ed25519 public keys, refused where a signature by them would prove nothing."""

from __future__ import annotations

from typing import Annotated, Literal

from nacl.bindings import crypto_core_ed25519_is_valid_point
from pydantic import AfterValidator, Field

from runner.documents import Document, digest


def _of_use(public: str) -> str:
    """`public`, if it is a point of the main group: under one of small order anybody can sign anything."""
    if not crypto_core_ed25519_is_valid_point(bytes.fromhex(public)):
        raise ValueError("is no Ed25519 public key that a signature can be held against")
    return public


class KeyValue(Document):
    """The public key, hex."""

    public: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), AfterValidator(_of_use)]


class PublicKey(Document):
    """A public key as securesystemslib writes it; its digest is its name."""

    keytype: Literal["ed25519"]
    scheme: Literal["ed25519"]
    keyval: KeyValue

    @property
    def key_id(self) -> str:
        """Hex sha256 of the canonical key."""
        return digest(self.canonical()).removeprefix("sha256:")
