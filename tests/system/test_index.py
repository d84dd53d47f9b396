"""The index on disk: the same bytes from anywhere, and no wrong byte accepted."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mambomeme.corpus import FIELDS, read_corpus
from mambomeme.faults import StartError
from mambomeme.index import build, load, write
from mambomeme.tokens import tokens

from tests.system.memes import SYSTEM, item, write_corpus

CORPUS = SYSTEM.parent / "corpus"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    corpus = write_corpus(tmp_path / "corpus", [item("m2", title="such wow wow"), item("m1", title="much dog")])
    write(build(read_corpus(corpus)), tmp_path / "index")
    return tmp_path / "index"


def test_holds_what_the_corpus_says(folder: Path) -> None:
    index = load(folder)
    title = index.fields["title"]
    assert index.doc_ids == ("m1", "m2")
    assert title.terms == ("dog", "much", "such", "wow")
    assert title.document.tolist() == [0, 0, 1, 1]
    assert title.frequency.tolist() == [1, 1, 1, 2]
    assert title.lengths.tolist() == [2, 3]


def test_counts_every_word_of_the_bundled_corpus(tmp_path: Path) -> None:
    corpus = read_corpus(CORPUS)
    write(build(corpus), tmp_path)
    fields = load(tmp_path).fields
    for number, field in enumerate(FIELDS):
        words = [tokens(meme.texts[number]) for meme in corpus.memes]
        assert int(fields[field].frequency.sum()) == sum(map(len, words))
        assert set(fields[field].terms) == {word for document in words for word in document}


def test_its_digest_is_that_of_the_checksums(folder: Path) -> None:
    sums = (folder / "checksums.json").read_bytes()
    assert load(folder).digest == "sha256:" + hashlib.sha256(sums).hexdigest()
    for name, digest in json.loads(sums).items():
        assert digest == "sha256:" + hashlib.sha256((folder / name).read_bytes()).hexdigest()


def test_holds_the_texts_that_people_type_and_their_pairs(folder: Path) -> None:
    index = load(folder)
    documents: list[list[str]] = [[], []]
    for passage, document in zip(index.passages.passage, index.passages.document, strict=True):
        documents[document].append(index.passages.lines[passage])
    assert list(map(sorted, documents)) == [
        ["doge", "kabosu", "much dog", "wow"],
        ["doge", "kabosu", "such wow wow", "wow"],
    ]
    assert sorted(index.passages.lines[: index.passages.naming]) == ["doge", "kabosu"]
    words = index.pairs.words
    found = zip(index.pairs.left, index.pairs.right, index.pairs.document, strict=True)
    pairs = [(words[left], words[right], document) for left, right, document in found]
    assert pairs == [("much", "dog", 0), ("such", "wow", 1), ("wow", "wow", 1)]
    assert index.pairs.lengths.tolist() == [1, 2]


FILES = ["documents.json", "lengths.npy", "pairs.npy", "passages.json", "passages.npy", "postings.npy", "terms.json"]


@pytest.mark.parametrize("name", FILES)
def test_one_wrong_bit_is_refused_and_named(folder: Path, name: str) -> None:
    data = bytearray((folder / name).read_bytes())
    data[-2] ^= 1
    (folder / name).write_bytes(data)
    with pytest.raises(StartError, match=rf"{name}: expected sha256:.*, found sha256:"):
        load(folder)


@pytest.mark.parametrize("name", ["checksums.json", "postings.npy"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(StartError, match=name):
        load(folder)


@pytest.mark.parametrize("sums", ["", "[]", "{}", '{"terms.json": "sha256:0"}'])
def test_checksums_that_list_less_are_refused(folder: Path, sums: str) -> None:
    (folder / "checksums.json").write_text(sums)
    with pytest.raises(StartError, match=r"checksums\.json"):
        load(folder)


def prepare(folder: Path, **environment: str) -> dict[str, bytes]:
    shutil.copytree(SYSTEM, folder, ignore=shutil.ignore_patterns("index", "__pycache__"))
    subprocess.run(
        [sys.executable, "-B", "-m", "mambomeme.index"],
        cwd=folder,
        env=os.environ | {"MAMBO_CORPUS": str(CORPUS), **environment},
        check=True,
    )
    return {path.name: path.read_bytes() for path in (folder / "index").iterdir()}


def test_two_places_write_the_same_bytes(tmp_path: Path) -> None:
    here = prepare(tmp_path / "here", PYTHONHASHSEED="1", TZ="Asia/Tokyo")
    there = prepare(tmp_path / "far" / "there", PYTHONHASHSEED="2", LC_ALL="C")
    assert here == there
    assert sorted(here) == sorted(["checksums.json", *FILES])


def test_the_command_names_a_missing_corpus(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-B", "-m", "mambomeme.index"],
        cwd=SYSTEM,
        env=os.environ | {"MAMBO_CORPUS": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr.count("\n")) == (65, 1)
    assert "items.jsonl" in ended.stderr
