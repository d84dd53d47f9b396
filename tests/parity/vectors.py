"""Our vectors and lists beside those of sentence-transformers in single precision and faiss's exact products."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import faiss
import numpy as np
import numpy.typing as npt
from mambomeme.bm25 import Whole
from mambomeme.dense import Nearest
from mambomeme.embedding import Embedding
from mambomeme.encoder import Encoder, Vectors

from tests.bench_rows import Row

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "images/reference-dense"
DEPTH = 10
LEAST_COSINE, MEAN_COSINE, LEAST_OVERLAP = 0.99, 0.998, 0.9
GAP = 0.02
"""Documents whose cosines lie further apart than this keep their order: quantising moves a cosine by less than half."""

Real = npt.NDArray[np.float32]


class Known(NamedTuple):
    """The different texts of a corpus, the text of each row and its document."""

    texts: Sequence[str]
    rows: npt.NDArray[np.int64]
    documents: Whole


class Both(NamedTuple):
    """The vectors of texts and of queries as one encoder makes them."""

    texts: npt.NDArray[np.generic]
    queries: npt.NDArray[np.generic]


def reference_vectors(python: str, models: Path, texts: Sequence[str]) -> Real:
    """Vectors of length 1, made by the Python of an environment that has sentence-transformers."""
    with tempfile.TemporaryDirectory() as scratch:
        asked, made = Path(scratch) / "texts.json", Path(scratch) / "vectors.npy"
        asked.write_text(json.dumps(texts))
        environment = os.environ | {"PYTHONPATH": str(REFERENCE), "TOKENIZERS_PARALLELISM": "false"}
        command = [python, str(Path(__file__).with_name("encode.py")), str(models), str(asked), str(made)]
        subprocess.run(command, check=True, env=environment)
        return np.load(made)


def rows(known: Known, ours: Both, theirs: Both) -> Iterator[Row]:
    """How near the vectors are, and what becomes of the lists."""
    for name, mine, reference in zip(("texts", "queries"), ours, theirs, strict=True):
        yield cosine_row(f"cosine to the reference, {len(mine):,} {name}", mine, reference)
    found = ours_found(known, ours)
    scores = best_of_document(theirs.queries @ theirs.texts[known.rows].T, known.documents)
    yield overlap_row(found, scores)
    yield order_row(found, scores)
    yield exact_row(known, theirs, scores)


def cosine_row(what: str, ours: npt.NDArray[np.generic], theirs: npt.NDArray[np.generic]) -> Row:
    """The least and the mean cosine between vectors of the same text."""
    mine = ours.astype(np.float64)
    cosines = (mine * theirs).sum(axis=1) / np.linalg.norm(mine, axis=1) / np.linalg.norm(theirs, axis=1)
    found = f"min {cosines.min():.5f}, mean {cosines.mean():.5f}"
    met = bool(cosines.min() >= LEAST_COSINE and cosines.mean() >= MEAN_COSINE)
    return Row(what, found, f"min >= {LEAST_COSINE}, mean >= {MEAN_COSINE}", met)


def ours_found(known: Known, ours: Both) -> list[list[int]]:
    """The best documents of each query as the engine finds them, no text weighted less than another."""
    plain = np.zeros(len(known.rows), dtype=np.bool_)
    nearest = Nearest(Embedding(np.ascontiguousarray(ours.texts[known.rows]), known.documents, plain, ""))
    return [nearest.find(query, None, DEPTH).documents.tolist() for query in ours.queries]


def best_of_document(products: Real, documents: Whole) -> Real:
    """For each query and document the greatest product with any of the document's rows, which follow one another."""
    return np.maximum.reduceat(products, np.flatnonzero(np.diff(documents, prepend=-1)), axis=1)


def overlap_row(found: Sequence[Sequence[int]], scores: Real) -> Row:
    """How many of the reference's ten the engine has too."""
    theirs = np.argsort(-scores, axis=1, kind="stable")[:, :DEPTH]
    shares = [len({*mine} & {*best}) / DEPTH for mine, best in zip(found, theirs.tolist(), strict=True)]
    mean, whole = float(np.mean(shares)), shares.count(1.0)
    found = f"mean {mean:.3f}, all {DEPTH} in {whole} of {len(shares)} queries"
    return Row(f"top-{DEPTH} overlap with the reference", found, f"mean >= {LEAST_OVERLAP}", mean >= LEAST_OVERLAP)


def order_row(found: Sequence[Sequence[int]], scores: Real) -> Row:
    """The widest gap in the reference's scores between two documents that the engine has the other way round: two of
    its list, or one of its list and one that it lacks."""
    widest = 0.0
    for mine, row in zip(found, scores, strict=True):
        listed = row[mine]
        later = np.maximum.accumulate(listed[::-1])[::-1]
        missed = np.delete(row, mine).max()
        widest = max(widest, float((later - listed).max()), float(missed - listed.min()))
    target = f"none further apart than {GAP}"
    return Row("order of the reference: widest gap turned round", f"{widest:.4f}", target, widest <= GAP)


def exact_row(known: Known, theirs: Both, scores: Real) -> Row:
    """faiss's exact index finds the very best row of each query that plain products do."""
    index = faiss.IndexFlatIP(theirs.texts.shape[1])
    index.add(theirs.texts[known.rows])
    products, _ = index.search(np.ascontiguousarray(theirs.queries), 1)
    off = float(np.abs(products[:, 0] - scores.max(axis=1)).max())
    return Row("IndexFlatIP: the best product of each query", f"within {off:.1e}", "within 1e-5", off <= 1e-5)


def query_vectors(encoder: Encoder, queries: Sequence[str]) -> Vectors:
    """Those of queries, one at a time, as the engine makes them."""
    return np.stack([encoder.vector(query) for query in queries])
