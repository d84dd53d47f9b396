"""How fast the engine is, in each configuration, on its own corpus and on many documents: rows for `nox -s bench`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mambomeme import embedding
from mambomeme.corpus import read_corpus
from mambomeme.encoder import Encoder

from runner.retrieval.latency import percentile
from tests import bench_peers
from tests.bench_process import MS, BenchedEngine, Place, Times
from tests.bench_rows import Row, at_most
from tests.synthetic import CORPUS, ROOT, write_items, write_system

QUERIES = ROOT / "manifests/benchmarks/search-v1/development/queries.jsonl"
MANY = 100_000
#: One document in so many is embedded to see how fast that goes.
EACH = 10


class Wanted(NamedTuple):
    """The most milliseconds for 95 % of searches (None: no target), seconds to the first answer, and megabytes."""

    p95: float | None
    load: float
    memory: float


FEW_WANTED = {"bm25": Wanted(1, 2, 400), "dense": Wanted(8, 2, 400), "hybrid": Wanted(10, 2, 400)}
MANY_WANTED = {"hybrid": Wanted(60, 10, 1500), "bm25": Wanted(None, 10, 1500)}


def rows(system: Path, models: Path) -> Iterator[Row]:
    """The engine in `system` on the bundled corpus; then the same program on many documents, and its BM25 alone."""
    for name, wanted in FEW_WANTED.items():
        yield from process_rows(name, wanted, Place(system, CORPUS, models), rounds=5)
    yield embedding_row(models)
    yield from many_rows(models)
    yield from bench_peers.rows(MANY)


def embedding_row(models: Path) -> Row:
    """Documents embedded per second where no vector is known, as in the first build of the image."""
    memes = read_corpus(CORPUS).memes[::EACH]
    wanted = sorted({text for meme in memes for text in embedding.texts_of(meme) if text})
    processors = len(os.sched_getaffinity(0))
    encoder = Encoder(models, processors)
    began = time.perf_counter()
    encoder.vectors(wanted)
    took = time.perf_counter() - began
    shown = f"{len(memes) / took:.1f} a second ({len(memes)} documents of {len(wanted)} texts, {processors} processors)"
    return Row("documents embedded, every vector made from nothing", shown)


def many_rows(models: Path) -> Iterator[Row]:
    """Vectors of so many texts would take hours to make: they are drawn by lot, one for each text of each document."""
    with tempfile.TemporaryDirectory() as scratch:
        corpus, system = Path(scratch) / "corpus", Path(scratch) / "system"
        corpus.mkdir()
        make = [sys.executable, "-m", "tests.bench_engine", str(corpus), str(models), str(system)]
        subprocess.run(make, check=True, cwd=ROOT)
        for name, wanted in MANY_WANTED.items():
            yield from process_rows(name, wanted, Place(system, corpus, models), rounds=2)


def process_rows(name: str, wanted: Wanted, place: Place, *, rounds: int) -> Iterator[Row]:
    """One configuration of the engine, as a process, on the development queries."""
    size = sum(1 for _ in (place.corpus / "items.jsonl").open("rb"))
    what = f"engine {name}, {size:,} items"
    with tempfile.TemporaryDirectory() as run, BenchedEngine(place, configuration(name), Path(run)) as engine:
        load, cpu = engine.first_answer()
        yield _searches(what, engine.times(texts(), rounds), wanted.p95)
        said = f"{load:.2f} s ({cpu:.2f} s of processor)"
        yield at_most(f"{what}: start to first answer", load, wanted.load, "s", shown=said)
        yield at_most(f"{what}: memory at its peak", engine.peak(), wanted.memory, "MB")


def _searches(what: str, times: Times, wanted: float | None) -> Row:
    middle, late = (percentile(times.wall, part) / MS for part in (500, 950))
    shown = f"p50 {middle:.2f} ms, p95 {late:.2f} ms, mean {times.cpu / MS:.2f} ms of processor (n = {len(times.wall)})"
    name = f"{what}: one search"
    return Row(name, shown) if wanted is None else at_most(name, late, wanted, "ms", shown=shown)


def configuration(name: str) -> dict[str, Any]:
    """That of a row of the scorecard."""
    manifest = json.loads((ROOT / f"manifests/systems/{name}.json").read_bytes())
    return dict(manifest["configuration"])


def texts() -> list[str]:
    """The development queries."""
    return [json.loads(line)["text"] for line in QUERIES.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    write_items(MANY, Path(sys.argv[1]))
    write_system(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
