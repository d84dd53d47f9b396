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
                    sounds.append(_sound(words))
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

    def like(self, words: Sequence[str], first: int, last: int, *, closeness: float) -> Named | None:
        """The name that comes closest to the words from `first` to `last`, by spelling or by sound, if it comes as
        close as `closeness`; with equal names all their documents."""
        typed = "".join(words[first:last])
        if len(typed) < _SHORTEST_FUZZY:
            return None
        best, numbers = closeness, list[int]()
        alike = self._sounds.get(_sound(words[first:last]), ())
        near = self._grams.near(typed, most=_CANDIDATES, overlap=_OVERLAP)
        for number in dict.fromkeys([*alike, *near]):
            known = self._compacts[number]
            same = OSA.normalized_similarity(typed, known)
            if number in alike and same >= _LIKE_IN_SOUND:
                same = (1 + same) / 2
            if same > best or (same == best and numbers):
                numbers = [number] if same > best else [*numbers, number]
                best = same
        if not numbers:
            return None
        documents = np.unique(np.concatenate([self._carriers(number) for number in numbers]))
        return Named(first, last, documents, best)

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


def _sound(words: Sequence[str]) -> str:
    return " ".join(sound(word) for word in words)


def _spans(count: int) -> Iterator[tuple[int, int]]:
    """All spans of a query of `count` words, the longest first."""
    for length in range(min(count, LONGEST), 0, -1):
        for first in range(count - length + 1):
            yield first, first + length
