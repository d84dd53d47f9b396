"""The encoder: the same vectors however many at once, on any number of threads, and no damaged model accepted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from mambomeme.corpus import read_corpus
from mambomeme.embedding import texts_of
from mambomeme.encoder import DIMENSIONS, Encoder
from mambomeme.faults import StartError

from tests.system.memes import SYSTEM
from tests.system.models import MODEL, copied, models_folder

CORPUS = SYSTEM.parent / "corpus"
TEXTS = [
    "john cena",
    "wow",
    "",
    "it's a trap!",
    "two spider-men pointing at each other",
    "\u0915\u093e\u091c\u0942 \U0001f438",
    *(text for meme in read_corpus(CORPUS).memes[::80] for text in texts_of(meme)),
    "word " * 400,
]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(models_folder())


@pytest.fixture(scope="module")
def one_by_one(encoder: Encoder) -> np.ndarray:
    return np.array([encoder.vector(text) for text in TEXTS])


@pytest.mark.parametrize("batch", [1, 7, 32])
@pytest.mark.parametrize("threads", [1, 2])
def test_batch_size_and_threads_change_no_number(one_by_one: np.ndarray, batch: int, threads: int) -> None:
    found = Encoder(models_folder(), threads).vectors(TEXTS, batch)
    np.testing.assert_array_equal(found, one_by_one)


def test_vectors_are_whole_numbers_of_one_length(one_by_one: np.ndarray) -> None:
    assert (one_by_one.dtype, one_by_one.shape) == (np.int8, (len(TEXTS), DIMENSIONS))
    # Unit vectors times 400, but for half a step a dimension and the cut at 127.
    lengths = np.linalg.norm(one_by_one.astype(float), axis=1)
    assert (abs(lengths - 400) < 0.5 * DIMENSIONS**0.5).all()


def test_case_is_one_and_likeness_is_seen(encoder: Encoder) -> None:
    dog, shouted, puppy, tax = (
        encoder.vector(text).astype(int) for text in ("a dog", "A DOG", "a puppy", "income tax")
    )
    assert (dog == shouted).all()
    assert dog @ puppy > dog @ tax


def test_what_stands_behind_the_longest_text_is_not_read(encoder: Encoder) -> None:
    long = "cat " * 254
    assert (encoder.vector(long) == encoder.vector(long + "dogs and taxes")).all()
    assert (encoder.vector("cat " * 253) != encoder.vector("cat " * 253 + "tax")).any()


def spoil(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_one_wrong_bit_is_refused_and_named(tmp_path: Path, name: str) -> None:
    models = copied(tmp_path / "models")
    spoil(models / MODEL / name)
    with pytest.raises(StartError, match=rf"{MODEL}/{name}: expected sha256:.*, found sha256:.*Set MAMBO_MODELS"):
        Encoder(models)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "model.json"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    models = copied(tmp_path / "models")
    (models / MODEL / name).unlink()
    with pytest.raises(StartError, match=rf"{MODEL}/{name}: No such file"):
        Encoder(models)


@pytest.mark.parametrize("card", ["", "[]", "{}", '{"files": {"model.onnx": {}}}'])
def test_a_card_that_is_none_is_refused(tmp_path: Path, card: str) -> None:
    models = copied(tmp_path / "models")
    (models / MODEL / "model.json").write_text(card)
    with pytest.raises(StartError, match=r"model\.json: is no card"):
        Encoder(models)


def test_the_digest_is_that_of_the_card_which_names_the_published_weights(encoder: Encoder) -> None:
    folder = models_folder() / MODEL
    told = subprocess.run(["sha256sum", folder / "model.json"], capture_output=True, text=True, check=True)
    assert encoder.digest == "sha256:" + told.stdout.split()[0]
    card = json.loads((folder / "model.json").read_bytes())
    published = "sha256:8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
    assert card["files"]["model.onnx"]["made_from"] == published


def test_the_runtime_leaves_nothing_behind(tmp_path: Path) -> None:
    """Some of its releases keep a database about their use, and send it away."""
    code = "import sys, pathlib, mambomeme.encoder as e; e.Encoder(pathlib.Path(sys.argv[1])).vector('wow')"
    words = [sys.executable, "-B", "-c", code, models_folder()]
    places = {name: str(tmp_path) for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
    done = subprocess.run(words, cwd=SYSTEM, env=os.environ | places, capture_output=True, text=True, check=True)
    assert (list(tmp_path.rglob("*")), done.stderr) == ([], "")


def test_importing_the_route_loads_neither_runtime_nor_index() -> None:
    code = "import sys, mambomeme.dense; print([m for m in ('onnxruntime', 'tokenizers', 'faiss') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=SYSTEM, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
