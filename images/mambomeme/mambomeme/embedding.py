"""Keeps the vectors of the corpus on disk: one for each text of each document, found again by the text's hash."""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mambomeme import encoder
from mambomeme.corpus import GIVEN, Corpus, Meme, digest
from mambomeme.encoder import DIMENSIONS, Encoder, Vectors, recipe
from mambomeme.faults import StartError

VIEWS: Mapping[str, tuple[str, ...]] = {
    "names": ("template", "entities", "aliases", "franchise"),
    "sense": ("title", "meaning", "tags"),
    "scene": ("template", "visual", "action"),
    "caption": ("template", "ocr_text"),
}
"""The texts of a document, each of which has a vector of its own, and the fields that they are made of."""

MANIFEST, PLACES, VECTORS = "embedding.json", "places.npy", "vectors.npy"
FILES = (MANIFEST, PLACES, VECTORS)
FORMAT = "mambo-embedding/v2"
PROBE = " ".join(f"A cat looks at {number} dogs, and none of them looks back at the cat." for number in range(1, 9))
"""A text long enough to show whether this processor computes as the one did that made the vectors."""

_VIEWS = tuple(itemgetter(*map(GIVEN.index, fields)) for fields in VIEWS.values())
_LISTS = tuple(GIVEN.index(field) for field in ("entities", "aliases", "tags"))
_ROW = np.dtype([("text", "u1", 32), ("vector", "i1", DIMENSIONS)])
_PINNED = Path(__file__).with_name("vectors.json")
_ADVICE = "Build the index again with MAMBO_MODELS set."

Known = Mapping[bytes, Vectors]
"""A vector for the hash of its text."""


class Embedding(NamedTuple):
    """Vectors of a corpus: int8[rows, DIMENSIONS], for each row its document and whether it is of one of the ideas."""

    vectors: Vectors
    documents: npt.NDArray[np.int32]
    ideas: npt.NDArray[np.bool_]
    fingerprint: str

    def weighted(self, ideas: float) -> Vectors:
        """The vectors with those of ideas shortened by the factor `ideas`, rounded half to even."""
        if not self.ideas.any():
            return self.vectors
        found = self.vectors.copy()
        found[self.ideas] = np.rint(self.vectors[self.ideas] * ideas).astype(np.int8)
        return found


def texts_of(meme: Meme) -> tuple[str, ...]:
    """The text of each of VIEWS, empty where the document says nothing there, and each of the ideas."""
    texts = [*meme.texts]
    for at, words in zip(_LISTS, (meme.entities, meme.aliases, meme.tags), strict=True):
        if len(words) > 1:
            texts[at] = ", ".join(words)
    plain = [" ".join(text.split()) for text in texts[: len(GIVEN)]]
    views = [". ".join(filter(None, fields(plain))) for fields in _VIEWS]
    return (*views, *meme.ideas)


def build(corpus: Corpus, models: Path, known: Iterable[Path] = ()) -> dict[str, bytes]:
    """The files of the embedding by name. `places.npy` has for each text of each document its row in `vectors.npy`, the
    document, and 1 if it is an idea. Vectors of texts that are `known`, folders of earlier indexes made with the same
    model, are taken from there. StartError where a processor makes other vectors than those that are pinned."""
    loaded = Encoder(models, len(os.sched_getaffinity(0)))
    wanted = [text for at, meme in enumerate(corpus.memes) for text in _wanted(at, meme)]
    texts = {text.key: text.text for text in wanted}
    vectors = _vectors(texts, loaded, [read_known(folder, loaded.digest) for folder in known])
    rows, numbers = np.zeros(len(texts), dtype=_ROW), {}
    for at, key in enumerate(sorted(texts)):
        rows[at], numbers[key] = (np.frombuffer(key, np.uint8), vectors[key]), at
    places = [
        [numbers[text.key] for text in wanted],
        [text.document for text in wanted],
        [text.idea for text in wanted],
    ]
    files = {PLACES: _npy(np.array(places, dtype="<i4")), VECTORS: _npy(rows)}
    made = {
        "corpus": corpus.digest,
        "rows": len(rows),
        "texts": digest(rows["text"].tobytes()),
        "places": digest(files[PLACES]),
        "vectors": digest(files[VECTORS]),
    }
    manifest = _recipe(loaded.digest) | made | {"fingerprint": loaded.fingerprint(PROBE)}
    _require_pinned(manifest)
    return {MANIFEST: _json(manifest), **files}


