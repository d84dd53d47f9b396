"""Makes corpora of any size from the words of the bundled one, with vectors drawn by lot."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from mambomeme import embedding, index
from mambomeme.corpus import Corpus, digest, read_corpus
from mambomeme.encoder import CLIP, DIMENSIONS, SCALE, Encoder, recipe
from mambomeme.tokens import tokens

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "images/corpus"
TEXTS = ("title", "action", "ocr_text", "visual", "meaning")
SEED = 20240229
_AT_ONCE = 50_000


def synthetic_texts(size: int) -> list[list[str]]:
    """`size` documents, each as long as some item of the corpus and of words drawn as often as they stand in it."""
    dice, texts = random.Random(SEED), [tokens(" ".join(meme.texts)) for meme in read_corpus(CORPUS).memes]
    words = list(chain.from_iterable(texts))
    return [dice.choices(words, k=len(dice.choice(texts))) for _ in range(size)]


def synthetic_items(size: int) -> Iterator[dict[str, Any]]:
    """`size` items: template, names and tags those of one item of the corpus; each text as long as that of another, of
    words drawn as often as they stand in such texts."""
    dice = random.Random(SEED)
    items = [json.loads(line) for line in (CORPUS / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    displayed = {meme.doc_id for meme in read_corpus(CORPUS).memes}
    shapes = [item for item in items if item["doc_id"] in displayed]
    words = {field: [word for item in shapes for word in (item[field] or "").split()] for field in TEXTS}
    for number in range(size):
        shape = dice.choice(shapes)
        fresh = {field: _resembling(shape[field], words[field], dice) for field in TEXTS}
        yield dice.choice(shapes) | fresh | {"doc_id": f"s{number:06}"}


def _resembling(text: str | None, words: Sequence[str], dice: random.Random) -> str | None:
    """A text of as many lines and words as `text`, of other words."""
    return text and "\n".join(" ".join(dice.choices(words, k=len(line.split()))) for line in text.split("\n"))


def write_items(size: int, folder: Path) -> None:
    """Lay a corpus of `size` items into `folder`."""
    with (folder / "items.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(item, ensure_ascii=False) + "\n" for item in synthetic_items(size))


def write_system(corpus: Path, models: Path, folder: Path) -> None:
    """Lay the bundled system into `folder`, with an index of the corpus in `corpus` whose vectors are drawn by lot."""
    shutil.copytree(ROOT / "images/mambomeme", folder, ignore=shutil.ignore_patterns("index", "__pycache__"))
    found = read_corpus(corpus)
    drawn = folder / "drawn"
    _write_drawn(found, Encoder(models).digest, drawn)
    index.write(index.build(found, embedding.build(found, models, [drawn])), folder / "index")


def _write_drawn(corpus: Corpus, model: str, folder: Path) -> None:
    """As an earlier index that knew each text of `corpus`: a vector of random direction, quantised like any other."""
    texts = {text for meme in corpus.memes for text in embedding.texts_of(meme) if text}
    keys = sorted(map(embedding.key_of, texts))
    rows = np.zeros(len(keys), dtype=[("text", "u1", 32), ("vector", "i1", DIMENSIONS)])
    rows["text"] = np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(-1, 32)
    dice = np.random.Generator(np.random.Philox(key=SEED))
    for start in range(0, len(rows), _AT_ONCE):
        some = rows["vector"][start : start + _AT_ONCE]
        vectors = dice.standard_normal(some.shape, dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        some[:] = np.clip(np.rint(vectors * SCALE), -CLIP, CLIP)
    folder.mkdir()
    np.save(folder / embedding.VECTORS, rows)
    made = {"model": model, "recipe": recipe(), "vectors": digest((folder / embedding.VECTORS).read_bytes())}
    (folder / embedding.MANIFEST).write_text(json.dumps(made))
