"""A trust file is what its root signed, is never older than one seen before, and names no key that proves nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from securesystemslib.dsse import Envelope

from runner.documents import Source, canonical_bytes
from runner.errors import BadInput, CannotDecide
from runner.provenance.trust import (
    OFFICIAL,
    Memory,
    Role,
    Signer,
    Trust,
    hold_current,
    open_trust,
    remember,
    shortfall,
)
from tests.provenance.signing import NOW, ROOT, STEWARD, STRANGER, WITNESS, entry, public, trust

TYPE = "application/vnd.mambomeme.trust+json"
NOTHING = Memory(format="mambomeme/seen/v1", roots={})


def sealed(value: Trust | dict[str, Any], key: Any = ROOT, kind: str = TYPE) -> Source:
    """A trust file as the signing library itself makes it."""
    plain = value if isinstance(value, dict) else value.model_dump(mode="json")
    envelope = Envelope(canonical_bytes(plain), kind, {})
    envelope.sign(key)
    return Source("trust.json", json.dumps(envelope.to_dict()).encode())


def edited(path: str, to: Any) -> dict[str, Any]:
    """The trust with one field changed, before it is signed: the holder of the root key is wrong, or lies."""
    value: dict[str, Any] = trust().model_dump(mode="json")
    *way, last = path.replace("STEWARD", STEWARD.public_key.keyid).split(".")
    place = value
    for step in way:
        place = place[step]
    place[last] = to
    return value


def test_what_the_root_signed_is_the_trust() -> None:
    assert open_trust(sealed(trust())) == trust()


@pytest.mark.parametrize("key", [STEWARD, STRANGER])
def test_another_key_than_the_root_cannot_sign_it(key: Any) -> None:
    with pytest.raises(BadInput, match=r"trust.json: is not signed by its root key"):
        open_trust(sealed(trust(), key))


def test_a_changed_trust_file_is_refused() -> None:
    more = trust(keys={**trust().keys, STRANGER.public_key.keyid: entry(STRANGER, Role.WITNESS, "person-3")})
    signatures = json.loads(sealed(trust()).data)["signatures"]
    forged = {**json.loads(sealed(more).data), "signatures": signatures}
    with pytest.raises(BadInput, match="is not over this statement"):
        open_trust(Source("trust.json", json.dumps(forged).encode()))


def test_a_signature_for_something_else_is_none_for_trust() -> None:
    with pytest.raises(BadInput, match=r"payloadType: 'application/vnd.in-toto"):
        open_trust(sealed(trust(), kind="application/vnd.in-toto+json"))


def test_a_file_that_nobody_signed_is_refused() -> None:
    with pytest.raises(BadInput, match=r"trust.json: "):
        open_trust(Source("trust.json", trust().pretty()))


@pytest.mark.parametrize(
    ("path", "to", "why"),
    [
        ("expires", "2027-02-30T00:00:00Z", "expires"),
        ("expires", "2026-01-01T00:00:00Z", "expires: .* is not after it was issued"),
        ("issued_at", "2026-00-01T00:00:00Z", "issued_at"),
        ("keys.STEWARD.valid_from", "0000-01-01T00:00:00Z", "valid_from"),
        ("keys.STEWARD.valid_until", "2026-01-01T00:00:00Z", "valid_until is not after valid_from"),
        ("keys.STEWARD.valid_until", "9999-99-99T99:99:99Z", "valid_until"),
        ("keys.STEWARD.person", " ", "person"),
        ("keys.STEWARD.person", "Ann\nroot aaaa", "person"),
        ("keys.STEWARD.person", "Ann\x1b[2J", "person"),
        ("keys.STEWARD.person", "\u202ennA", "person"),
        ("keys.STEWARD.person", "Ann\x9b2J", "person"),
        ("keys.STEWARD.revoked_from", -1, "revoked_from"),
        ("policy.witness", 0, "policy.witness"),
        ("version", 0, "version"),
        ("more", 1, "more"),
    ],
)
def test_a_field_that_means_nothing_is_refused_though_the_root_signed_it(path: str, to: Any, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        open_trust(sealed(edited(path, to)))


def test_a_root_key_cannot_be_a_steward_too() -> None:
    with pytest.raises(BadInput, match="the root key stands among them"):
        open_trust(sealed(trust(keys={ROOT.public_key.keyid: entry(ROOT, Role.STEWARD, "person-1")})))


#: The neutral point and those of order 2, 4 and 8; last one that is on no curve, and one that is spelled too large.
WEAK = [
    "01" + "00" * 31,
    "ec" + "ff" * 30 + "7f",
    "00" * 32,
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "02" + "00" * 31,
    "ee" + "ff" * 30 + "7f",
]


@pytest.mark.parametrize("public_hex", WEAK)
def test_a_key_under_which_anybody_signs_is_refused(public_hex: str) -> None:
    value = {"keytype": "ed25519", "scheme": "ed25519", "keyval": {"public": public_hex}}
    with pytest.raises(BadInput, match="is no Ed25519 public key that a signature can be held against"):
        open_trust(sealed(edited("keys.STEWARD.key", value)))


def test_the_danger_is_real_the_library_takes_such_a_signature_over_anything() -> None:
    forged = bytes.fromhex("01" + "00" * 31) + bytes(32)
    for words in (b"one", b"other"):
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(WEAK[0])).verify(forged, words)


def test_it_is_current_from_its_issue_to_its_end() -> None:
    hold_current(trust(), NOW)
    with pytest.raises(CannotDecide, match="expired at 2027-06-01"):
        hold_current(trust(), "2027-06-01T00:00:01Z")
    with pytest.raises(CannotDecide, match="was issued at 2026-01-01T00:00:00Z, which is to come"):
        hold_current(trust(), "2025-12-31T23:59:59Z")


def test_a_trust_file_rolled_back_is_refused() -> None:
    """Version 3 revoked a key; whoever has it shows version 2."""
    memory = remember(NOTHING, trust(version=3))
    assert remember(memory, trust(version=3)) == memory
    with pytest.raises(CannotDecide, match=r"is version 2, but version 3 of root .{8} was seen before"):
        remember(memory, trust(version=2))
    assert remember(memory, trust(version=4)).roots[ROOT.public_key.keyid].version == 4


def test_two_trust_files_of_one_version_are_found() -> None:
    memory = remember(NOTHING, trust(version=3))
    with pytest.raises(CannotDecide, match="is another version 3"):
        remember(memory, trust(version=3, expires="2027-07-01T00:00:00Z"))


def test_another_root_is_another_matter() -> None:
    memory = remember(NOTHING, trust(version=3))
    assert len(remember(memory, trust(root=public(WITNESS), keys={})).roots) == 2


@pytest.mark.parametrize(
    ("signers", "need", "lacking"),
    [
        ("sA wB", (1, 1), ()),
        ("sA wA", (1, 1), ("one person signed in two roles",)),
        # B alone is enough, whatever A signed besides.
        ("sA wA wB", (1, 1), ()),
        ("sA sB wA", (1, 1), ()),
        ("sA sB wA wB", (1, 1), ()),
        ("sA sB wA wB", (2, 1), ("one person signed in two roles",)),
        ("sA sB wA wC", (2, 1), ()),
        ("sA", (1, 1), ("1 signature as witness needed, 0 found",)),
    ],
)
def test_each_role_is_filled_by_persons_of_its_own(
    signers: str, need: tuple[int, int], lacking: tuple[str, ...]
) -> None:
    """Worked by hand: who could stand for which role, nobody twice."""
    roles = {"s": Role.STEWARD, "w": Role.WITNESS}
    found = [Signer(key_id=each, role=roles[each[0]], person=each[1:]) for each in signers.split()]
    assert shortfall(found, {Role.STEWARD: need[0], Role.WITNESS: need[1]}) == lacking


@pytest.mark.parametrize(
    ("one", "other"),
    [("Jos\u00e9", "Jose\u0301"), ("\ufb01na", "FINA"), ("Ann\u00a0Lee", "ann lee"), ("Stra\u00dfe", "STRASSE")],
)
def test_one_person_is_one_however_the_name_is_written(one: str, other: str) -> None:
    signers = [Signer("1", Role.STEWARD, one), Signer("2", Role.WITNESS, other)]
    assert shortfall(signers, OFFICIAL) == ("one person signed in two roles",)
