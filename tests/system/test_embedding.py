"""The vectors on disk: the same bytes every time, reused for the same texts, and none of anything else accepted."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from mambomeme import embedding, index
from mambomeme.corpus import Corpus, read_corpus
from mambomeme.dense import DenseParameters, open_dense
from mambomeme.encoder import Encoder
from mambomeme.faults import StartError

from tests.system.memes import SYSTEM, item, write_corpus
from tests.system.models import models_folder

ITEMS = [
    item("m1", title="much wow", aliases=["shibe", "such dog"], visual="a dog\n looks sideways"),
    item("m2", title="very doge", ocr_text="", template="", entities=[], aliases=[]),
]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(models_folder())


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return read_corpus(write_corpus(tmp_path / "corpus", ITEMS))


@pytest.fixture
def folder(tmp_path: Path, corpus: Corpus) -> Path:
    """A whole index with vectors."""
    index.write(index.build(corpus, embedding.build(corpus, models_folder())), tmp_path / "index")
    return tmp_path / "index"


def test_each_view_has_the_words_of_its_fields(corpus: Corpus) -> None:
    assert embedding.texts_of(corpus.memes[0]) == (
        "Doge. Kabosu. shibe, such dog",
        "much wow. joy. dogs",
        "Doge. a dog looks sideways",
        "Doge. wow",
    )
    assert embedding.texts_of(corpus.memes[1]) == ("", "very doge. joy. dogs", "a dog", "")


def test_a_row_is_the_vector_of_its_text(folder: Path, corpus: Corpus, encoder: Encoder) -> None:
    found = embedding.load(folder, corpus, encoder.digest)
    texts = [(text, at) for at, meme in enumerate(corpus.memes) for text in embedding.texts_of(meme) if text]
    assert found.documents.tolist() == [at for _, at in texts] == [0, 0, 0, 0, 1, 1]
    np.testing.assert_array_equal(found.vectors, [encoder.vector(text) for text, _ in texts])


def test_a_text_that_stands_twice_has_one_row(tmp_path: Path, encoder: Encoder) -> None:
    corpus = read_corpus(write_corpus(tmp_path / "2", [item("m1", title="wow"), item("m2", title="wow")]))
    index.write(index.build(corpus, embedding.build(corpus, models_folder())), tmp_path / "index")
    assert json.loads((tmp_path / "index/embedding.json").read_bytes())["rows"] == 4
    found = embedding.load(tmp_path / "index", corpus, encoder.digest)
    assert found.documents.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    np.testing.assert_array_equal(found.vectors[:4], found.vectors[4:])


def test_the_manifest_says_how_the_vectors_were_made(folder: Path, corpus: Corpus, encoder: Encoder) -> None:
    manifest = json.loads((folder / "embedding.json").read_bytes())
    told = subprocess.run(["sha256sum", folder / "vectors.npy"], capture_output=True, text=True, check=True)
    assert manifest["vectors"] == "sha256:" + told.stdout.split()[0]
    assert (manifest["corpus"], manifest["model"], manifest["rows"]) == (corpus.digest, encoder.digest, 6)
    runtime = manifest["recipe"].pop("runtime")
    assert runtime == {name: importlib.metadata.version(name) for name in ("onnxruntime", "tokenizers")}
    assert manifest["recipe"] == {
        "clip": 127,
        "dimensions": 384,
        "normalisation": "l2",
        "pooling": "mean",
        "rounding": "half to even",
        "scale": 400,
        "tokens": 256,
    }
    assert manifest["views"]["names"] == ["template", "entities", "aliases", "franchise"]


def prepare(folder: Path, **environment: str) -> dict[str, bytes]:
    shutil.copytree(SYSTEM, folder, ignore=shutil.ignore_patterns("index", "__pycache__"))
    words = [sys.executable, "-B", "-m", "mambomeme.index"]
    subprocess.run(words, cwd=folder, env=os.environ | environment, check=True)
    return {path.name: path.read_bytes() for path in (folder / "index").iterdir()}


def test_every_preparation_writes_the_same_bytes(tmp_path: Path, corpus: Corpus) -> None:
    places = {"MAMBO_CORPUS": str(tmp_path / "corpus"), "MAMBO_MODELS": str(models_folder())}
    first = prepare(tmp_path / "1", PYTHONHASHSEED="1", **places)
    kept = prepare(tmp_path / "2", MAMBO_CACHE=str(tmp_path / "cache"), **places)
    again = prepare(tmp_path / "3", MAMBO_CACHE=str(tmp_path / "cache"), OMP_NUM_THREADS="2", **places)
    assert first == kept == again
    assert {"embedding.json", "places.npy", "vectors.npy"} <= first.keys()


class Counting(Encoder):
    """Says which texts it was asked for."""

    asked: ClassVar[list[str]] = []

    def vectors(self, texts: Any, batch: int = 8) -> Any:
        self.asked.extend(texts)
        return super().vectors(texts, batch)


def test_only_texts_that_are_new_are_encoded(
    tmp_path: Path, folder: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "Encoder", Counting)
    monkeypatch.setattr(Counting, "asked", [])
    changed = read_corpus(write_corpus(tmp_path / "2", [ITEMS[0], item("m3", title="bonk")]))
    found = embedding.build(changed, models_folder(), [tmp_path / "nowhere", folder])
    assert set(Counting.asked) == {"bonk. joy. dogs", "Doge. Kabosu", "Doge. a dog"}
    assert found == embedding.build(changed, models_folder())


def test_damaged_vectors_are_not_reused(folder: Path, encoder: Encoder) -> None:
    assert len(embedding.read_known(folder, encoder.digest)) == 6
    assert embedding.read_known(folder, "sha256:0") == {}
    spoil(folder / "vectors.npy")
    assert embedding.read_known(folder, encoder.digest) == {}


def spoil(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("name", ["places", "vectors"])
def test_damaged_vectors_are_refused(folder: Path, corpus: Corpus, encoder: Encoder, name: str) -> None:
    spoil(folder / f"{name}.npy")
    with pytest.raises(StartError, match=rf"embedding\.json: {name} is .*, found "):
        open_dense(encoder, folder, corpus, DenseParameters())


def test_a_damaged_manifest_is_refused_with_the_index(folder: Path) -> None:
    spoil(folder / "embedding.json")
    with pytest.raises(StartError, match=r"embedding\.json: expected sha256:.*, found sha256:"):
        index.load(folder)


def rewrite(folder: Path, **changes: Any) -> None:
    path = folder / "embedding.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()) | changes))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"corpus": "sha256:0"}, "corpus is"),
        ({"model": "sha256:0"}, "model is"),
        ({"views": {}}, "views is"),
        ({"recipe": {"scale": 100}}, "recipe is"),
        ({"format": "mambo-embedding/v9"}, "format is"),
        ({"fingerprint": "sha256:0"}, "this processor computes other vectors"),
    ],
)
def test_vectors_of_something_else_are_refused(
    folder: Path, corpus: Corpus, encoder: Encoder, changes: dict[str, Any], words: str
) -> None:
    rewrite(folder, **changes)
    with pytest.raises(StartError, match=words) as refused:
        open_dense(encoder, folder, corpus, DenseParameters())
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("manifest", ["", "[]", "null"])
def test_what_is_no_manifest_is_refused(folder: Path, corpus: Corpus, encoder: Encoder, manifest: str) -> None:
    (folder / "embedding.json").write_text(manifest)
    with pytest.raises(StartError, match="is no embedding manifest"):
        open_dense(encoder, folder, corpus, DenseParameters())


@pytest.mark.parametrize("name", ["embedding.json", "places.npy", "vectors.npy"])
def test_an_index_without_vectors_is_named(folder: Path, corpus: Corpus, encoder: Encoder, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(StartError, match=rf"{name}: No such file.*MAMBO_MODELS"):
        open_dense(encoder, folder, corpus, DenseParameters())


def test_a_machine_that_makes_other_vectors_than_those_pinned_is_told(
    tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = json.loads(embedding.build(corpus, models_folder())["embedding.json"])
    pin = tmp_path / "pin.json"
    pin.write_text(json.dumps(made | {"vectors": "sha256:0"}))
    monkeypatch.setattr(embedding, "_PINNED", pin)
    with pytest.raises(
        StartError, match=r"vectors\.npy: pinned as sha256:0, this processor makes sha256:.*import FILE"
    ):
        embedding.build(corpus, models_folder())


def test_the_pin_is_of_the_bundled_items_as_they_are_read_today(encoder: Encoder) -> None:
    texts = {text for meme in read_corpus(SYSTEM.parent / "corpus").memes for text in embedding.texts_of(meme) if text}
    hashes = sorted(hashlib.sha256(text.encode()).digest() for text in texts)
    pinned = json.loads((SYSTEM / "mambomeme/vectors.json").read_bytes())
    assert pinned["texts"] == "sha256:" + hashlib.sha256(b"".join(hashes)).hexdigest()
    assert pinned["model"] == encoder.digest
    assert pinned["recipe"]["runtime"] == {
        name: importlib.metadata.version(name) for name in pinned["recipe"]["runtime"]
    }
