"""Turns text into vectors of whole numbers that are the same on every processor, however many are made at once."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mambomeme.corpus import digest
from mambomeme.faults import StartError

MODEL = "all-MiniLM-L6-v2"
DIMENSIONS = 384
LONGEST = 256
"""Tokens of a text that count, with the two that enclose it; the model was trained on no more."""
SCALE, CLIP = 400, 127

Vectors = npt.NDArray[np.int8]

_FILES = ("model.onnx", "tokenizer.json")
_CARD = "model.json"
_ADVICE = "Set MAMBO_MODELS to the models folder of the image."


class Model(NamedTuple):
    """The files of a model, each what its card says, and the digest of the card, which names the model."""

    digest: str
    files: dict[str, bytes]


def read_model(models: Path) -> Model:
    """The model in the folder `models`; StartError names the file that is missing or of another digest."""
    folder = models / MODEL
    card = _read(folder / _CARD)
    expected = _digests(card, folder / _CARD)
    files = {name: _read(folder / name) for name in _FILES}
    for name, data in files.items():
        if digest(data) != expected[name]:
            raise StartError(f"{folder / name}: expected {expected[name]}, found {digest(data)}. {_ADVICE}")
    return Model(digest(card), files)


def recipe() -> dict[str, Any]:
    """What is done around the model, and by which runtime: unit vectors times `scale`, rounded, cut off at `clip` on
    both sides."""
    return {
        "clip": CLIP,
        "dimensions": DIMENSIONS,
        "normalisation": "l2",
        "pooling": "mean",
        "rounding": "half to even",
        "runtime": {name: version(name) for name in ("onnxruntime", "tokenizers")},
        "scale": SCALE,
        "tokens": LONGEST,
    }


class Encoder:
    """The model in the folder `models`, loaded; StartError as for `read_model`. `digest` names it.

    How many `threads` it has changes the time that it takes and nothing else.
    """

    def __init__(self, models: Path, threads: int = 1) -> None:
        # Here, because who searches without this route need not load them.
        import onnxruntime
        from tokenizers import Tokenizer

        model = read_model(models)
        onnxruntime.set_default_logger_severity(3)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.digest = model.digest
        try:
            self._tokenizer = Tokenizer.from_buffer(model.files["tokenizer.json"])
            self._session = onnxruntime.InferenceSession(
                model.files["model.onnx"], options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # both raise whatever their native parts say
            raise StartError(f"{MODEL}: cannot be loaded ({type(error).__name__}). {_ADVICE}") from None
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)

    def vector(self, text: str) -> Vectors:
        """The vector of one text, as int8[DIMENSIONS]."""
        return _whole(next(self._pooled([self._ids(text)])))

    def vectors(self, texts: Sequence[str], batch: int = 8) -> Vectors:
        """The vectors of `texts`, as int8[len(texts), DIMENSIONS], made at most `batch` at a time."""
        found = np.zeros((len(texts), DIMENSIONS), dtype=np.int8)
        ids = [self._ids(text) for text in texts]
        for group in _equally_long(ids, batch):
            for at, pooled in zip(group, self._pooled([ids[at] for at in group]), strict=True):
                found[at] = _whole(pooled)
        return found

    def fingerprint(self, text: str) -> str:
        """Digest of the numbers for `text` before they are rounded: another one where the processor computes others."""
        return digest(next(self._pooled([self._ids(text)])).astype("<f8").tobytes())

    def _ids(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer.encode(text).ids
        return found

    def _pooled(self, ids: list[list[int]]) -> Iterator[npt.NDArray[np.float64]]:
        """The mean over the tokens of each text; all have equally many, so that nothing is filled up."""
        tokens = np.array(ids, dtype=np.int64)
        ones, zeros = np.ones_like(tokens), np.zeros_like(tokens)
        given = {"input_ids": tokens, "attention_mask": ones, "token_type_ids": zeros}
        for hidden in self._session.run(["last_hidden_state"], given)[0]:
            yield hidden.astype(np.float64).sum(axis=0) / len(hidden)


def _whole(pooled: npt.NDArray[np.float64]) -> Vectors:
    length = math.sqrt(math.fsum((pooled * pooled).tolist())) or 1.0
    return np.clip(np.rint(pooled / length * SCALE), -CLIP, CLIP).astype(np.int8)


def _equally_long(ids: Sequence[Sequence[int]], batch: int) -> Iterator[list[int]]:
    """The places of `ids` in groups of at most `batch`, those of one group equally long."""
    places: dict[int, list[int]] = {}
    for at, tokens in enumerate(ids):
        places.setdefault(len(tokens), []).append(at)
    for group in places.values():
        for start in range(0, len(group), batch):
            yield group[start : start + batch]


def _digests(card: bytes, path: Path) -> Mapping[str, str]:
    try:
        held: dict[str, Any] = json.loads(card)["files"]
        return {name: held[name]["digest"] for name in _FILES}
    except (ValueError, KeyError, TypeError):
        raise StartError(f"{path}: is no card of {MODEL} with {' and '.join(_FILES)}. {_ADVICE}") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StartError(f"{path}: {error.strerror}. {_ADVICE}") from None
