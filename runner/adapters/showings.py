"""Reads what systems showed from result folders and run files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from runner.adapters.archives import is_archive, open_result, result_name
from runner.adapters.formats import name_of, read_bytes
from runner.documents import Source
from runner.errors import BadInput, UsageError
from runner.retrieval.lists import Known, Lists, read_observations, read_run, read_trec_run

OBSERVATIONS = "observations.jsonl"


class _Found(NamedTuple):
    name: str
    place: str
    lists: Lists


def read_systems(
    shown: Sequence[Path], only: Sequence[str], known: Known, tell: Callable[[object], object] = str
) -> Mapping[str, Lists]:
    """Lists by the name of the system, its place before it where another has the same name.

    A folder or an archive is a result; a `.jsonl` file is a run of `measure`, any other a TREC run. `only` may choose
    systems. What is odd in a file goes to `tell`.
    """
    found = [one for path in shown for one in _in(path, known, tell)]
    missing = set(only) - {one.name for one in found}
    if missing:
        raise UsageError(f"--system {min(missing)}: nothing shown is by it.")
    chosen = [one for one in found if one.name in only or not only]
    times = Counter(one.name for one in chosen)
    named = {(one.name if times[one.name] == 1 else f"{one.place}/{one.name}"): one.lists for one in chosen}
    if len(named) < len(chosen):
        raise BadInput("a result or a run is named twice.", advice="Name each of them once.")
    return named


def _in(path: Path, known: Known, tell: Callable[[object], object]) -> Iterator[_Found]:
    return _in_result(path, known) if path.is_dir() or is_archive(path) else _in_run(path, known, tell)


def _in_result(path: Path, known: Known) -> Iterator[_Found]:
    kept = Source(f"{name_of(path)}: {OBSERVATIONS}", open_result(path).read(OBSERVATIONS))
    for system, lists in read_observations(kept, known).items():
        yield _Found(system, result_name(path), lists)


def _in_run(path: Path, known: Known, tell: Callable[[object], object]) -> Iterator[_Found]:
    read = read_run if path.suffix == ".jsonl" else read_trec_run
    lists, remarks = read(_source(path), known)
    for remark in remarks:
        tell(remark)
    yield _Found(path.stem, path.parent.as_posix(), lists)


def _source(path: Path) -> Source:
    return Source(name_of(path), read_bytes(path))