def prepare(corpus: Corpus, environment: Mapping[str, str]) -> dict[str, bytes]:
    """As `build`, with MAMBO_MODELS; nothing where that is not set. MAMBO_CACHE is a folder for what is worth keeping
    until the next time."""
    if not environment.get("MAMBO_MODELS"):
        return {}
    models, cache = Path(environment["MAMBO_MODELS"]), environment.get("MAMBO_CACHE")
    if not cache:
        return build(corpus, models)
    # A changed program may make other vectors of the same texts.
    kept = Path(cache) / hashlib.sha256(Path(encoder.__file__).read_bytes()).hexdigest()
    files = build(corpus, models, [kept])
    kept.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (kept / name).write_bytes(data)
    return files


def read_known(folder: Path, model: str) -> Known:
    """The vectors in `folder` by the hashes of their texts; none where it holds none of this model, or damaged ones."""
    try:
        manifest, data = json.loads((folder / MANIFEST).read_bytes()), (folder / VECTORS).read_bytes()
    except (OSError, ValueError):
        return {}
    if not isinstance(manifest, dict) or manifest.get("vectors") != digest(data):
        return {}
    made = {key: manifest.get(key) for key in ("model", "recipe")}
    return _bykey_of(data) if made == {"model": model, "recipe": recipe()} else {}


def load(folder: Path, corpus: Corpus, model: str) -> Embedding:
    """The embedding in `folder`; StartError unless it is whole, of this corpus, and made with this model."""
    manifest, data, places = _manifest(folder), _read(folder / VECTORS), _read(folder / PLACES)
    found = {"corpus": corpus.digest, "places": digest(places), "vectors": digest(data)}
    for key, wanted in (_recipe(model) | found).items():
        if manifest.get(key) != wanted:
            raise StartError(
                f"{folder / MANIFEST}: {key} is {_short(manifest.get(key))}, found {_short(wanted)}. {_ADVICE}"
            )
    rows, documents, ideas = array_in(places)
    vectors = array_in(data)["vector"].take(rows, axis=0)
    return Embedding(vectors, documents, ideas.astype(np.bool_), str(manifest["fingerprint"]))


class _Wanted(NamedTuple):
    """A text of a document, and its hash."""

    key: bytes
    text: str
    document: int
    idea: bool


def _wanted(document: int, meme: Meme) -> Iterator[_Wanted]:
    for at, text in enumerate(texts_of(meme)):
        if text:
            yield _Wanted(key_of(text), text, document, at >= len(VIEWS))


def require_same_processor(loaded: Encoder, embedding: Embedding) -> None:
    """StartError where this processor computes other numbers than the one that made `embedding`."""
    if loaded.fingerprint(PROBE) != embedding.fingerprint:
        raise StartError(
            f"{MANIFEST}: this processor computes other vectors than those of the index. "
            "Use an x86-64 processor with AVX2 and FMA, or a configuration without the route dense."
        )


def _vectors(texts: Mapping[bytes, str], loaded: Encoder, known: Sequence[Known]) -> dict[bytes, Vectors]:
    found = {key: vectors[key] for vectors in known for key in texts if key in vectors}
    missing = [key for key in texts if key not in found]
    return found | dict(zip(missing, loaded.vectors([texts[key] for key in missing]), strict=True))


def _recipe(model: str) -> dict[str, Any]:
    views = {name: list(fields) for name, fields in VIEWS.items()}
    return {"format": FORMAT, "model": model, "recipe": recipe(), "views": views}


def _require_pinned(manifest: Mapping[str, Any]) -> None:
    """StartError where the pinned texts gave other vectors here, made in the pinned way."""
    pinned = json.loads(_PINNED.read_bytes())
    same = all(pinned[key] == manifest[key] for key in ("model", "recipe", "texts"))
    if same and pinned["vectors"] != manifest["vectors"]:
        raise StartError(
            f"{VECTORS}: pinned as {pinned['vectors']}, this processor makes {manifest['vectors']}. "
            "Load the pinned image with `./bench run image import FILE`."
        )


def _bykey_of(data: bytes) -> dict[bytes, Vectors]:
    return {row["text"].tobytes(): row["vector"] for row in array_in(data)}


def array_in(data: bytes) -> npt.NDArray[Any]:
    """The array in the file `data`, which is not copied."""
    head = io.BytesIO(data)
    np.lib.format.read_magic(head)
    shape, _, kind = np.lib.format.read_array_header_1_0(head)
    return np.frombuffer(data, dtype=kind, offset=head.tell()).reshape(shape)


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(_read(folder / MANIFEST))
    except ValueError:
        manifest = None
    if not isinstance(manifest, dict):
        raise StartError(f"{folder / MANIFEST}: is no embedding manifest. {_ADVICE}")
    return manifest


def key_of(text: str) -> bytes:
    """The hash by which the vector of `text` is found."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _npy(values: npt.NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, values, allow_pickle=False)
    return buffer.getvalue()


def _json(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:79] + "…"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StartError(f"{path}: {error.strerror}. {_ADVICE}") from None
