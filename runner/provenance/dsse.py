"""DSSE envelopes: a payload bound to its type, and who signed it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from pydantic import ConfigDict, Field
from securesystemslib.exceptions import UnverifiedSignatureError, VerificationError
from securesystemslib.signer import Key, Signature  # type: ignore[attr-defined]

from runner.documents import Document
from runner.errors import BadInput, Findings
from runner.provenance.public_key import PublicKey


class EnvelopeSignature(Document):
    """One signature over the pre-authentication encoding."""

    keyid: str
    sig: str


class Envelope(Document):
    """DSSE envelope, read strictly."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)

    payload: str
    payload_type: Annotated[str, Field(alias="payloadType")]
    signatures: Annotated[tuple[EnvelopeSignature, ...], Field(min_length=1)]


class Letter(NamedTuple):
    """An envelope whose signatures were not looked at yet: file, payload, its type, raw signatures by key id."""

    name: str
    payload: bytes
    kind: str
    signatures: dict[str, bytes]

    def hold(self, key: PublicKey) -> None:
        """Findings unless `key`, one of those named, did sign this."""
        try:
            verifier = Key.from_dict(key.key_id, key.model_dump(mode="json"))
            signature = Signature(key.key_id, self.signatures[key.key_id].hex())
            verifier.verify_signature(signature, pre_authentication_encoding(self.payload, self.kind))
        except (UnverifiedSignatureError, VerificationError):
            what = f"{self.name}: the signature of key {key.key_id[:8]} is not over this statement."
            raise Findings(what) from None


def read_envelope(data: bytes, name: str, kind: str) -> Letter:
    """What is in the file `name`; Findings unless it is an envelope for a payload of type `kind`."""
    try:
        envelope = Envelope.parse(data, name)
    except BadInput as error:
        raise Findings(error.what) from None
    if envelope.payload_type != kind:
        raise Findings(f"{name}: payloadType: {envelope.payload_type!r} is not {kind}.")
    signatures = {one.keyid: _decoded(one.sig, f"{name}: signatures") for one in envelope.signatures}
    if len(signatures) < len(envelope.signatures):
        raise Findings(f"{name}: signatures: one key id stands there twice.")
    return Letter(name, _decoded(envelope.payload, f"{name}: payload"), kind, signatures)


def pre_authentication_encoding(payload: bytes, kind: str) -> bytes:
    """What a DSSE signature is over: the payload bound to its type."""
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind.encode(), len(payload), payload)


def envelope_bytes(payload: bytes, kind: str, signatures: Sequence[tuple[str, bytes]]) -> bytes:
    """The envelope of `payload` with signatures (key id, raw signature)."""
    signed = tuple(EnvelopeSignature(keyid=key_id, sig=_base64(sig)) for key_id, sig in signatures)
    return Envelope(payload=_base64(payload), payload_type=kind, signatures=signed).pretty()


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decoded(text: str, where: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Findings(f"{where}: is not base64.") from None
