"""Makes a benchmark of full size out of invented words, for trying the whole chain: a rehearsal, not a benchmark."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.retrieval.small_benchmark import FIELDS, SLICES, act, corpus_sources, item, lines

NAME = "rehearsal-not-a-benchmark"
ITEMS, A_GROUP = 1000, 2.5
WHO = "machine:rehearsal"
Row = dict[str, Any]


class Size(NamedTuple):
    """D1's sizes of one half, and where among the items its no-match queries get their words."""

    per_slice: int
    no_match: int
    safety_answerable: int
    safety_no_match: int
    start: int


DEVELOPMENT, HIDDEN = Size(15, 30, 15, 5, 0), Size(30, 60, 30, 10, 3)


class Words:
    """Words that mean nothing, each given out once."""

    def __init__(self, seed: str) -> None:
        syllables = [a + b for a, b in product("bdfgklmnprtvz", "aiou")]
        self._all = ["".join(three) for three in product(syllables, repeat=3)]
        Random(seed).shuffle(self._all)

    def take(self, many: int) -> str:
        """So many words no one had before."""
        return " ".join(self._all.pop() for _ in range(many))


class Corpus(NamedTuple):
    """Items of invented words, and the digest that names them."""

    items: Sequence[Row]
    digest: str

    def one_a_group(self) -> list[Row]:
        """The first item of each group, leaving out those that may not be shown."""
        first: dict[str, Row] = {}
        for number, row in enumerate(self.items, 1):
            if number % 10:
                first.setdefault(row["template_group"], row)
        return list(first.values())


def write_corpus(folder: Path, words: Words) -> Corpus:
    """Items in groups of two or three, each tenth not to be shown."""
    items = [_item(number, words) for number in range(1, ITEMS + 1)]
    classes = {row["doc_id"]: "unsafe" for row in items[9::10]}
    card, data, audit = corpus_sources(items, classes)
    folder.mkdir()
    for name, source in {"corpus.json": card, "items.jsonl": data, "audit.jsonl": audit}.items():
        (folder / name).write_bytes(source.data)
    return Corpus(items, json.loads(card.data)["items"])


def _item(number: int, words: Words) -> Row:
    return item(
        f"r{number:04}",
        title=words.take(3),
        template=words.take(2),
        template_group=f"group-{int(number // A_GROUP):03}",
        entities=[words.take(2)],
        aliases=[words.take(1)],
        tags=[words.take(1), words.take(1)],
        ocr_text=words.take(5),
        visual=words.take(6),
        meaning=words.take(6),
    )


class Half(NamedTuple):
    """The lines that people write for a half, and what answers each text."""

    rows: dict[str, list[Row]]
    answers: dict[str, str]


def write_half(prefix: str, size: Size, corpus: Corpus, asked: Sequence[Row], words: Words) -> Half:
    """A query for each of `asked` items, one slice after the other, and no-match ones of words from unlike items."""
    queries: list[Row] = []
    answers: dict[str, str] = {}
    wanted = iter(asked)
    for name in SLICES:
        for n in range(size.per_slice):
            answer = next(wanted)
            text = _text(name, answer, words)
            answers[text] = answer["title"]
            queries.append(_query(f"{prefix}-{name}-{n:02}", text, name, [answer["template_group"]]))
    for n in range(size.no_match):
        one, other = corpus.items[7 * n + size.start], corpus.items[-7 * n - 1 - size.start]
        text = f"{one['meaning'].split()[n % 6]} {other['visual'].split()[n % 6]}"
        queries.append(_query(f"{prefix}-no_match-{n:02}", text, "no_match", []))
    _flag(queries, size)
    rows = {"queries.jsonl": queries, "exact_targets.jsonl": [], "no_match_audits.jsonl": []}
    by_title = {row["title"]: row["doc_id"] for row in corpus.items}
    for row in queries:
        if row["slice"] in {"entity", "quote"}:
            target = {"query_id": row["query_id"], "groups": [[by_title[answers[row["text"]]]]], "adjudicated_by": WHO}
            rows["exact_targets.jsonl"].append(target)
        if row["slice"] == "no_match":
            rows["no_match_audits.jsonl"].append(_audit(row["query_id"], corpus))
    return Half(rows, answers)


def _text(name: str, answer: Row, words: Words) -> str:
    """What is typed to find `answer`."""
    title = answer["title"].split()
    return {
        "entity": answer["entities"][0],
        "quote": " ".join(answer["ocr_text"].split()[1:4]),
        "topic": " ".join(answer["tags"]),
        "concept": words.take(3),
        "visual": " ".join(answer["visual"].split()[:4]),
        "noisy": f"{title[0][1:]}{title[1]}",
    }[name]


def _query(query_id: str, text: str, name: str, groups: list[str]) -> Row:
    return {
        "query_id": query_id,
        "text": text,
        "slice": name,
        "family": f"family-{query_id}",
        "safety_flag": False,
        "multi_cue_flag": False,
        "template_groups": groups,
        "provenance": NAME,
    }


def _flag(queries: Sequence[Row], size: Size) -> None:
    answerable = [row for row in queries if row["slice"] != "no_match"]
    absent = [row for row in queries if row["slice"] == "no_match"]
    for row in (*answerable[: size.safety_answerable], *absent[: size.safety_no_match]):
        row["safety_flag"] = True
    for row in answerable[-size.safety_answerable :]:
        row["multi_cue_flag"] = True


def _audit(query_id: str, corpus: Corpus) -> Row:
    return {
        "query_id": query_id,
        "corpus_digest": corpus.digest,
        "fields_checked": FIELDS,
        "nearest": [corpus.items[0]["doc_id"]],
        "inspectors": [WHO],
        "verdict": "no serving item is grade 2 or better",
    }


def run_lines(half: Half, corpus: Corpus) -> bytes:
    """What an invented system shows: the answer among nine others."""
    by_title = {row["title"]: row["doc_id"] for row in corpus.items}
    return lines([{"query_id": q, "doc_ids": d} for q, d in _lists(half, [*by_title.values()], by_title)])


def _lists(half: Half, doc_ids: list[str], by_title: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    for number, row in enumerate(half.rows["queries.jsonl"]):
        others = [doc_ids[(13 * number + step) % len(doc_ids)] for step in range(10)]
        answer = by_title.get(half.answers.get(row["text"], ""))
        yield row["query_id"], list(dict.fromkeys([*([answer] if answer else []), *others]))[:10]


def judged(half: Half, corpus: Corpus) -> list[Row]:
    """Acts of two annotators who agree on all of `run_lines`."""
    by_title = {row["title"]: row["doc_id"] for row in corpus.items}
    titles = {doc_id: title for title, doc_id in by_title.items()}
    texts = {row["query_id"]: row["text"] for row in half.rows["queries.jsonl"]}
    return [
        act(q, d, 3 if half.answers.get(texts[q]) == titles[d] else 0, role=role, annotator=f"{WHO}-{role}")
        for q, shown in _lists(half, [*by_title.values()], by_title)
        for d in shown
        for role in ("first", "second")
    ]
