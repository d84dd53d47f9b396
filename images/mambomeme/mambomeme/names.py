"""Finds in a query the names that documents carry: entities, aliases, templates, titles, lines of captions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA

from mambomeme.corpus import Meme
from mambomeme.grams import Grams
from mambomeme.sounds import sound
from mambomeme.tokens import FUNCTION_WORDS, line

LONGEST = 10
"""A name has at most so many words."""

_INITIALS = range(2, 6)
_CANDIDATES = 12
_SHORTEST_FUZZY = 6
_OVERLAP = 0.4
_LIKE_IN_SOUND = 0.45


class Named(NamedTuple):
    """A name found at `first` to `last` (exclusive) of the query's words: the documents that carry it, and how close
    what was typed comes to it (1 for the very name)."""

    first: int
    last: int
    documents: npt.NDArray[np.int32]
    closeness: float


class Names:
    """The names of `memes`. Blanks, case, punctuation and apostrophes do not tell names apart."""

    def __init__(self, memes: Sequence[Meme]) -> None:
        numbers: dict[str, int] = {}
        carried: list[int] = []
        carriers: list[int] = []
        sounds: list[str] = []
        for at, meme in enumerate(memes):
            for words in _names(meme):
                number = numbers.setdefault("".join(words), len(numbers))
                if number == len(sounds):
                    sounds.append(" ".join(map(sound, words)))
                carried.append(number)
                carriers.append(at)
        self._numbers, self._compacts = numbers, list(numbers)
        self._sounds: dict[str, list[int]] = {}
        for number, key in enumerate(sounds):
            self._sounds.setdefault(key, []).append(number)
        entries = np.unique(np.array(carried, dtype=np.int64) * max(len(memes), 1) + np.array(carriers, dtype=np.int64))
        self._documents = (entries % max(len(memes), 1)).astype(np.int32)
        self._edges = np.searchsorted(entries, np.arange(len(numbers) + 1) * max(len(memes), 1))
        self._grams = Grams(self._compacts, 3)

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
        documents = np.unique(np.concatenate([self._carriers(number) for number in ranked[best]]))
        return [Named(first, first + len(words), documents, best)]

    def _carriers(self, number: int) -> npt.NDArray[np.int32]:
        return self._documents[self._edges[number] : self._edges[number + 1]]


def _names(meme: Meme) -> Iterator[tuple[str, ...]]:
    texts: Iterable[str] = (
        *meme.entities,
        *meme.aliases,
        meme.template,
        meme.franchise,
        meme.title,
        *meme.quote.split("\n"),
        meme.quote,
    )
    for text in texts:
        words = tuple(line(text))
        if 0 < len(words) <= LONGEST:
            yield words


def _tells(words: Sequence[str]) -> bool:
    """Whether words are enough to be a name: one with a subject, or three."""
    return len(words) > 2 or any(word not in FUNCTION_WORDS for word in words)


def _spans(count: int) -> Iterator[tuple[int, int]]:
    """All spans of a query of `count` words, the longest first."""
    for length in range(min(count, LONGEST), 0, -1):
        for first in range(count - length + 1):
            yield first, first + length


def initials(memes: Sequence[Meme]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The names of two to five words, by their first letters, at most three for each."""
    found: dict[str, dict[tuple[str, ...], None]] = {}
    for meme in memes:
        for text in (*meme.entities, meme.template, meme.franchise):
            words = tuple(line(text))
            if len(words) in _INITIALS:
                found.setdefault("".join(word[0] for word in words), {})[words] = None
    return {letters: tuple(names)[:3] for letters, names in found.items()}
