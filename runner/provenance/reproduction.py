"""What is signed about a result that was run again: which result, by which second run, and what came out of holding
them against each other."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final, Literal

from pydantic import Field

from runner.documents import Digest
from runner.provenance.statement import STATEMENT_TYPE, Named, Stamp, Subject, subjects
from runner.provenance.tries import Count
from runner.retrieval.repeated import RepeatedTimes

#: The type of the signed payload: no other envelope of this project can be taken for one.
REPRODUCTION_KIND: Final = "application/vnd.mambomeme.reproduction+json"
REPRODUCED_TYPE: Final = "https://mambomeme.invalid/reproduced-run/v1"


class Outcome(StrEnum):
    """Whether a second run showed what the first did."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"


class SecondRun(Named):
    """The run that repeated the first: files of its result by digest, the last entry of its steward's log when this was
    signed, and the code it was run by."""

    run_id: Annotated[str, Field(alias="runId")]
    files: dict[str, Digest]
    log_index: Annotated[Count, Field(alias="logIndex")]
    code_commit: Annotated[str, Field(alias="codeCommit")]
    code_clean: Annotated[bool, Field(alias="codeClean")]


class Equality(Named):
    """What came of the requests of both runs: all differences are counted, and the first of them told."""

    outcome: Outcome
    requests: Count
    requests_differing: Annotated[Count, Field(alias="requestsDiffering")]
    differing: Count
    differences: tuple[str, ...]


class ReproducedRun(Named):
    """The predicate: the first run, the code it was run by, the second. `times` decide nothing."""

    run_id: Annotated[str, Field(alias="runId")]
    code_commit: Annotated[str, Field(alias="codeCommit")]
    again: SecondRun
    equality: Equality
    times: tuple[RepeatedTimes, ...]
    signed_at: Annotated[Stamp, Field(alias="signedAt")]


class ReproductionStatement(Named):
    """in-toto Statement v1, by whoever ran it again; its subjects are the first result's card, requests and signed
    statement."""

    type_: Annotated[Literal["https://in-toto.io/Statement/v1"], Field(alias="_type")]
    subject: Annotated[tuple[Subject, ...], Field(min_length=1)]
    predicate_type: Annotated[Literal["https://mambomeme.invalid/reproduced-run/v1"], Field(alias="predicateType")]
    predicate: ReproducedRun

    @property
    def digests(self) -> Mapping[str, Digest]:
        """`sha256:<hex>` by file name."""
        return {subject.name: "sha256:" + subject.digest.sha256 for subject in self.subject}


def attest_reproduction(first: Mapping[str, Digest], run: ReproducedRun) -> ReproductionStatement:
    """The statement of `run` about these files of the first result."""
    return ReproductionStatement(
        type_=STATEMENT_TYPE, subject=subjects(first), predicate_type=REPRODUCED_TYPE, predicate=run
    )
