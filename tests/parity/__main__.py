"""`nox -s parity`: holds each fast system against its reference; ends with status 1 where one is not as it should be.

`--short` does without sentence-transformers; else `--reference PYTHON` names one that has it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from mambomeme import embedding, index
from mambomeme.corpus import Corpus, read_corpus
from mambomeme.encoder import MODEL, Encoder
from mambomeme.query import parse_query
from mambomeme.reference import whole_text
from rich.console import Console

from runner.shell import ROOT, tools
from tests.bench_rows import Row, table_of
from tests.parity import lexical, vectors, weights

QUERIES = ROOT / "manifests/benchmarks/search-v1/development/queries.jsonl"
DENSE = "images/reference-dense"
SAME = 0.9999
"""Single-precision vectors differ between processors, but by less than this leaves."""


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="nox -s parity --", description=__doc__)
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--short", action="store_true", help="without sentence-transformers")
    kind.add_argument("--reference", metavar="PYTHON", help="a Python with sentence-transformers")
    wanted = parser.parse_args()
    rows = list(short_rows())
    if wanted.reference:
        rows += vector_rows(wanted.reference)
    Console(width=150).print(table_of(rows, "Fast systems beside their references"))
    return int(any(row.met is False for row in rows))


def short_rows() -> Iterator[Row]:
    """BM25 beside rank-bm25, and the weights."""
    kit = tools()
    memes, fields = read_corpus(ROOT / "images/corpus").memes, index.load(kit.prepared_system()[1] / "index").fields
    yield from lexical.rows(memes, fields, queries())
    ours, theirs = (kit.models(folder) / MODEL for folder in ("images/mambomeme", DENSE))
    yield from weights.rows(ours / "model.onnx", theirs / "model.safetensors")


def vector_rows(python: str) -> Iterator[Row]:
    """Vectors of every text of the corpus and of every query; and those that the reference system brings ready-made."""
    kit, corpus = tools(), read_corpus(ROOT / "images/corpus")
    known, encoder = known_texts(corpus), Encoder(kit.models())
    kept = embedding.read_known(kit.prepared_system()[1] / "index", encoder.digest)
    asked = [free for query in queries() if (free := parse_query(query).free)]
    brought = [whole_text(meme) for meme in corpus.memes]
    made = vectors.reference_vectors(python, kit.models(DENSE), [*known.texts, *asked, *brought])
    theirs = vectors.Both(*np.split(made, [len(known.texts), len(known.texts) + len(asked)])[:2])
    ours = vectors.Both(
        np.stack([kept[embedding.key_of(text)] for text in known.texts]), vectors.query_vectors(encoder, asked)
    )
    yield from vectors.rows(known, ours, theirs)
    yield brought_row(made[-len(brought) :], np.load(ROOT / DENSE / "vectors.npy"))


def brought_row(made: vectors.Real, brought: vectors.Real) -> Row:
    """The vectors in the folder of the reference system are those that it would make."""
    least = float((made * brought).sum(axis=1).min())
    what = f"dense-reference's own vectors, {len(brought)} items"
    return Row(what, f"cosine at least {least:.6f}", f">= {SAME}", least >= SAME)


def known_texts(corpus: Corpus) -> vectors.Known:
    """Each different text of `corpus` once."""
    numbers: dict[str, int] = {}
    found = [
        (numbers.setdefault(text, len(numbers)), at)
        for at, meme in enumerate(corpus.memes)
        for text in embedding.texts_of(meme)
        if text
    ]
    rows, documents = np.array(found, dtype=np.int64).T
    return vectors.Known(list(numbers), rows, documents.astype(np.int32))


def queries() -> list[str]:
    """The development queries."""
    return [json.loads(line)["text"] for line in Path(QUERIES).read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    sys.exit(main())
