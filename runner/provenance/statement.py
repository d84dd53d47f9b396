"""What is signed: the steward's in-toto Statement of every kept file and of the run, and the witness's of that."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, ConfigDict, Field

from runner.documents import Digest, Document, canonical_bytes
from runner.provenance.card import Standing
from runner.provenance.tries import Count, Head, Nonce, RunId

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE: Final = "https://mambomeme.invalid/scored-run/v1"
WITNESSED_TYPE: Final = "https://mambomeme.invalid/witnessed-run/v1"

#: The steward's and the witness's signature: files of a result that its statement cannot name.
STATEMENT, WITNESS = ENVELOPES = ("statement.dsse.json", "witness.dsse.json")


def _real(stamp: str) -> str:
    """`stamp`, if there is such a day and second; a ValueError is what pydantic reports."""
    datetime.fromisoformat(stamp)
    return stamp


Stamp = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"), AfterValidator(_real)]
#: Below the result, by plain names alone: no `..`, nothing absolute, nothing hidden.
FileName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*$")]


class Named(Document):
    """Documents whose names in JSON are those of in-toto."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)


class Row(Document):
    """One system of the scorecard, in integers: millionths of a point, nanoseconds, requests."""

    system: str
    status: str
    score_millionths: Count
    p95_ns: Count
    requests: Count


class Card(Document):
    """The scorecard in short."""

    standing: Standing
    rows: tuple[Row, ...]


class ScoredRun(Named):
    """The predicate. `log_index` and `log_head` are its place in the steward's log: which entry, after what."""

    run_id: Annotated[RunId, Field(alias="runId")]
    card: Card
    signed_at: Annotated[Stamp, Field(alias="signedAt")]
    log_index: Annotated[Count, Field(alias="logIndex")]
    log_head: Annotated[Head, Field(alias="logHead")]


class Given(Named):
    """A nonce, and when the witness gave it out, by the witness's own clock: the run began later."""

    value: Nonce
    given_at: Annotated[Stamp, Field(alias="givenAt")]


class WitnessedRun(Named):
    """The witness's predicate: the log it read had `log_entries` entries and ended in `log_head`; `nonce` is null where
    the run has none, so that the steward alone says when it was made."""

    run_id: Annotated[RunId, Field(alias="runId")]
    signed_at: Annotated[Stamp, Field(alias="signedAt")]
    log_entries: Annotated[int, Field(alias="logEntries", ge=1)]
    log_head: Annotated[Head, Field(alias="logHead")]
    nonce: Given | None


class Sha256(Document):
    """A digest as in-toto writes it."""

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Subject(Document):
    """One kept file."""

    name: FileName
    digest: Sha256


class Statement(Named):
    """in-toto Statement v1, by the steward: every file of a result but the signatures."""

    type_: Annotated[Literal["https://in-toto.io/Statement/v1"], Field(alias="_type")]
    subject: Annotated[tuple[Subject, ...], Field(min_length=1)]
    predicate_type: Annotated[Literal["https://mambomeme.invalid/scored-run/v1"], Field(alias="predicateType")]
    predicate: ScoredRun

    @property
    def digests(self) -> Mapping[str, str]:
        """`sha256:<hex>` by file name."""
        return {subject.name: "sha256:" + subject.digest.sha256 for subject in self.subject}


class WitnessStatement(Named):
    """in-toto Statement v1, by the witness: the one file that holds the steward's signature."""

    type_: Annotated[Literal["https://in-toto.io/Statement/v1"], Field(alias="_type")]
    subject: Annotated[tuple[Subject, ...], Field(min_length=1, max_length=1)]
    predicate_type: Annotated[Literal["https://mambomeme.invalid/witnessed-run/v1"], Field(alias="predicateType")]
    predicate: WitnessedRun

    @property
    def envelope(self) -> Digest:
        """The digest of the steward's envelope."""
        return "sha256:" + self.subject[0].digest.sha256


def state(files: Mapping[str, Digest], run: ScoredRun) -> Statement:
    """The statement of `run` over `files`, sorted by name."""
    return Statement(type_=STATEMENT_TYPE, subject=subjects(files), predicate_type=PREDICATE_TYPE, predicate=run)


def attest(envelope: Digest, run: WitnessedRun) -> WitnessStatement:
    """The witness's statement on the steward's `envelope`."""
    subject = subjects({STATEMENT: envelope})
    return WitnessStatement(type_=STATEMENT_TYPE, subject=subject, predicate_type=WITNESSED_TYPE, predicate=run)


def payload(statement: Named) -> bytes:
    """The bytes that are signed."""
    return canonical_bytes(statement.model_dump(mode="json"))


def subjects(files: Mapping[str, Digest]) -> tuple[Subject, ...]:
    """`files` as in-toto names them, sorted by name."""
    return tuple(
        Subject(name=name, digest=Sha256(sha256=found.removeprefix("sha256:"))) for name, found in sorted(files.items())
    )
