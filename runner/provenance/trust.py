"""Decides which signatures count: nobody holds a Statement whose envelope did not hold."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Literal, NamedTuple

from pydantic import ConfigDict, Field
from securesystemslib.exceptions import UnverifiedSignatureError, VerificationError
from securesystemslib.signer import Key, Signature  # type: ignore[attr-defined]

from runner.documents import Document, canonical_bytes, digest
from runner.errors import BadInput, CannotDecide, Findings
from runner.provenance.statement import PAYLOAD_TYPE, Count, Stamp, Statement

KeyId = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Role(StrEnum):
    """What a signature stands for."""

    STEWARD = "steward"
    WITNESS = "witness"


Policy = Mapping[Role, int]
#: What makes a result signed, and the least that makes it official; a trust file may ask for more.
SIGNED: Policy = {Role.STEWARD: 1}
OFFICIAL: Policy = {Role.STEWARD: 1, Role.WITNESS: 1}


class KeyValue(Document):
    """The public key, hex."""

    public: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class PublicKey(Document):
    """A public key as securesystemslib writes it; its digest is its name."""

    keytype: Literal["ed25519"]
    scheme: Literal["ed25519"]
    keyval: KeyValue

    @property
    def key_id(self) -> str:
        """Hex sha256 of the canonical key."""
        return digest(self.canonical()).removeprefix("sha256:")


class TrustedKey(Document):
    """Whose key, for which role, and when its signatures count: a revoked key's before `revoked_from` in the log."""

    key: PublicKey
    role: Role
    person: Annotated[str, Field(min_length=1)]
    valid_from: Stamp
    valid_until: Stamp
    revoked_from: Count | None


class Trust(Document):
    """The trust file: it comes from whoever verifies, never from the bundle."""

    version: Literal[1]
    expires: Stamp
    policy: dict[Role, Annotated[int, Field(ge=1)]]
    keys: dict[KeyId, TrustedKey]


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


class Signer(NamedTuple):
    """A signature that counts."""

    key_id: str
    role: Role
    person: str


class Signed(NamedTuple):
    """A statement that was signed, by whom, and which signatures did not count and why."""

    statement: Statement
    signers: tuple[Signer, ...]
    notes: tuple[str, ...]


class _Opened(NamedTuple):
    """The payload all envelopes share, and the trusted keys whose signatures over it hold."""

    payload: bytes
    keys: Mapping[str, TrustedKey]
    notes: tuple[str, ...]


def open_envelopes(files: Mapping[str, bytes], trust: Trust, now: str, need: Policy) -> Signed:
    """The statement in `files` (envelopes by name, all over one payload), signed as `need` has it at `now`.

    Findings where a signature or the payload is wrong; CannotDecide where no known key signed or the file has expired.
    """
    check_trust(trust, now)
    opened = _check_signatures(files, trust)
    statement = _parse(opened.payload, next(iter(files)))
    signers, notes = _count(statement, opened.keys)
    missing = shortfall(signers, need)
    if missing:
        raise Findings(f"{' and '.join(files)}: {'; '.join((*missing, *notes, *opened.notes))}.")
    return Signed(statement, signers, (*notes, *opened.notes))


def check_trust(trust: Trust, now: str) -> None:
    """Refuse a trust file that is over, names a key twice, or names a key by another's digest."""
    if trust.expires < now:
        raise CannotDecide(f"trust file: expired at {trust.expires}.", advice="Get the current one.")
    publics = [entry.key.keyval.public for entry in trust.keys.values()]
    if len(set(publics)) < len(publics):
        raise BadInput("trust file: keys: one public key stands under two key ids.", advice="Keep one of them.")
    for key_id, entry in trust.keys.items():
        if entry.key.key_id != key_id:
            raise BadInput(f"trust file: keys.{key_id}: is not the digest of its key, {entry.key.key_id}.")


def shortfall(signers: Sequence[Signer], need: Policy) -> tuple[str, ...]:
    """What `need` asks for and `signers` lack; each role by persons of its own."""
    persons = {role: {signer.person for signer in signers if signer.role is role} for role in need}
    missing = [
        f"{count} signature{'s' if count > 1 else ''} as {role} needed, {len(persons[role])} found"
        for role, count in need.items()
        if len(persons[role]) < count
    ]
    if not missing and len(set().union(*persons.values())) < sum(map(len, persons.values())):
        missing = ["one person signed in two roles"]
    return tuple(missing)


