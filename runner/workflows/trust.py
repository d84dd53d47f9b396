"""Makes a trust file and changes it: each change is a new version, under the signature of the same root key."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from runner.counts import counted
from runner.documents import spoken
from runner.errors import BadInput
from runner.ports import Signer
from runner.provenance.public_key import PublicKey
from runner.provenance.trust import OFFICIAL, TRUST_TYPE, Role, Trust, TrustedKey, hold_trust


class Newcomer(NamedTuple):
    """A key to be trusted: whose it is, for which role, and for how many days."""

    key: PublicKey
    role: Role
    person: str
    days: int


def begin(root: PublicKey, now: str, days: int) -> Trust:
    """Version 1 of the trust under `root`: it names no key yet, and is valid for `days` from `now` (UTC)."""
    return Trust(
        format="mambomeme/trust/v1",
        version=1,
        root=root,
        issued_at=now,
        expires=later(now, days),
        policy=dict(OFFICIAL),
        keys={},
    )


def add(trust: Trust, newcomer: Newcomer, now: str) -> Trust:
    """The next version, which trusts one more key from `now` on."""
    key_id = newcomer.key.key_id
    if key_id in trust.keys:
        raise BadInput(f"key {key_id[:8]} is in the trust file already.", advice="Each key has one role.")
    entry = TrustedKey(
        key=newcomer.key,
        role=newcomer.role,
        person=spoken("--person", newcomer.person),
        valid_from=now,
        valid_until=later(now, newcomer.days),
        revoked_from=None,
    )
    return _next(trust, now, keys={**trust.keys, key_id: entry})


def revoke(trust: Trust, key: str, entry: int, now: str) -> Trust:
    """The next version, in which `key` (an id, or how one begins) counts before `entry` of the log only."""
    found = [key_id for key_id in trust.keys if key_id.startswith(key)]
    if len(found) != 1 or not key:
        many = "no key" if not found else counted(len(found), "key")
        raise BadInput(f"{many} of the trust file begins with {key!r}.", advice="`trust show` lists them.")
    known = trust.keys[found[0]]
    if known.revoked_from is not None and known.revoked_from < entry:
        raise BadInput(f"key {found[0][:8]} is revoked from entry {known.revoked_from} already.")
    revoked = known.model_copy(update={"revoked_from": entry})
    return _next(trust, now, keys={**trust.keys, found[0]: revoked})


def renew(trust: Trust, now: str, days: int) -> Trust:
    """The next version, valid for `days` from `now`; its keys keep their own time."""
    return _next(trust, now, expires=later(now, days))


def sign_trust(trust: Trust, root: Signer) -> bytes:
    """The file of a trust; BadInput where `root` is not its root key."""
    hold_trust(trust)
    if root.public_key != trust.root:
        found, wanted = root.public_key.key_id, trust.root.key_id
        raise BadInput(f"key {found[:8]} is not the root of this trust file, {wanted[:8]}.")
    return root.sign(trust.canonical(), TRUST_TYPE)


def trust_lines(trust: Trust) -> Iterator[str]:
    """A trust file for people; the id of its root key is what two of them compare."""
    yield f"root {trust.root.key_id}"
    yield f"version {trust.version}, issued {trust.issued_at}, valid until {trust.expires}"
    yield "official needs " + ", ".join(f"{count} {role}" for role, count in sorted(trust.policy.items()))
    for key_id, entry in sorted(trust.keys.items(), key=lambda one: (one[1].role, one[1].valid_from, one[0])):
        revoked = "" if entry.revoked_from is None else f", revoked from entry {entry.revoked_from} of the log on"
        until = f"{entry.valid_from} to {entry.valid_until}"
        yield f"{entry.role} {key_id[:16]} {entry.person}, {until}{revoked}"


def later(now: str, days: int) -> str:
    """So many days after `now`."""
    try:
        return (datetime.fromisoformat(now) + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
    except OverflowError:
        raise BadInput(f"{days} days from now is in no year.", advice="Name fewer.") from None


def _next(trust: Trust, now: str, **changes: object) -> Trust:
    if now < trust.issued_at:
        raise BadInput(f"trust file: was issued at {trust.issued_at}, which is to come.", advice="Set the clock.")
    return trust.model_copy(update={"version": trust.version + 1, "issued_at": now, **changes})
