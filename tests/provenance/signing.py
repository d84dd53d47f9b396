"""Keys, statements and envelopes for tests; envelopes are made by the signing library itself, not by ours."""

from __future__ import annotations

import json
from typing import Any

from securesystemslib.dsse import Envelope
from securesystemslib.signer import CryptoSigner

from runner.provenance.card import Standing
from runner.provenance.statement import Card, Row, ScoredRun, Statement, payload, state
from runner.provenance.trust import PublicKey, Role, Trust, TrustedKey

NOW = "2026-12-01T12:00:00Z"
SIGNED_AT = "2026-12-01T10:00:00Z"
CARD = Card(
    standing=Standing.ELIGIBLE,
    rows=(Row(system="bm25", status="PASS", score_millionths=71_000_000, p95_ns=4_000_000, requests=1100),),
)
DIGESTS = {"scorecard.json": "sha256:" + "1" * 64, "raw/bm25/block-000.jsonl": "sha256:" + "2" * 64}

STEWARD, WITNESS, STRANGER = (CryptoSigner.generate_ed25519() for _ in range(3))


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
        "version": 1,
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
