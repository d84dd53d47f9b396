"""Keeps the index on disk, in whole numbers, the same bytes on every machine: `python3 -m mambomeme.index`."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mambomeme import embedding
from mambomeme.bm25 import Postings, count_postings
from mambomeme.corpus import FIELDS, Corpus, digest, read_corpus
from mambomeme.faults import StartError
from mambomeme.passages import Passages, passages
from mambomeme.phrases import Pairs, count_pairs
from mambomeme.tokens import tokens_of

FOLDER = Path(__file__).resolve().parents[1]
_FILES = (
    "documents.json",
    "lengths.npy",
    "pairs.npy",
    "passages.json",
    "passages.npy",
    "postings.npy",
    "terms.json",
)
_SUMS = "checksums.json"
_ADVICE = "Build it again with 'python3 -m mambomeme.index'."


class Index(NamedTuple):
    """A verified index: its digest, that of the corpus it was made from, the doc_ids, each field's postings, the texts
    that people may type as they stand, and the words that stand side by side in these."""

    digest: str
    corpus: str
    doc_ids: tuple[str, ...]
    fields: dict[str, Postings]
    passages: Passages
    pairs: Pairs


def build(corpus: Corpus, vectors: Mapping[str, bytes] | None = None) -> dict[str, bytes]:
    """The files of the index by name, with those of its `vectors` (mambomeme.embedding), if any. `postings.npy` has the
    rows field (sorted), term, document, count; a term is numbered within its field's list in `terms.json`, a document
    by its place in `documents.json`. `passages.npy` has the rows passage, document; `pairs.npy` left, right, document:
    lines and words are numbered within their lists in `passages.json`."""
    fields = [count_postings(tokens_of(meme.texts[n] for meme in corpus.memes)) for n in range(len(FIELDS))]
    rows = [
        np.vstack([np.full_like(part.term, number), part.term, part.document, part.frequency])
        for number, part in enumerate(fields)
    ]
    texts = passages(corpus.memes)
    pairs = count_pairs(texts)
    files = {
        "documents.json": _json({"corpus": corpus.digest, "doc_ids": [meme.doc_id for meme in corpus.memes]}),
        "lengths.npy": _array(np.vstack([part.lengths for part in fields])),
        "pairs.npy": _array(np.vstack([pairs.left, pairs.right, pairs.document])),
        "passages.json": _json({"lines": texts.lines, "naming": texts.naming, "words": pairs.words}),
        "passages.npy": _array(np.vstack([texts.passage, texts.document])),
        "postings.npy": _array(np.hstack(rows)),
        "terms.json": _json({field: part.terms for field, part in zip(FIELDS, fields, strict=True)}),
    }
    files |= vectors or {}
    return files | {_SUMS: _json({name: digest(data) for name, data in files.items()})}


def write(files: dict[str, bytes], folder: Path) -> None:
    """Lay `files` into `folder`, the checksums last, so that a broken write is never taken for an index."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _SUMS).unlink(missing_ok=True)
    for name in sorted(files, key=lambda name: name == _SUMS):
        (folder / name).write_bytes(files[name])


def load(folder: Path) -> Index:
    """The index in `folder`; StartError unless every file is there and has its checksum. Vectors are left to the route
    that needs them."""
    sums_file = _read(folder / _SUMS)
    try:
        sums = json.loads(sums_file)
    except ValueError:
        sums = None
    if not isinstance(sums, dict) or sorted(sums.keys() - embedding.FILES) != list(_FILES):
        raise StartError(f"{folder / _SUMS}: does not list {', '.join(_FILES)}. {_ADVICE}")
    data = {name: _read(folder / name) for name in sums if name not in {embedding.PLACES, embedding.VECTORS}}
    for name, found in data.items():
        if digest(found) != sums[name]:
            raise StartError(f"{folder / name}: expected {sums[name]}, found {digest(found)}. {_ADVICE}")
    documents = json.loads(data["documents.json"])
    doc_ids = tuple(documents["doc_ids"])
    return Index(digest(sums_file), documents["corpus"], doc_ids, _fields(data), *_texts(data, len(doc_ids)))


def require_corpus(index: Index, corpus: Corpus) -> None:
    """StartError unless `index` was made from `corpus`."""
    if index.corpus != corpus.digest or index.doc_ids != tuple(meme.doc_id for meme in corpus.memes):
        raise StartError(f"index: made from corpus {index.corpus}, found {corpus.digest}. {_ADVICE}")


def _fields(data: dict[str, bytes]) -> dict[str, Postings]:
    terms = json.loads(data["terms.json"])
    field, term, document, count = embedding.array_in(data["postings.npy"])
    lengths = embedding.array_in(data["lengths.npy"])
    edges = np.searchsorted(field, np.arange(len(FIELDS) + 1)).tolist()
    found = {}
    for number, name in enumerate(FIELDS):
        mine = slice(edges[number], edges[number + 1])
        found[name] = Postings(tuple(terms[name]), term[mine], document[mine], count[mine], lengths[number])
    return found


def _texts(data: dict[str, bytes], size: int) -> tuple[Passages, Pairs]:
    said = json.loads(data["passages.json"])
    passage, document = embedding.array_in(data["passages.npy"])
    left, right, holder = embedding.array_in(data["pairs.npy"])
    lengths = np.bincount(holder, minlength=size).astype(np.int32)
    return (
        Passages(said["lines"], said["naming"], passage, document, size),
        Pairs(tuple(said["words"]), left, right, holder, lengths),
    )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StartError(f"{path}: {error.strerror}. {_ADVICE}") from None


def _json(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _array(values: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.ascontiguousarray(values, dtype="<i4"), allow_pickle=False)
    return buffer.getvalue()


def main() -> int:
    """Write the index of MAMBO_CORPUS into the folder of the system."""
    try:
        corpus = read_corpus(Path(os.environ.get("MAMBO_CORPUS", "corpus")))
        write(build(corpus, embedding.prepare(corpus, os.environ)), FOLDER / "index")
    except StartError as error:
        print(error, file=sys.stderr)  # noqa: T201 - the face of a command
        return 65
    return 0


if __name__ == "__main__":
    sys.exit(main())
