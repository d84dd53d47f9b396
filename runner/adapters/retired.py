"""The list of hidden versions that were retired: published with the benchmark, added to, never rewritten."""

from __future__ import annotations

from pathlib import Path

from runner.adapters.formats import read_bytes
from runner.adapters.store import replace
from runner.documents import Source, to_lines
from runner.provenance.sealed import Retirement

RETIRED = "manifests/benchmarks/search-v1/retired.jsonl"


def read_retired(root: Path) -> tuple[Retirement, ...]:
    """The versions that the checkout at `root` knows to be retired."""
    path = root / RETIRED
    return retired_in(Source(RETIRED, read_bytes(path))) if path.exists() else ()


def retired_in(list_: Source) -> tuple[Retirement, ...]:
    """The versions in a list from elsewhere."""
    return Retirement.parse_lines(list_.data, list_.where)


def add_retired(root: Path, one: Retirement) -> None:
    """Add a version to the list."""
    replace(root / RETIRED, to_lines((*read_retired(root), one)))
