"""A statement is handed out only if its signatures are what they claim; every known forgery is refused."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from securesystemslib.dsse import Envelope

from runner.documents import canonical_bytes
from runner.errors import BadInput, CannotDecide, Findings
from runner.provenance.dsse import envelope_bytes, pre_authentication_encoding
from runner.provenance.signatures import Signed, open_envelopes
from runner.provenance.statement import PAYLOAD_TYPE, payload
from runner.provenance.trust import OFFICIAL, SIGNED, Policy, Role, Trust
from tests.provenance.signing import (
    NOW,
    STEWARD,
    STRANGER,
    WITNESS,
    both,
    entry,
    public,
    signed,
    statement,
    trust,
    with_key,
    witnessed,
)

Files = dict[str, bytes]


def opened(files: Files | bytes, given: Trust | None = None, *, now: str = NOW, need: Policy = OFFICIAL) -> Signed:
    """The steward's envelope alone, or both."""
    named = {"statement.dsse.json": files} if isinstance(files, bytes) else files
    return open_envelopes(named, given or trust(), now, need)


def altered(data: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    value = json.loads(data)
    change(value)
    return json.dumps(value).encode()


def test_a_steward_s_and_a_witness_s_signature_are_accepted() -> None:
    found = opened(both())
    assert found.statement == statement()
    assert found.witnessed == witnessed(both()["statement.dsse.json"]).predicate
    assert [(signer.role, signer.person) for signer in found.signers] == [
        (Role.STEWARD, "person-1"),
        (Role.WITNESS, "person-2"),
    ]


def test_a_steward_alone_has_signed_but_not_made_official() -> None:
    assert {signer.role for signer in opened(signed(STEWARD), need=SIGNED).signers} == {Role.STEWARD}
    with pytest.raises(Findings, match="1 signature as witness needed, 0 found"):
        opened(signed(STEWARD))


def test_a_witness_s_signature_in_the_steward_s_file_does_not_count() -> None:
    found = opened(signed(STEWARD, WITNESS), need=SIGNED)
    assert [signer.role for signer in found.signers] == [Role.STEWARD]
    assert found.notes == (f"key {WITNESS.public_key.keyid[:8]} is a witness's and cannot sign as steward",)


def test_another_payload_type_is_refused() -> None:
    with pytest.raises(Findings, match=r"statement.dsse.json: payloadType: 'text/plain'"):
        opened(both(signed(STEWARD, kind="text/plain")))


def test_another_payload_type_of_the_witness_is_refused() -> None:
    files = both()
    files["witness.dsse.json"] = signed(WITNESS, kind="text/plain")
    with pytest.raises(Findings, match=r"witness.dsse.json: payloadType: 'text/plain'"):
        opened(files, need=SIGNED)


def test_a_payload_type_that_was_not_signed_is_refused() -> None:
    data = altered(
        signed(STEWARD, kind="text/plain"), lambda value: value.update(payloadType="application/vnd.in-toto+json")
    )
    with pytest.raises(Findings, match="is not over this statement"):
        opened(data)


def test_one_key_under_two_key_ids_is_refused() -> None:
    twice = trust(keys={**trust().keys, "d" * 64: entry(STEWARD, Role.WITNESS, "person-3")})
    with pytest.raises(BadInput, match="one public key stands under two key ids"):
        opened(both(), twice)


def test_a_key_id_that_is_not_its_key_s_is_refused() -> None:
    keys = {STRANGER.public_key.keyid: entry(STEWARD, Role.STEWARD, "person-1")}
    with pytest.raises(BadInput, match="is not the digest of its key"):
        opened(signed(STEWARD), trust(keys=keys))


def test_a_garbage_second_signature_is_refused_though_one_suffices() -> None:
    def garble(value: dict[str, Any]) -> None:
        value["signatures"][-1]["sig"] = base64.b64encode(b"\0" * 64).decode()

    files = both()
    for spoilt in (
        {"statement.dsse.json": altered(signed(STEWARD, WITNESS), garble)},
        {**files, "witness.dsse.json": altered(files["witness.dsse.json"], garble)},
    ):
        with pytest.raises(Findings, match="the signature of key"):
            opened(spoilt, need=SIGNED)


def test_a_signature_of_another_length_is_refused() -> None:
    def cut(value: dict[str, Any]) -> None:
        value["signatures"][0]["sig"] = ""

    with pytest.raises(Findings, match="the signature of key"):
        opened(altered(signed(STEWARD, WITNESS), cut))


@pytest.mark.parametrize(("revoked_from", "counts"), [(5, False), (7, False), (8, True)])
def test_a_revoked_key_counts_before_its_revocation_in_the_log(revoked_from: int, counts: bool) -> None:
    """The statement is entry 7."""
    given = with_key(STEWARD, entry(STEWARD, Role.STEWARD, "person-1", revoked_from=revoked_from))
    if counts:
        assert len(opened(signed(STEWARD), given, need=SIGNED).signers) == 1
    else:
        with pytest.raises(Findings, match=f"is revoked from entry {revoked_from} of the log on"):
            opened(signed(STEWARD), given, need=SIGNED)


@pytest.mark.parametrize(("revoked_from", "counts"), [(7, False), (8, False), (9, True)])
def test_a_revoked_witness_counts_by_the_log_that_it_read(revoked_from: int, counts: bool) -> None:
    """It read nine entries, up to number 8, though the statement is entry 7: it signed after the key was lost."""
    given = with_key(WITNESS, entry(WITNESS, Role.WITNESS, "person-2", revoked_from=revoked_from))
    found = opened(both(), given, need=SIGNED)
    assert (found.witnessed is not None, len(found.signers)) == (counts, 1 + counts)


@pytest.mark.parametrize("person", ["person-1", " Person-1 "])
def test_one_person_cannot_fill_two_roles(person: str) -> None:
    with pytest.raises(Findings, match="one person signed in two roles"):
        opened(both(), with_key(WITNESS, entry(WITNESS, Role.WITNESS, person)))


def test_one_key_cannot_sign_in_two_roles() -> None:
    with pytest.raises(Findings, match="is a steward's and cannot sign as witness"):
        opened(both(None, STEWARD))


def test_a_changed_statement_is_refused() -> None:
    def change(value: dict[str, Any]) -> None:
        value["payload"] = base64.b64encode(payload(statement(run_id="run-2"))).decode()

    with pytest.raises(Findings, match="is not over this statement"):
        opened(altered(signed(STEWARD, WITNESS), change))


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"_type":"x","_type":"https://in-toto.io/Statement/v1"}', "key '_type' stands twice"),
        (b'{"p":NaN}', "NaN is not a number"),
        (b"[]", "payload"),
        (b"", "not JSON"),
        (canonical_bytes({**statement().model_dump(mode="json"), "more": 1}), "more: Extra inputs"),
        (canonical_bytes({**statement().model_dump(mode="json"), "predicateType": "x"}), "predicateType"),
        (canonical_bytes({**statement().model_dump(mode="json"), "_type": "x"}), "_type"),
        (json.dumps(statement().model_dump(mode="json")).encode(), "is not in its canonical form"),
    ],
)
def test_a_signed_payload_is_still_read_strictly(body: bytes, why: str) -> None:
    with pytest.raises(Findings, match=why):
        opened(signed(STEWARD, body=body), need=SIGNED)


