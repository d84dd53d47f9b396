"""The trust file: whose keys count for what, since when and how long, under the signature of a root key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Annotated, Final, Literal, NamedTuple
from unicodedata import normalize

from pydantic import Field

from runner.counts import counted
from runner.documents import Digest, Document, Line, Source, digest
from runner.errors import BadInput, CannotDecide, Findings
from runner.provenance.dsse import read_envelope
from runner.provenance.public_key import PublicKey
from runner.provenance.statement import Stamp
from runner.provenance.tries import Count, Head, Nonce

TRUST_TYPE: Final = "application/vnd.mambomeme.trust+json"
KeyId = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
CURRENT = "Get the current one from the holder of its root key."


class Role(StrEnum):
    """What a signature stands for."""

    STEWARD = "steward"
    WITNESS = "witness"


Policy = Mapping[Role, int]
#: What makes a result signed, and the least that makes it official; a trust file may ask for more.
SIGNED: Policy = {Role.STEWARD: 1}
OFFICIAL: Policy = {Role.STEWARD: 1, Role.WITNESS: 1}


class TrustedKey(Document):
    """Whose key, for which role, and when its signatures count: a revoked key's before `revoked_from` in the log."""

    key: PublicKey
    role: Role
    person: Line
    valid_from: Stamp
    valid_until: Stamp
    revoked_from: Count | None


class Trust(Document):
    """The payload of `trust.json`: it comes from whoever verifies, never from the bundle.

    `version` grows by one with each change. `root` signs the file, and nothing else.
    """

    format: Literal["mambomeme/trust/v1"]
    version: Annotated[int, Field(ge=1)]
    root: PublicKey
    issued_at: Stamp
    expires: Stamp
    policy: dict[Role, Annotated[int, Field(ge=1)]]
    keys: dict[KeyId, TrustedKey]


class Seen(Document):
    """What this checkout saw last under one root: a trust file, and the head of the log it witnessed."""

    version: Annotated[int, Field(ge=1)]
    trust: Digest
    log_entries: Count
    log_head: Head


class GivenNonce(Document):
    """When this checkout gave a nonce out, and the lock of the run that was signed with it (null: none yet)."""

    at: Stamp
    lock: Digest | None


class Memory(Document):
    """`.keys/seen.json`: by the id of a root key, so that nothing older is taken for the present; and what was given
    out, so that nothing is signed with a nonce of somebody else."""

    format: Literal["mambomeme/seen/v1"]
    roots: dict[KeyId, Seen]
    nonces: dict[Nonce, GivenNonce] = Field(default_factory=dict)


class Signer(NamedTuple):
    """A signature that counts."""

    key_id: str
    role: Role
    person: str


def open_trust(source: Source) -> Trust:
    """The trust in a file that its own root key signed; BadInput for anything else, expired or not."""
    name = source.where
    try:
        letter = read_envelope(source.data, name, TRUST_TYPE)
        trust = Trust.parse(letter.payload, f"{name}: payload")
        if trust.root.key_id not in letter.signatures:
            raise BadInput(f"{name}: is not signed by its root key {trust.root.key_id[:8]}.", advice=CURRENT)
        letter.hold(trust.root)
    except Findings as error:
        raise BadInput(error.what, advice=f"It is no trust file of docs/keys.md. {CURRENT}") from None
    hold_trust(trust, name)
    return trust


def hold_trust(trust: Trust, name: str = "trust file") -> None:
    """Refuse a trust file that names a key twice or by another's digest, or one that is never valid."""
    publics = [trust.root.keyval.public, *(entry.key.keyval.public for entry in trust.keys.values())]
    if len(set(publics[1:])) < len(publics) - 1:
        raise BadInput(f"{name}: keys: one public key stands under two key ids.", advice="Keep one of them.")
    if publics[0] in publics[1:]:
        raise BadInput(f"{name}: keys: the root key stands among them.", advice="Let it sign trust files alone.")
    if trust.expires <= trust.issued_at:
        raise BadInput(f"{name}: expires: {trust.expires} is not after it was issued, {trust.issued_at}.")
    for key_id, entry in trust.keys.items():
        if entry.key.key_id != key_id:
            raise BadInput(f"{name}: keys.{key_id}: is not the digest of its key, {entry.key.key_id}.")
        if entry.valid_until <= entry.valid_from:
            raise BadInput(f"{name}: keys.{key_id}: valid_until is not after valid_from.")


def hold_current(trust: Trust, now: str) -> None:
    """CannotDecide by a trust file that is over, or not yet issued."""
    if trust.expires < now:
        raise CannotDecide(f"trust file: expired at {trust.expires}.", advice=CURRENT)
    if trust.issued_at > now:
        raise CannotDecide(f"trust file: was issued at {trust.issued_at}, which is to come.", advice="Set the clock.")


def remember(memory: Memory, trust: Trust) -> Memory:
    """What was seen, and this; CannotDecide where a newer file of the same root was seen before."""
    root, found = trust.root.key_id, digest(trust.canonical())
    last = memory.roots.get(root)
    if last is not None and trust.version < last.version:
        what = f"trust file: is version {trust.version}, but version {last.version} of root {root[:8]} was seen before."
        raise CannotDecide(what, advice=CURRENT)
    if last is not None and trust.version == last.version and found != last.trust:
        what = f"trust file: is another version {trust.version} of root {root[:8]} than was seen before."
        raise CannotDecide(what, advice="Ask the holder of the root key which is right.")
    entries, head = (last.log_entries, last.log_head) if last else (0, "0" * 64)
    seen = Seen(version=trust.version, trust=found, log_entries=entries, log_head=head)
    return memory.model_copy(update={"roots": {**memory.roots, root: seen}})


def shortfall(signers: Sequence[Signer], need: Policy) -> tuple[str, ...]:
    """What `need` asks for and `signers` lack; each role by persons of its own."""
    persons = {role: {_name(signer.person) for signer in signers if signer.role is role} for role in need}
    missing = [
        f"{counted(count, 'signature')} as {role} needed, {len(persons[role])} found"
        for role, count in need.items()
        if len(persons[role]) < count
    ]
    if not missing and not _apart(persons, need):
        missing = ["one person signed in two roles"]
    return tuple(missing)


def _apart(persons: Mapping[Role, set[str]], need: Policy) -> bool:
    """Whether each role can be given as many persons as it needs, nobody twice: Hall's theorem, for sets of roles."""
    some = (roles for many in range(1, len(need) + 1) for roles in combinations(need, many))
    return all(
        len(set().union(*(persons[role] for role in roles))) >= sum(need[role] for role in roles) for roles in some
    )


def _name(person: str) -> str:
    """One spelling of a person, whatever the spaces, the capitals, and how an accent is written."""
    return " ".join(normalize("NFKC", normalize("NFKC", person).casefold()).split())
