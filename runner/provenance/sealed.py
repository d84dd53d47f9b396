"""Hidden partitions and what is kept of their runs: names, and the documents about sealing, looking and retiring."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from runner.documents import Digest, Document, parse_json
from runner.errors import BadInput, Findings
from runner.provenance.chain import BrokenChain, follow, seal
from runner.provenance.statement import Stamp
from runner.provenance.tries import Count

#: What stands in a run manifest as the path of a partition that is sealed: its name follows.
SEALED_PATH = "sealed:"
#: The note inside a sealed partition.
NOTE = "sealed.json"
#: Where a hidden run keeps what only a holder of the key may read; inside, the partition stands in a folder of its own.
SEALED, AGE = "sealed/", ".age"
PARTITION = "partition/"
FIRST_LOOK = "0" * 64


class SealNote(Document):
    """`sealed.json`, inside a sealed partition: whom it is sealed for (age recipients), and so what its runs keep."""

    format: Literal["mambomeme/sealed-partition/v1"]
    recipients: Annotated[tuple[str, ...], Field(min_length=1)]


class Look(Document):
    """One line of `looks.jsonl`, hash-chained: a run that opened a hidden partition, `look` counting from 1 by version.

    It is written before the first search, so that a run that breaks off has looked, too.
    """

    index: Count
    look: Annotated[int, Field(ge=1)]
    partition: Digest
    name: str
    version: str
    run_id: str
    at: Stamp


class Rerun(Document):
    """A result on a retired version: each of its systems has to be run again on the next one."""

    run_id: str
    systems: tuple[str, ...]


class Retirement(Document):
    """One line of `retired.jsonl`: a hidden version that was exposed, when and how, and what has to be run again."""

    partition: Digest
    judgement_set: Digest
    name: str
    version: str
    retired_at: Stamp
    reason: Annotated[str, Field(min_length=1)]
    rerun: tuple[Rerun, ...]


def sealed_name(name: str) -> str:
    """The name in the result of what a hidden run keeps sealed as `name`."""
    return f"{SEALED}{name}{AGE}"


def unsealed_name(name: str) -> str | None:
    """What a file of a result is called once it is open; null for one that is not sealed."""
    if not (name.startswith(SEALED) and name.endswith(AGE)):
        return None
    return name.removeprefix(SEALED).removesuffix(AGE)


def is_hidden(names: Iterable[str]) -> bool:
    """Whether these are the files of a hidden run's result."""
    return any(name.startswith(SEALED) for name in names)


def run_name(partition: str) -> str:
    """The name of a partition in the form that names of run manifests have."""
    return re.sub(r"[^a-z0-9]+", "-", partition.lower()).strip("-") or "hidden"


def read_looks(data: bytes, where: str) -> tuple[tuple[Look, ...], str]:
    """The looks in `data`, and the digest that the next one follows; Findings where the log was altered."""
    lines = data.splitlines(keepends=True)
    try:
        head = follow(FIRST_LOOK, lines)
    except BrokenChain as error:
        raise Findings(f"{where}: {error}.", advice="The log of looks was altered; restore it.") from None
    return tuple(_look(line, f"{where}:{number}") for number, line in enumerate(lines, 1)), head


def look_line(look: Look, head: str) -> bytes:
    """The line of `look` behind `head`, with its newline."""
    line, _ = seal(head, look.model_dump(mode="json"))
    return line


def _look(line: bytes, where: str) -> Look:
    value = parse_json(line, where)
    value.pop("chain", None)
    return Look.model_validate(value)


def refuse_retired(partition: Digest, retired: Iterable[Retirement]) -> None:
    """BadInput for a partition that was retired."""
    found = next((one for one in retired if one.partition == partition), None)
    if found is not None:
        raise BadInput(
            f"{found.name} {found.version}: was retired at {found.retired_at}: {found.reason}.",
            advice="Make a new hidden version, and run every baseline on it again.",
        )
