"""The files about hidden partitions: the log of looks, appended to by one process at a time, and which were retired."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from runner.adapters.formats import read_bytes
from runner.provenance.sealed import Look, Retirement, look_line, read_looks
from runner.retrieval.partitions import PartitionFiles

#: Below the root of a checkout, so that it is published with the benchmark.
RETIRED = "manifests/benchmarks/search-v1/retired.jsonl"


def read_retired(root: Path) -> tuple[Retirement, ...]:
    """The hidden versions that were retired."""
    path = root / RETIRED
    return Retirement.parse_lines(read_bytes(path), RETIRED) if path.exists() else ()


class LookLog:
    """The log at `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def enter(self, partition: PartitionFiles, run_id: str, at: str) -> int:
        """See `runner.ports.Looks`."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            before, head = read_looks(self._path.read_bytes(), str(self._path))
            look = Look(
                index=len(before),
                look=1 + sum(one.partition == partition.digest for one in before),
                partition=partition.digest,
                name=partition.card.name,
                version=partition.card.version,
                run_id=run_id,
                at=at,
            )
            os.write(descriptor, look_line(look, head))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        return look.look
