"""Hidden partitions and what is kept of their runs: names, and the documents about sealing and retiring."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from runner.documents import Digest, Document, Line
from runner.errors import BadInput
from runner.provenance.manifest import RunManifest
from runner.provenance.statement import Stamp

#: What stands in a run manifest as the path of a partition that is sealed: its name follows.
SEALED_PATH = "sealed:"
#: The note inside a sealed partition.
NOTE = "sealed.json"
#: Where a hidden run keeps what only a holder of the key may read; inside, the partition stands in a folder of its own.
SEALED, AGE = "sealed/", ".age"
PARTITION = "partition/"


class SealNote(Document):
    """`sealed.json`, inside a sealed partition: whom it is sealed for (age recipients), and so what its runs keep."""

    format: Literal["mambomeme/sealed-partition/v1"]
    recipients: Annotated[tuple[str, ...], Field(min_length=1)]


class Rerun(Document):
    """A result on a retired version: each of its systems has to be run again on the next one."""

    run_id: str
    systems: tuple[str, ...]


class Retirement(Document):
    """One line of `retired.jsonl`: a hidden version that was exposed, when and how, and what has to be run again.

    `queries` is the digest of its `queries.jsonl`, so that another card makes no other version of what was seen.
    """

    partition: Digest
    queries: Digest
    judgement_set: Digest
    name: str
    version: str
    retired_at: Stamp
    reason: Line
    rerun: tuple[Rerun, ...]


def sealed_name(name: str) -> str:
    """The name in the result of what a hidden run keeps sealed as `name`."""
    return f"{SEALED}{name}{AGE}"


def unsealed_name(name: str) -> str | None:
    """What a file of a result is called once it is open; null for one that is not sealed."""
    if not (name.startswith(SEALED) and name.endswith(AGE)):
        return None
    return name.removeprefix(SEALED).removesuffix(AGE)


def is_sealed(manifest: RunManifest) -> bool:
    """Whether the partition that a run manifest names is a sealed one."""
    return manifest.partition.path.startswith(SEALED_PATH)


def is_hidden(names: Iterable[str]) -> bool:
    """Whether these are the files of a hidden run's result."""
    return any(name.startswith(SEALED) for name in names)


def run_name(partition: str) -> str:
    """The name of a partition in the form that names of run manifests have."""
    return re.sub(r"[^a-z0-9]+", "-", partition.lower()).strip("-") or "hidden"


def retirement_of(queries: Digest, retired: Iterable[Retirement]) -> Retirement | None:
    """What ended the version with these queries, if anything did."""
    return next((one for one in retired if one.queries == queries), None)


def refuse_retired(queries: Digest, retired: Iterable[Retirement]) -> None:
    """BadInput for queries that were retired."""
    found = retirement_of(queries, retired)
    if found is not None:
        raise BadInput(
            f"{found.name} {found.version}: was retired at {found.retired_at}: {found.reason}.",
            advice="Make a new hidden version, and run every baseline on it again.",
        )