def pre_authentication_encoding(payload: bytes) -> bytes:
    """What a DSSE signature is over: the payload bound to its type."""
    kind = PAYLOAD_TYPE.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def envelope_bytes(payload: bytes, signatures: Sequence[tuple[str, bytes]]) -> bytes:
    """The envelope of `payload` with signatures (key id, raw signature)."""
    signed = tuple(EnvelopeSignature(keyid=key_id, sig=_base64(sig)) for key_id, sig in signatures)
    return Envelope(payload=_base64(payload), payload_type=PAYLOAD_TYPE, signatures=signed).pretty()


def _check_signatures(files: Mapping[str, bytes], trust: Trust) -> _Opened:
    payloads: set[bytes] = set()
    keys: dict[str, TrustedKey] = {}
    notes: list[str] = []
    for name, data in files.items():
        payload, signatures = _parse_envelope(data, name)
        payloads.add(payload)
        for key_id, sig in signatures:
            if key_id not in trust.keys:
                notes.append(f"key {key_id[:8]} is not in the trust file")
                continue
            _check_signature(trust.keys[key_id].key, payload, sig, name)
            keys[key_id] = trust.keys[key_id]
    if not keys:
        raise CannotDecide(f"{' and '.join(files)}: {'; '.join(notes)}.", advice="Get the trust file of its steward.")
    if len(payloads) > 1:
        raise Findings(f"{' and '.join(files)}: they are not over the same statement.")
    return _Opened(payloads.pop(), keys, tuple(notes))


def _parse_envelope(data: bytes, name: str) -> tuple[bytes, list[tuple[str, bytes]]]:
    try:
        envelope = Envelope.parse(data, name)
    except BadInput as error:
        raise Findings(error.what) from None
    if envelope.payload_type != PAYLOAD_TYPE:
        raise Findings(f"{name}: payloadType: {envelope.payload_type!r} is not {PAYLOAD_TYPE}.")
    key_ids = [signature.keyid for signature in envelope.signatures]
    if len(set(key_ids)) < len(key_ids):
        raise Findings(f"{name}: signatures: one key id stands there twice.")
    signatures = [(one.keyid, _decoded(one.sig, f"{name}: signatures")) for one in envelope.signatures]
    return _decoded(envelope.payload, f"{name}: payload"), signatures


def _check_signature(key: PublicKey, payload: bytes, sig: bytes, name: str) -> None:
    try:
        verifier = Key.from_dict(key.key_id, key.model_dump(mode="json"))
        verifier.verify_signature(Signature(key.key_id, sig.hex()), pre_authentication_encoding(payload))
    except (UnverifiedSignatureError, VerificationError):
        raise Findings(f"{name}: the signature of key {key.key_id[:8]} is not over this statement.") from None


def _parse(payload: bytes, name: str) -> Statement:
    """Only reached once a trusted key has signed these bytes."""
    try:
        statement = Statement.parse(payload, f"{name}: payload")
    except BadInput as error:
        raise Findings(error.what) from None
    if len(statement.digests) < len(statement.subject):
        raise Findings(f"{name}: payload: subject: one file stands there twice.")
    if canonical_bytes(statement.model_dump(mode="json")) != payload:
        raise Findings(f"{name}: payload: is not in its canonical form.")
    return statement


def _count(statement: Statement, keys: Mapping[str, TrustedKey]) -> tuple[tuple[Signer, ...], tuple[str, ...]]:
    signers, notes = [], []
    for key_id, entry in sorted(keys.items()):
        why_not = _uncounted(statement, entry)
        if why_not:
            notes.append(f"key {key_id[:8]} {why_not}")
        else:
            signers.append(Signer(key_id, entry.role, entry.person))
    return tuple(signers), tuple(notes)


def _uncounted(statement: Statement, entry: TrustedKey) -> str | None:
    run = statement.predicate
    if not entry.valid_from <= run.signed_at <= entry.valid_until:
        return f"was not valid at {run.signed_at}"
    if entry.revoked_from is not None and run.log_index >= entry.revoked_from:
        return f"is revoked from entry {entry.revoked_from} of the log on"
    return None


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decoded(text: str, where: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Findings(f"{where}: is not base64.") from None
