"""The files that decide a run beforehand: its manifest, which names all others, and the kinds it names."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, JsonValue, model_validator
from pydantic_core import PydanticCustomError

from runner.documents import Digest, Document, canonical_bytes, digest
from runner.retrieval.topics import QueryText
from runner.terminal.profile import Profile

Positive = Annotated[int, Field(gt=0)]
Count = Annotated[int, Field(ge=0)]
#: Far above any sensible run, and small enough that a plan of it can be made and driven.
Searches = Annotated[int, Field(ge=0, le=100_000)]
Milliseconds = Annotated[int, Field(gt=0, le=3_600_000)]


def _filled(value: object) -> object:
    if value == "":
        raise PydanticCustomError("unpinned", "is empty")
    return value


#: A digest that `pin` writes.
Pinned = Annotated[Digest, BeforeValidator(_filled)]


class FileRef(Document):
    """A file of the project, by path from its root and by digest."""

    path: str
    digest: Pinned


class Limits(Document):
    """What bounds a run (D14, D15). Milliseconds and seconds as named; the rest are counts of searches."""

    result_limit: Annotated[int, Field(ge=1, le=10)]
    time_limit_ms: Milliseconds
    late_ms: Milliseconds
    hold_ms: Milliseconds
    held_requests: Searches
    warmup_searches: Searches
    min_searches: Annotated[Searches, Field(gt=0)]
    min_blocks: Annotated[int, Field(gt=0, le=1000)]
    restarts: Annotated[int, Field(ge=0, le=1000)]
    wall_limit_s: Annotated[int, Field(gt=0, le=86_400)]


class Floors(Document):
    """How many probes measure the terminal itself and the null UI."""

    echo: Searches
    null_ui: Searches


class RunManifest(Document):
    """Everything that is decided before a run."""

    format: Literal["mambomeme/run-manifest/v1"]
    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    benchmark: Literal["search-v1"]
    interface: Literal["list-80x24-v1"]
    protocol: Literal["search-v1"]
    score: Literal["MMTS-Search-v1"]
    partition: FileRef
    warmup: FileRef
    corpus: FileRef
    safety_policy: FileRef
    safety_audit: FileRef
    hardware: FileRef
    systems: Annotated[tuple[FileRef, ...], Field(min_length=1)]
    limits: Limits
    floors: Floors
    engine_path: bool
    suites: bool = True
    terminal: Profile = Profile.FULL
    seed: Count


class SystemManifest(Document):
    """One row of the scorecard: a system folder, the digest of its files, the configuration it is started with, and the
    record of how that was chosen, if there is one."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    title: str
    folder: str
    files: Pinned
    configuration: dict[str, JsonValue]
    tuning: FileRef | None = None

    @property
    def configuration_digest(self) -> str:
        """Digest of the canonical configuration, as the engine's `hello` must repeat it."""
        return digest(canonical_bytes(self.configuration))


Command = Annotated[tuple[str, ...], Field(min_length=1)]


class SystemCard(Document):
    """`system.json` of a system folder: what it is and how its parts are started (images/README.md). One that `extends`
    the bundled system has that one's files beside its own."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    version: str
    interface: Literal["list-80x24-v1"]
    protocol: Literal["search-v1"]
    engine: Command
    tui: Command
    release: Command | None
    prepare: Command | None
    extends: Literal["mambomeme"] | None = None


class WarmupQuery(Document):
    """One line of the warm-up list (D15)."""

    query_id: str
    text: QueryText


class HardwareProfile(Document):
    """The fixed hardware: what the container is given, and nothing else."""

    name: str
    architecture: Literal["amd64"]
    cpuset: str
    memory_bytes: Positive
    memory_swap_bytes: Positive
    pids_limit: Positive
    nofile: Positive
    capabilities: tuple[str, ...]
    no_new_privileges: bool
    read_only: bool
    network: Literal["none"]
    sysctls: dict[str, str]
    tmpfs: dict[str, str]
    seccomp: FileRef

    @model_validator(mode="after")
    def _no_swap(self) -> HardwareProfile:
        if self.memory_swap_bytes != self.memory_bytes:
            raise ValueError("memory_swap_bytes must equal memory_bytes, so that nothing is swapped")
        return self
