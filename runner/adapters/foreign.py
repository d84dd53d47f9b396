"""Finds the files to import below what was named, and tells what is to be exported by what it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path

from runner.adapters.formats import read_bytes
from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.partitions import CARD

OBSERVATIONS = "observations.jsonl"


class Holding(StrEnum):
    """What can be exported."""

    PARTITION = "a partition"
    RESULT = "a result"
    RUN = "a run file"


def holding(path: Path) -> Holding:
    """What stands at `path`."""
    if (path / CARD).is_file():
        return Holding.PARTITION
    if (path / OBSERVATIONS).is_file():
        return Holding.RESULT
    if path.is_file():
        return Holding.RUN
    advice = f"Name a folder with {CARD} or {OBSERVATIONS}, or a run file of `measure`."
    raise BadInput(f"{path}: is nothing that can be exported.", advice=advice)


def trec_sources(paths: Sequence[Path]) -> Mapping[str, Source]:
    """The files, and those right in the folders, by their names without ending; two of one name are refused."""
    found: dict[str, Source] = {}
    for path in chain.from_iterable(_files(named) if named.is_dir() else [named] for named in paths):
        if path.stem in found:
            what = f"{path}: would be written over what {found[path.stem].where} becomes."
            raise BadInput(what, advice="Rename one of them.")
        found[path.stem] = _source(path)
    return found


def beir_sources(folder: Path) -> Mapping[str, Source]:
    """The files of a BEIR folder by their names in it; there must be at least one."""
    names = [name for name in ("queries.jsonl", "corpus.jsonl") if (folder / name).is_file()]
    names += [f"qrels/{path.name}" for path in sorted((folder / "qrels").glob("*.tsv"))]
    if not names:
        advice = "It holds corpus.jsonl, queries.jsonl or qrels/*.tsv."
        raise BadInput(f"{folder}: is no BEIR folder.", advice=advice)
    return {name: _source(folder / name) for name in names}


def _files(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.iterdir() if path.is_file())
    if not found:
        raise BadInput(f"{folder}: holds no file.", advice="Name a folder with topics, qrels or runs.")
    return found


def _source(path: Path) -> Source:
    return Source(str(path), read_bytes(path))