def test_a_file_named_twice_is_refused() -> None:
    value = statement().model_dump(mode="json")
    value["subject"].append(value["subject"][0])
    with pytest.raises(Findings, match="one file stands there twice"):
        opened(signed(STEWARD, WITNESS, body=canonical_bytes(value)))


def test_an_expired_trust_file_decides_nothing() -> None:
    with pytest.raises(CannotDecide, match="expired at 2027-06-01"):
        opened(signed(STEWARD, WITNESS), now="2028-01-01T00:00:00Z")


def test_an_unknown_signer_beside_known_ones_is_noted() -> None:
    found = opened(signed(STEWARD, STRANGER), need=SIGNED)
    assert found.notes == (f"key {STRANGER.public_key.keyid[:8]} is not in the trust file",)


def test_unknown_signers_alone_decide_nothing() -> None:
    with pytest.raises(CannotDecide, match="is not in the trust file"):
        opened(signed(STRANGER), need=SIGNED)


@pytest.mark.parametrize(
    "valid",
    [{"valid_until": "2026-11-30T00:00:00Z"}, {"valid_from": "2026-12-01T10:00:01Z"}],
)
def test_a_key_counts_only_while_it_is_valid(valid: dict[str, str]) -> None:
    with pytest.raises(Findings, match="was not valid at 2026-12-01T10:00:00Z"):
        opened(signed(STEWARD), with_key(STEWARD, entry(STEWARD, Role.STEWARD, "person-1", **valid)), need=SIGNED)


