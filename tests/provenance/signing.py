"""Keys, statements and envelopes for tests; envelopes are made by the signing library itself, not by ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from securesystemslib.dsse import Envelope
from securesystemslib.signer import CryptoSigner

from runner.documents import digest
from runner.provenance.card import Standing
from runner.provenance.public_key import PublicKey
from runner.provenance.statement import (
    Card,
    Row,
    ScoredRun,
    Statement,
    WitnessedRun,
    WitnessStatement,
    attest,
    payload,
    state,
)
from runner.provenance.trust import Role, Trust, TrustedKey

NOW = "2026-12-01T12:00:00Z"
SIGNED_AT = "2026-12-01T10:00:00Z"
CARD = Card(
    standing=Standing.ELIGIBLE,
    rows=(Row(system="bm25", status="PASS", score_millionths=71_000_000, p95_ns=4_000_000, requests=1100),),
)
DIGESTS = {"scorecard.json": "sha256:" + "1" * 64, "raw/bm25/block-000.jsonl": "sha256:" + "2" * 64}

ROOT, STEWARD, WITNESS, STRANGER = (CryptoSigner.generate_ed25519() for _ in range(4))


def no_passphrase(path: Path) -> bytes:
    """For keys that have none."""
    raise AssertionError(f"{path}: asked for a passphrase")


def public(key: CryptoSigner) -> PublicKey:
    return PublicKey.model_validate(key.public_key.to_dict())


def entry(key: CryptoSigner, role: Role, person: str, **changes: Any) -> TrustedKey:
    fields: dict[str, Any] = {
        "key": public(key),
        "role": role,
        "person": person,
        "valid_from": "2026-01-01T00:00:00Z",
        "valid_until": "2027-12-31T00:00:00Z",
        "revoked_from": None,
    }
    return TrustedKey(**{**fields, **changes})


def trust(**changes: Any) -> Trust:
    """A steward and a witness, both asked for."""
    keys = {
        STEWARD.public_key.keyid: entry(STEWARD, Role.STEWARD, "person-1"),
        WITNESS.public_key.keyid: entry(WITNESS, Role.WITNESS, "person-2"),
    }
    fields: dict[str, Any] = {
        "format": "mambomeme/trust/v1",
        "version": 1,
        "root": public(ROOT),
        "issued_at": "2026-01-01T00:00:00Z",
        "expires": "2027-06-01T00:00:00Z",
        "policy": {Role.STEWARD: 1, Role.WITNESS: 1},
        "keys": keys,
    }
    return Trust(**{**fields, **changes})


def with_key(key: CryptoSigner, changed: TrustedKey) -> Trust:
    """The same trust, but for one key."""
    return trust(keys={**trust().keys, key.public_key.keyid: changed})


def statement(**changes: Any) -> Statement:
    run: dict[str, Any] = {
        "run_id": "run-1",
        "card": CARD,
        "signed_at": SIGNED_AT,
        "log_index": 7,
        "log_head": "0" * 64,
    }
    return state(DIGESTS, ScoredRun(**{**run, **changes}))


def signed(*keys: CryptoSigner, body: bytes | None = None, kind: str = "application/vnd.in-toto+json") -> bytes:
    envelope = Envelope(payload(statement()) if body is None else body, kind, {})
    for key in keys:
        envelope.sign(key)
    return json.dumps(envelope.to_dict()).encode()


def witnessed(envelope: bytes, *, run_id: str = "run-1", **changes: Any) -> WitnessStatement:
    """What the witness of `envelope` says, an hour after the steward; the statement is entry 7 of the log."""
    run: dict[str, Any] = {
        "run_id": run_id,
        "signed_at": "2026-12-01T11:00:00Z",
        "log_entries": 9,
        "log_head": "a" * 64,
        "nonce": None,
    }
    return attest(digest(envelope), WitnessedRun(**{**run, **changes}))


def both(steward: bytes | None = None, *keys: CryptoSigner, **changes: Any) -> dict[str, bytes]:
    """The two files of a witnessed result: the steward's, and the witness's over it (by `keys`)."""
    envelope = steward or signed(STEWARD)
    second = signed(*(keys or (WITNESS,)), body=payload(witnessed(envelope, **changes)))
    return {"statement.dsse.json": envelope, "witness.dsse.json": second}
