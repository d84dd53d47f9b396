"""What a steward signs: an in-toto Statement of every kept file's digest and of the run in integers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field

from runner.documents import Digest, Document, canonical_bytes
from runner.provenance.card import Standing

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE: Final = "https://mambomeme.invalid/scored-run/v1"

#: Files of a result that a statement cannot name, since they hold it.
ENVELOPES = ("statement.dsse.json", "witness.dsse.json")

Stamp = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
Count = Annotated[int, Field(ge=0)]


class _Named(Document):
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


class ScoredRun(_Named):
    """The predicate. `log_index` and `log_head` are its place in the steward's log: which entry, after what."""

    run_id: Annotated[str, Field(alias="runId")]
    card: Card
    signed_at: Annotated[Stamp, Field(alias="signedAt")]
    log_index: Annotated[Count, Field(alias="logIndex")]
    log_head: Annotated[str, Field(alias="logHead", pattern=r"^[0-9a-f]{64}$")]


class Sha256(Document):
    """A digest as in-toto writes it."""

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Subject(Document):
    """One kept file."""

    name: str
    digest: Sha256


class Statement(_Named):
    """in-toto Statement v1."""

    type_: Annotated[Literal["https://in-toto.io/Statement/v1"], Field(alias="_type")]
    subject: Annotated[tuple[Subject, ...], Field(min_length=1)]
    predicate_type: Annotated[Literal["https://mambomeme.invalid/scored-run/v1"], Field(alias="predicateType")]
    predicate: ScoredRun

    @property
    def digests(self) -> Mapping[str, str]:
        """`sha256:<hex>` by file name."""
        return {subject.name: "sha256:" + subject.digest.sha256 for subject in self.subject}


def state(files: Mapping[str, Digest], run: ScoredRun) -> Statement:
    """The statement of `run` over `files`, sorted by name."""
    subject = tuple(
        Subject(name=name, digest=Sha256(sha256=digest.removeprefix("sha256:")))
        for name, digest in sorted(files.items())
    )
    return Statement(type_=STATEMENT_TYPE, subject=subject, predicate_type=PREDICATE_TYPE, predicate=run)


def payload(statement: Statement) -> bytes:
    """The bytes that are signed."""
    return canonical_bytes(statement.model_dump(mode="json"))
