"""Prompts that are nearly the same, which belong to one query family."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from runner.documents import Digest, Document
from runner.retrieval.findings import Finding, Halves, Seen, UncheckedPartition
from runner.retrieval.partitions import QUERIES
from runner.retrieval.topics import Topic
from runner.retrieval.words import normal

GRAM = 3
Vector = NDArray[np.float64]


class Threshold(Document):
    """From `listed` on a pair is worth a look, from `failed` on it is wrong."""

    listed: float
    failed: float


class Thresholds(Document):
    """How near two prompts of different families may be: by edits, by character trigrams, by meaning."""

    edit: Threshold
    trigrams: Threshold
    meaning: Threshold


# Of 7,131 pairs of different families in the development partition none is nearer than .61 by edits and .63 by trigrams
# (both name Futurama), while the same words with one more, or one other, lie above .8: `grumpy cat` and `grumpy cat
# meme`, `sad keanu` and `mad keanu`. Cosines of meaning run higher for prompts that only share a subject; no model has
# been tried on these.
THRESHOLDS = Thresholds(
    edit=Threshold(listed=0.6, failed=0.8),
    trigrams=Threshold(listed=0.6, failed=0.8),
    meaning=Threshold(listed=0.75, failed=0.9),
)


class Prompt(NamedTuple):
    """A query where it stands, its words in the form that is compared, and their trigrams."""

    partition: UncheckedPartition
    row: int
    topic: Topic
    text: str
    trigrams: Mapping[str, int]


class Meaning(NamedTuple):
    """What a text model makes of prompts: the model's digest, and a vector for each text as it was typed."""

    model: Digest
    vectors: Mapping[str, Vector]


Pair = tuple[Prompt, Prompt]
Likeness = Callable[[Prompt, Prompt], float]


def prompts(partition: UncheckedPartition) -> Sequence[Prompt]:
    """Every prompt of a partition."""
    texts = [normal(topic.text) for topic in partition.files.topics]
    rows = zip(partition.files.topics, texts, strict=True)
    return [Prompt(partition, row, topic, text, trigrams(text)) for row, (topic, text) in enumerate(rows)]


def trigrams(text: str) -> Mapping[str, int]:
    """How often each run of three characters occurs, blanks at both ends included."""
    padded = f" {text} "
    return Counter(padded[start : start + GRAM] for start in range(len(padded) - GRAM + 1))


def within(partition: UncheckedPartition) -> Iterator[Pair]:
    """Every pair of prompts of different families."""
    pairs = combinations(prompts(partition), 2)
    return (pair for pair in pairs if pair[0].topic.family != pair[1].topic.family)


def across(halves: Halves) -> Iterator[Pair]:
    """Every pair of prompts of two partitions."""
    return product(prompts(halves.one), prompts(halves.other))


def spelled_alike(pairs: Iterable[Pair]) -> Seen:
    """Pairs that are near by edits or by trigrams."""
    return _held_against(pairs, {"edit": edit, "trigrams": shared_trigrams})


def meant_alike(pairs: Iterable[Pair], meaning: Meaning) -> Seen:
    """Pairs that are near by the cosine of their vectors."""

    def cosine(one: Prompt, other: Prompt) -> float:
        first, second = (meaning.vectors[prompt.topic.text] for prompt in (one, other))
        return float(first @ second / sqrt((first @ first) * (second @ second)))

    return _held_against(pairs, {"meaning": cosine})


def edit(one: Prompt, other: Prompt) -> float:
    """1 - the Levenshtein distance over the length of the longer text."""
    return Levenshtein.normalized_similarity(one.text, other.text)


def shared_trigrams(one: Prompt, other: Prompt) -> float:
    """The cosine of the trigram counts; a text too short to have any is like none."""
    few, many = sorted((one.trigrams, other.trigrams), key=len)
    if not few:
        return 0.0
    dot = sum(count * many.get(gram, 0) for gram, count in few.items())
    return dot / sqrt(sum(n * n for n in few.values()) * sum(n * n for n in many.values()))


def _held_against(pairs: Iterable[Pair], likenesses: Mapping[str, Likeness]) -> Seen:
    """What lies over the thresholds by any likeness; thousandths decide, so that no machine's last bit does."""
    limits = {name: getattr(THRESHOLDS, name) for name in likenesses}
    highest = dict.fromkeys(likenesses, 0.0)
    findings, listed, looked_at = [], [], list(pairs)
    for one, other in looked_at:
        found = {name: round(alike(one, other), 3) for name, alike in likenesses.items()}
        highest = {name: max(value, highest[name]) for name, value in found.items()}
        if any(value >= limits[name].failed for name, value in found.items()):
            findings.append(_finding(one, other, found))
        elif any(value >= limits[name].listed for name, value in found.items()):
            listed.append(_finding(one, other, found))
    figures = {
        "pairs": len(looked_at),
        "listed": len(listed),
        **{f"highest {name}": top for name, top in highest.items()},
    }
    return Seen(figures, tuple(findings), tuple(listed))


def _finding(one: Prompt, other: Prompt, found: Mapping[str, float]) -> Finding:
    """The pair, at the place of the second; the words themselves stay out of it, since it may be published."""
    alike = ", ".join(f"{name} {value:.3f}" for name, value in found.items())
    ids = (one.topic.query_id, other.topic.query_id)
    return other.partition.finding(QUERIES, other.row, ids, f"of two families, and alike: {alike}")
