"""Finds in a query the names that documents carry: entities, aliases, templates, franchises, titles, captions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import OSA

from mambomeme.bm25 import Whole, distinct
from mambomeme.corpus import Meme
from mambomeme.grams import Grams
from mambomeme.sounds import Sounds
from mambomeme.tokens import FUNCTION_WORDS, lines_of

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
    documents: Whole
    closeness: float


class Names:
    """The names of `memes`. Blanks, case, punctuation and apostrophes do not tell names apart."""

    def __init__(self, memes: Sequence[Meme]) -> None:
        texts: dict[str, int] = {}
        pairs = [(texts.setdefault(text, len(texts)), at) for at, meme in enumerate(memes) for text in names(meme)]
        entries = [text * len(memes) + at for text, at in pairs]
        words = lines_of(texts)
        self._numbers: dict[str, int] = {}
        numbers = [
            self._numbers.setdefault("".join(name), len(self._numbers)) if 0 < len(name) <= LONGEST else -1
            for name in words
        ]
        self._compacts = list(self._numbers)
        self._carry(np.array(numbers, dtype=np.int64), np.array(entries, dtype=np.int64), max(len(memes), 1))
        self._sounds: dict[str, list[int]] = {}
        sounds = Sounds()
        for number, name in dict(zip(reversed(numbers), reversed(words), strict=True)).items():
            self._sounds.setdefault(sounds.key(name), []).append(number)
        self._grams = Grams(self._compacts, 3)

    def _carry(self, numbers: np.ndarray, entries: np.ndarray, size: int) -> None:
        """Notes which documents carry each name; `entries` are texts and documents as one number."""
        names, documents = numbers[entries // size], entries % size
        carried = distinct((names * size + documents)[names >= 0])
        self._documents = (carried % size).astype(np.int32)
        self._edges = np.searchsorted(carried, np.arange(len(self._compacts) + 1) * size)

    def exact(self, words: Sequence[str]) -> list[Named]:
        """The names that stand in `words`, of those within another only the longest."""
        found: list[Named] = []
        for first, last in _spans(len(words)):
            number = self._numbers.get("".join(words[first:last]))
            within = any(name.first <= first and last <= name.last for name in found)
            if number is not None and not within and _tells(words[first:last]):
                found.append(Named(first, last, self._carriers(number), 1.0))
        return found

    def like(self, words: Sequence[str], sounds: Sequence[str], first: int, closeness: float) -> list[Named]:
        """The name that comes closest to `words`, which begin at `first`, by spelling or by sound, if it comes as close
        as `closeness`; of several equally close ones all documents."""
        typed = "".join(words)
        if len(typed) < _SHORTEST_FUZZY:
            return []
        alike = set(self._sounds.get(" ".join(sounds), ()))
        near = self._grams.near(typed, most=_CANDIDATES, overlap=_OVERLAP)
        ranked: dict[float, list[int]] = {}
        for number in {*alike, *near}:
            same = OSA.normalized_similarity(typed, self._compacts[number])
            if number in alike and same >= _LIKE_IN_SOUND:
                same = (1 + same) / 2
            ranked.setdefault(same, []).append(number)
        best = max(ranked, default=0.0)
        if best < closeness:
            return []
        documents = distinct(np.concatenate([self._carriers(number) for number in ranked[best]]))
        return [Named(first, first + len(words), documents, best)]

    def _carriers(self, number: int) -> Whole:
        return self._documents[self._edges[number] : self._edges[number + 1]]


def names(meme: Meme) -> list[str]:
    """The texts of a meme that people may type as they stand."""
    plain = [meme.template, meme.franchise, meme.title, *meme.quote.split("\n"), meme.quote]
    return [text for text in (*meme.entities, *meme.aliases, *plain) if text]


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


def _spans(count: int) -> Iterator[tuple[int, int]]:
    """All spans of a query of `count` words, the longest first."""
    for length in range(min(count, LONGEST), 0, -1):
        for first in range(count - length + 1):
            yield first, first + length
