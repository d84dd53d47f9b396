"""Reads what systems showed from result folders and run files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from runner.adapters.formats import read_bytes
from runner.documents import Source
from runner.errors import BadInput, UsageError
from runner.retrieval.lists import Known, Lists, read_observations, read_run, read_trec_run

OBSERVATIONS = "observations.jsonl"


class _Found(NamedTuple):
    name: str
    place: str
    lists: Lists


def read_systems(shown: Sequence[Path], only: Sequence[str], known: Known) -> Mapping[str, Lists]:
    """Lists by the name of the system, its place before it where another has the same name.

    A folder is a result; a `.jsonl` file is a run of `measure`, any other a TREC run. `only` may choose systems.
    """
    found = [one for path in shown for one in (_in_result(path, known) if path.is_dir() else _in_run(path, known))]
    missing = set(only) - {one.name for one in found}
    if missing:
        raise UsageError(f"--system {min(missing)}: nothing shown is by it.")
    chosen = [one for one in found if one.name in only or not only]
    times = Counter(one.name for one in chosen)
    named = {(one.name if times[one.name] == 1 else f"{one.place}/{one.name}"): one.lists for one in chosen}
    if len(named) < len(chosen):
        raise BadInput("a result or a run is named twice.", advice="Name each of them once.")
    return named


def _in_result(folder: Path, known: Known) -> Iterator[_Found]:
    for system, lists in read_observations(_source(folder / OBSERVATIONS), known).items():
        yield _Found(system, folder.name, lists)


def _in_run(path: Path, known: Known) -> Iterator[_Found]:
    read = read_run if path.suffix == ".jsonl" else read_trec_run
    yield _Found(path.stem, path.parent.as_posix(), read(_source(path), known))


def _source(path: Path) -> Source:
    return Source(str(path), read_bytes(path))
