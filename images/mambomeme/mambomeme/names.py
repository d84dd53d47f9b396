"""Finds in a query the names that documents carry: entities, aliases, templates, franchises, titles, captions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import OSA

from mambomeme.bm25 import Places, distinct
from mambomeme.corpus import Meme
from mambomeme.grams import Grams
from mambomeme.passages import Passages
from mambomeme.sounds import Sounds
from mambomeme.tokens import FUNCTION_WORDS, lines_of

Span = tuple[int, int]
"""The first of some words, and the one after the last."""

LONGEST = 10
"""A name has at most so many words."""

_INITIALS = range(2, 6)
_MOST_FOR_INITIALS = 3
_CANDIDATES = 12
_SHORTEST_FUZZY = 6
_OVERLAP = 0.4
_LIKE_IN_SOUND = 0.45


class Named(NamedTuple):
    """A name found at `first` to `last` (exclusive) of the query's words: the documents that carry it, sorted, and how
    close what was typed comes to it (1 for the very name)."""

    first: int
    last: int
    documents: Places
    closeness: float


class Names:
    """The names and other short texts of documents. Blanks, case, punctuation, apostrophes do not tell them apart."""

    def __init__(self, texts: Passages) -> None:
        self._numbers: dict[str, int] = {}
        numbers = [
            self._numbers.setdefault(line.replace(" ", ""), len(self._numbers))
            if line and line.count(" ") < LONGEST
            else -1
            for line in texts.lines
        ]
        self._compacts = list(self._numbers)
        found = np.array(numbers, dtype=np.int64)
        entries = found[texts.passage] * max(texts.size, 1) + texts.document
        carried = distinct(entries[entries >= 0])
        self._documents = carried % max(texts.size, 1)
        self._edges = np.searchsorted(carried, np.arange(len(self._numbers) + 1) * max(texts.size, 1))
        naming = zip(numbers[: texts.naming], texts.lines, strict=False)
        self._learn({number: line.split() for number, line in naming if number >= 0})

    def _learn(self, naming: Mapping[int, Sequence[str]]) -> None:
        """Makes the names that are given, by number, findable by their letters and by their sound."""
        self._naming = list(naming)
        self._grams = Grams([self._compacts[number] for number in self._naming], 3)
        self._sounds: dict[str, list[int]] = {}
        sounds = Sounds()
        for number, words in naming.items():
            self._sounds.setdefault(sounds.key(words), []).append(number)

    def exact(self, words: Sequence[str]) -> list[Named]:
        """The names that stand in `words`, of those within another only the longest."""
        line, edges = "".join(words), [*accumulate(map(len, words), initial=0)]
        found: list[Named] = []
        for first, last in _spans(len(words)):
            number = self._numbers.get(line[edges[first] : edges[last]])
            if number is None or not _tells(words[first:last]):
                continue
            if not any(name.first <= first and last <= name.last for name in found):
                found.append(Named(first, last, self._carriers(number), 1.0))
        return found

    def like(self, words: Sequence[str], sounds: Sequence[str], spans: Sequence[Span], closeness: float) -> list[Named]:
        """For each of `spans` of `words` the name that comes closest to it, by spelling or by sound, if it comes as
        close as `closeness`; of several equally close ones all documents."""
        found = []
        for first, last in spans:
            typed = "".join(words[first:last])
            if len(typed) >= _SHORTEST_FUZZY:
                best, names = self._closest(typed, self._sounds.get(" ".join(sounds[first:last]), ()))
                if names and best >= closeness:
                    documents = distinct(np.concatenate(list(map(self._carriers, names))))
                    found.append(Named(first, last, documents, best))
        return found

    def _closest(self, typed: str, alike: Sequence[int]) -> tuple[float, list[int]]:
        """How close the closest names come to `typed`, and which these are; `alike` are those that sound so."""
        near = [self._naming[at] for at in self._grams.near(typed, most=_CANDIDATES, overlap=_OVERLAP)]
        ranked: dict[float, list[int]] = {0.0: []}
        for number in {*alike, *near}:
            same = OSA.normalized_similarity(typed, self._compacts[number])
            if number in alike and same >= _LIKE_IN_SOUND:
                same = (1 + same) / 2
            ranked.setdefault(same, []).append(number)
        best = max(ranked)
        return best, ranked[best]

    def _carriers(self, number: int) -> Places:
        return self._documents[self._edges[number] : self._edges[number + 1]]


def initials(memes: Sequence[Meme]) -> Mapping[str, Sequence[tuple[str, ...]]]:
    """The names of two to five words, by their first letters, at most three for each."""
    texts = dict.fromkeys(text for meme in memes for text in (*meme.entities, meme.template, meme.franchise))
    found: dict[str, dict[tuple[str, ...], None]] = {}
    for words in lines_of(texts):
        if len(words) in _INITIALS:
            found.setdefault("".join(word[0] for word in words), {})[tuple(words)] = None
    return {letters: tuple(full)[:_MOST_FOR_INITIALS] for letters, full in found.items()}


def _tells(words: Sequence[str]) -> bool:
    """Whether words are enough to be a name: one with a subject, or three."""
    return len(words) > 2 or any(word not in FUNCTION_WORDS for word in words)


def _spans(count: int) -> Iterator[Span]:
    """All spans of a query of `count` words, the longest first."""
    for length in range(min(count, LONGEST), 0, -1):
        for first in range(count - length + 1):
            yield first, first + length
