"""Measures the lexical engine on many documents beside rank-bm25 and bm25s; asserts nothing."""

from __future__ import annotations

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
from mambomeme import index
from mambomeme.bm25 import Parameters, Real, Scorer, best, count_postings
from mambomeme.corpus import read_corpus
from mambomeme.filters import Filters
from mambomeme.lexical import LexicalParameters, LexicalRoute
from mambomeme.query import parse_query
from mambomeme.tokens import tokens
from rank_bm25 import BM25Okapi

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "images" / "corpus"
QUERIES = ROOT / "manifests/benchmarks/search-v1/development/queries.jsonl"
TEXTS = ("title", "action", "ocr_text", "visual", "meaning")
MANY = 100_000
SEED = 20240229
ROUNDS = 40
MOST = 10
MS = 1_000_000

Row = tuple[str, str, str]


def rows(size: int = MANY) -> Iterator[Row]:
    """What was measured, the figure, and what it should reach, on `size` documents made from the corpus's words."""
    yield from bundled()
    yield from one_field(size)
    yield from whole_engine(size)


def bundled() -> Iterator[Row]:
    """The lexical route on the bundled corpus, each development query five times."""
    memes = read_corpus(CORPUS).memes
    with tempfile.TemporaryDirectory() as folder:
        index.write(index.build(read_corpus(CORPUS)), Path(folder))
        fields = index.load(Path(folder)).fields
    route, filters = LexicalRoute(memes, fields, LexicalParameters()), Filters(memes)
    texts = [json.loads(line)["text"] for line in QUERIES.read_text(encoding="utf-8").splitlines()]
    times = sorted(timed(lambda text=text: ask(route, filters, text)) for text in texts * 5)
    figure = f"p50 {times[len(times) // 2]:.2f} ms, p95 {times[len(times) * 95 // 100]:.2f} ms"
    yield f"lexical route, {len(memes)} items, n = {len(times)}", figure, "p95 <= 1 ms"


def ask(route: LexicalRoute, filters: Filters, text: str) -> object:
    """One search from its text to its answer."""
    query = parse_query(text)
    return route.answer(query, filters.mask(query.filters), 100)


def one_field(size: int) -> Iterator[Row]:
    """One field of `size` documents: the same order as rank-bm25, and how much sooner."""
    documents = synthetic_texts(size)
    queries = [random.Random(at).sample(documents[at * 97 % size], 4) for at in range(ROUNDS)]
    started = time.perf_counter()
    scorer = Scorer([(count_postings(documents), 1.0)], Parameters())
    built = time.perf_counter() - started
    okapi = BM25Okapi(documents)
    robertson = bm25s.BM25(method="robertson", k1=1.5, b=0.75)
    robertson.index(documents, show_progress=False)
    ours = [timed(lambda query=query: best(scorer.scores(query), MOST)) for query in queries]
    slow = [timed(lambda query=query: top(okapi.get_scores(query))) for query in queries]
    sparse = [timed(lambda query=query: robertson.retrieve([query], k=MOST, show_progress=False)) for query in queries]
    same = sum(best(scorer.scores(query), MOST).tolist() == top(okapi.get_scores(query)) for query in queries)
    yield f"one field, {size} documents, index built", f"{built:.1f} s", ""
    yield "same ten as rank-bm25, in order", f"{same} of {ROUNDS} queries", "all"
    yield "one query", f"p50 {statistics.median(ours):.2f} ms", ""
    for name, theirs, wanted in (("rank-bm25", slow, 20), ("bm25s (robertson)", sparse, 2)):
        times = statistics.median(theirs) / statistics.median(ours)
        yield f"faster than {name}", f"{times:.0f} times", f">= {wanted} times"


def top(scores: Real) -> list[int]:
    """The best documents by (-round(score, 5), document), as the library's scores have them."""
    near = np.flatnonzero(scores >= np.partition(scores, -MOST)[-MOST] - 1e-4)
    return sorted(near.tolist(), key=lambda at: (-round(float(scores[at]), 5), at))[:MOST]


def timed(work: Callable[[], object]) -> float:
    """Milliseconds that `work` takes."""
    started = time.perf_counter_ns()
    work()
    return (time.perf_counter_ns() - started) / MS


def whole_engine(size: int) -> Iterator[Row]:
    """Index and route over `size` items, in a process of its own: load to first answer, memory, one query."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with (folder / "items.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(item, ensure_ascii=False) + "\n" for item in synthetic_items(size))
        run = [sys.executable, __file__]
        built = json.loads(subprocess.run([*run, "build", folder], check=True, capture_output=True).stdout)
        loaded = json.loads(subprocess.run([*run, "load", folder], check=True, capture_output=True).stdout)
    yield f"index of {size} items built", f"{built['seconds']:.1f} s, {built['megabytes']:.0f} MB", ""
    yield "load to first answer", f"{loaded['seconds']:.1f} s", "<= 10 s"
    yield "memory", f"{loaded['megabytes']:.0f} MB", "<= 1500 MB"
    yield "one query of the lexical route", f"p50 {loaded['p50']:.1f} ms, p95 {loaded['p95']:.1f} ms", ""


def build(folder: Path) -> dict[str, float]:
    """Write the index of the corpus in `folder` below it."""
    started = time.perf_counter()
    index.write(index.build(read_corpus(folder)), folder / "index")
    return {"seconds": time.perf_counter() - started, "megabytes": peak()}


def load(folder: Path) -> dict[str, float]:
    """Read corpus and index, answer the development queries."""
    started = time.perf_counter()
    memes = read_corpus(folder).memes
    route, filters = LexicalRoute(memes, index.load(folder / "index").fields, LexicalParameters()), Filters(memes)
    ask(route, filters, "john cena")
    seconds = time.perf_counter() - started
    texts = [json.loads(line)["text"] for line in QUERIES.read_text(encoding="utf-8").splitlines()]
    times = sorted(timed(lambda text=text: ask(route, filters, text)) for text in texts)
    middle, late = times[len(times) // 2], times[len(times) * 95 // 100]
    return {"seconds": seconds, "megabytes": peak(), "p50": middle, "p95": late}


def peak() -> float:
    """The most memory that this process has held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


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
        fresh = {field: resembling(shape[field], words[field], dice) for field in TEXTS}
        yield dice.choice(shapes) | fresh | {"doc_id": f"s{number:06}"}


def resembling(text: str | None, words: Sequence[str], dice: random.Random) -> str | None:
    """A text of as many lines and words as `text`, of other words."""
    return text and "\n".join(" ".join(dice.choices(words, k=len(line.split()))) for line in text.split("\n"))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        os.sys.stdout.write(json.dumps({"build": build, "load": load}[sys.argv[1]](Path(sys.argv[2]))))
    else:
        for row in rows():
            sys.stdout.write(" | ".join(row) + "\n")
