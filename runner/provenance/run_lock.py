"""Everything a number depends on, written down and hashed before the first search."""

from __future__ import annotations

from typing import Literal

from runner.documents import Digest, Document
from runner.provenance.images import ImageRef
from runner.provenance.tries import LogPlace, Nonce
from runner.terminal.profile import Profile


class SystemLock(Document):
    """What one row is scored with. `files` is the digest of its folder; `image` is null for a plain process."""

    name: str
    version: str
    manifest: Digest
    configuration: Digest
    files: Digest
    layer: Digest
    image: ImageRef | None


class RunLock(Document):
    """`run.lock.json`. `log` is where the steward's log has the start of the run; `queries` the digest of the
    partition's `queries.jsonl`, which tells whether they were retired; `nonce` what a witness gave out for the run
    (null: nobody was asked).

    `host` are facts of the machine that the driver must find too; `code_changed` names the first files that differ from
    the commit; `locks` names what images are made by and held against: lock files, pins, Dockerfile.
    """

    format: Literal["mambomeme/run-lock/v1"]
    run_id: str
    started_at: str
    log: LogPlace
    nonce: Nonce | None
    manifest: Digest
    partition: Digest
    queries: Digest
    judgement_set: Digest
    corpus: Digest
    hardware: Digest
    terminal: Profile
    systems: tuple[SystemLock, ...]
    locks: dict[str, Digest]
    code_commit: str
    code_clean: bool
    code_changed: tuple[str, ...]
    platform: dict[str, str]
    host: dict[str, str]
    packages: dict[str, str]