def test_a_witness_cannot_stand_for_the_steward() -> None:
    with pytest.raises(Findings, match="1 signature as steward needed"):
        opened(signed(WITNESS), need=SIGNED)


def test_a_witness_of_another_statement_is_refused() -> None:
    files = both(signed(STEWARD, body=payload(statement(run_id="run-2"))), run_id="run-2")
    with pytest.raises(Findings, match=r"witness.dsse.json: is not about the statement.dsse.json that is here"):
        opened({**files, "statement.dsse.json": signed(STEWARD)}, need=SIGNED)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"run_id": "run-2"}, "runId: says 'run-2', not 'run-1'"),
        ({"log_entries": 7}, "logEntries: a log of 7 entries cannot hold entry 7"),
        ({"signed_at": "2026-12-01T09:59:59Z"}, "signedAt: 2026-12-01T09:59:59Z is before the steward signed"),
    ],
)
def test_a_witness_cannot_say_what_does_not_fit(change: dict[str, Any], why: str) -> None:
    with pytest.raises(Findings, match=f"witness.dsse.json: {why}"):
        opened(both(**change), need=SIGNED)


def test_a_witness_s_statement_cannot_stand_for_the_steward_s() -> None:
    body = payload(witnessed(signed(STEWARD)))
    with pytest.raises(Findings, match=r"statement.dsse.json: payload: predicateType"):
        opened(signed(STEWARD, body=body), need=SIGNED)


def test_a_stranger_as_witness_is_noted_and_not_read() -> None:
    files = {**both(), "witness.dsse.json": signed(STRANGER, body=b"nonsense")}
    found = opened(files, need=SIGNED)
    assert (found.witnessed, len(found.signers)) == (None, 1)
    assert found.notes == (f"key {STRANGER.public_key.keyid[:8]} is not in the trust file",)


@pytest.mark.parametrize("name", ["../scorecard.json", "/etc/passwd", "raw/../../x", "a//b", ".hidden", "raw/..", ""])
def test_a_signed_name_that_leads_elsewhere_is_refused(name: str) -> None:
    value = statement().model_dump(mode="json")
    value["subject"][0]["name"] = name
    with pytest.raises(Findings, match=r"payload: subject\.0\.name"):
        opened(signed(STEWARD, body=canonical_bytes(value)), need=SIGNED)


@pytest.mark.parametrize("stamp", ["2026-13-01T10:00:00Z", "2026-02-30T10:00:00Z", "2026-12-01T24:00:01Z"])
def test_a_time_that_never_comes_is_refused(stamp: str) -> None:
    value = statement().model_dump(mode="json")
    value["predicate"]["signedAt"] = stamp
    with pytest.raises(Findings, match=r"payload: predicate\.signedAt"):
        opened(signed(STEWARD, body=canonical_bytes(value)), need=SIGNED)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda value: value.update(more=1), "more: Extra inputs"),
        (lambda value: value.pop("payloadType"), "payloadType: Field required"),
        (lambda value: value.update(signatures=[]), "signatures"),
        (lambda value: value["signatures"].append(value["signatures"][0]), "one key id stands there twice"),
        (lambda value: value.update(payload="*"), "payload: is not base64"),
    ],
)
def test_an_envelope_is_read_strictly(change: Callable[[dict[str, Any]], None], why: str) -> None:
    with pytest.raises(Findings, match=why):
        opened(altered(signed(STEWARD, WITNESS), change))


def test_our_envelopes_open_in_the_signing_library() -> None:
    body = payload(statement())
    sig = STEWARD.sign(pre_authentication_encoding(body, PAYLOAD_TYPE))
    made = envelope_bytes(body, PAYLOAD_TYPE, [(sig.keyid, bytes.fromhex(sig.signature))])
    ours = Envelope.from_dict(json.loads(made))
    assert ours.payload == body
    assert set(ours.verify([STEWARD.public_key], 1)) == {STEWARD.public_key.keyid}


def test_a_key_s_name_is_the_library_s() -> None:
    assert public(STEWARD).key_id == STEWARD.public_key.keyid
