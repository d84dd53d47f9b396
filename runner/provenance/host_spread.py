"""How far the times of the same requests lie apart among runs on one host, as a checkout keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from runner.documents import Digest, Document
from runner.provenance.versions import VersionTuple
from runner.retrieval.estimates import Rounded
from runner.retrieval.repeated import RunSpread


class Timed(Document):
    """What the times are of: the facts that must be the same before they are held against others."""

    system: str
    system_digest: Digest
    configuration: Digest
    image_id: Digest | None
    manifest: Digest
    hardware_profile: Digest
    cpu_model: str

    @classmethod
    def of(cls, versions: VersionTuple) -> Self:
        """Those facts of a row."""
        return cls.model_validate({name: getattr(versions, name) for name in cls.model_fields})


class Spread(Document):
    """One percentile of each run, in the order of the runs; `ratio` is the greatest by the least."""

    each_ns: Annotated[tuple[int, ...], Field(min_length=1)]
    least_ns: Annotated[int, Field(gt=0)]
    greatest_ns: int
    ratio: Rounded

    @classmethod
    def over(cls, each: Sequence[int]) -> Self:
        """That of these times, at least one."""
        least, greatest = min(each), max(each)
        return cls(each_ns=tuple(each), least_ns=least, greatest_ns=greatest, ratio=greatest / least)

    @model_validator(mode="after")
    def _follows(self) -> Self:
        if (self.least_ns, self.greatest_ns) != (min(self.each_ns), max(self.each_ns)):
            raise ValueError("least_ns and greatest_ns are not those of each_ns")
        return self


class SystemSpread(Document):
    """Submit to render of one system, over all requests of each run."""

    of: Timed
    p50: Spread
    p95: Spread


class SpreadRun(Document):
    """One of the runs, by the digest of its signed statement."""

    run_id: str
    statement: Digest


class HostSpread(Document):
    """`manifests/hardware/*-spread.json`: the times of several runs on one host. `host` holds what is known of it."""

    format: Literal["mambomeme/host-spread/v1"]
    host: dict[str, str]
    runs: tuple[SpreadRun, ...]
    systems: tuple[SystemSpread, ...]


def spread_for(kept: Iterable[HostSpread], one: VersionTuple, other: VersionTuple) -> RunSpread | None:
    """The spread that the times of two rows may be held against: both are of what it is of; null where none is."""
    wanted, found = Timed.of(one), Timed.of(other)
    rows = (row for spread in kept for row in spread.systems if row.of == wanted == found)
    return next((_short(row) for row in rows), None)


def _short(row: SystemSpread) -> RunSpread:
    p50, p95 = ((spread.least_ns, spread.greatest_ns) for spread in (row.p50, row.p95))
    return RunSpread(runs=len(row.p50.each_ns), p50_ns=p50, p95_ns=p95)
